#pragma once

#include "phyxel/geometry/mesh.h"
#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Cells on either side of a surface in which a level set has distances.
constexpr Index level_set_band = 3;

/// Signed distance to a closed surface at the nodes within level_set_band cells of it, m, negative
/// inside; nodes of the same blocks beyond the band hold `outside`, on whichever side they are.
/// Cavities are outside. Fills `grid` and reuses its memory.
void make_level_set(const Exec& exec, const TriangleMesh& mesh, Real cell, SparseField& grid);

}  // namespace phyxel
