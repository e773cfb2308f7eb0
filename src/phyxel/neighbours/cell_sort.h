#pragma once

#include <cstdint>

#include "phyxel/core/exec.h"
#include "phyxel/neighbours/periodic_box.h"

namespace phyxel {

/// Cubic cells counted from the world's origin; along a periodic axis a whole number of cells,
/// stretched a little, fills the box.
struct CellGrid {
  Vec3d origin;        // m
  Vec3d inverse_edge;  // 1/m
  Int3 count;          // cells along a periodic axis, 0 along an open one
};
CellGrid make_cell_grid(Real cell, const PeriodicBox& box);

/// Cell of a wrapped position. Cells that differ by 2 or more along an axis are at least one edge
/// apart; coordinates stay within +-2^30 for any finite position.
Int3 cell_of(const CellGrid& grid, const Vec3& x);

/// Memory of cell_order, kept between calls.
struct CellSort {
  Column<Int3> cell;  // of each particle
  Column<std::uint64_t> keys;
  SortScratch sort;
};

/// order[k] = particle that comes k-th when cells of edge `cell` are walked in row-major order
/// (x fastest, z slowest); particles of one cell come by index. A non-finite position is an Error.
void cell_order(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                CellSort& scratch, Column<Index>& order);

}  // namespace phyxel
