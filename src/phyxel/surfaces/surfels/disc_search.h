#pragma once

#include "phyxel/surfaces/point_runs.h"

// Discs around a place; visit_discs.h takes a pack of them at a time.

namespace phyxel {

/// Discs in the order of cells.
struct DiscSearch : SortedPoints {
  Column<Real> nx, ny, nz;  // normals; a few more than discs, as x, y and z
  Column<Index> disc;       // the order of cells, as long
};
DiscSearch make_disc_search(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& normal,
                            Real edge);

}  // namespace phyxel
