#pragma once

#include "phyxel/render/trace.h"

namespace phyxel::render {

/// Averages each layer's light over neighbours that show the same surface, lie in the same plane
/// and differ by no more than the noise explains: a-trous wavelets, Dammertz et al. 2010, with the
/// variance of the paths as in Schied et al. 2017. Edges and small spheres stay as sharp as they
/// were traced.
void denoise(const Exec& exec, Film& film);

}  // namespace phyxel::render
