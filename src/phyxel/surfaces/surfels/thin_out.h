#pragma once

#include "phyxel/core/exec.h"

namespace phyxel {

/// A Poisson-disk sample out of many candidates on a surface: indices of candidates, no two of
/// which are nearer than `distance` (m) where their normals agree, and no other of which has room.
/// In the order of cells; depends on the candidates alone.
Column<Index> thin_out(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& normal,
                       Real distance);

}  // namespace phyxel
