#pragma once

#include "phyxel/methods/pbd/bodies.h"

namespace phyxel::pbd {

/// Particles that constraints join, directly or through others: one list for each piece of matter
/// of more than one particle. `particle`: of each vertex, -1: none.
std::vector<std::vector<Index>> joined_particles(const Model& model,
                                                 const std::vector<Index>& particle);

}  // namespace phyxel::pbd
