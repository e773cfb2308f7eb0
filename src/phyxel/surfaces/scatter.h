#pragma once

#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Fills the values of all blocks: each block gathers the points within reach, and each of those
/// adds to the rows of nodes that it reaches.
void scatter_points(const Exec& exec, const PointField& field, SparseField& grid);

}  // namespace phyxel
