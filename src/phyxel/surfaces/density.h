#pragma once

#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Share of space that the points of a field fill, at the nodes of a grid: about 1 deep inside, and
/// the sum over all nodes times the volume of a cell is the volume of all points. Fills `grid` and
/// reuses its memory.
void make_density(const Exec& exec, const PointField& field, Real cell, SparseField& grid);

}  // namespace phyxel
