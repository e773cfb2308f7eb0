#pragma once

#include <bit>
#include <cstdint>
#include <limits>

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

constexpr double linear_cells = 1 << 29;

/// Cells of equal width up to +-2^29; beyond, widths grow with the distance, 2^18 cells to each
/// doubling, so that 31 bits hold every finite number. Monotone, and cells only become wider.
PHYXEL_FN Index far_cell(double q) {
  constexpr int dropped_bits = 52 - 18;
  constexpr double largest = std::numeric_limits<double>::max();
  const double distance = min(abs(q), largest);
  const std::int64_t beyond = (std::bit_cast<std::int64_t>(distance) >> dropped_bits) -
                              (std::bit_cast<std::int64_t>(linear_cells) >> dropped_bits);
  const Index cell = static_cast<Index>(linear_cells) + static_cast<Index>(beyond);
  return q < 0 ? -cell : cell;
}

/// Cell of a wrapped position. Cells that differ by 2 or more along an axis are at least one edge
/// apart; coordinates stay within +-2^30 for any finite position.
PHYXEL_FN Int3 cell_of(const CellGrid& grid, const Vec3& x) {
  Int3 cell;
  for (int k = 0; k < 3; ++k) {
    // In double: a float would lose whole cells far from the origin.
    const double q = std::floor((x[k] - grid.origin[k]) * grid.inverse_edge[k]);
    if (grid.count[k] > 0)
      cell[k] = static_cast<Index>(min(max(q, 0.0), grid.count[k] - 1.0));
    else
      cell[k] = abs(q) < linear_cells ? static_cast<Index>(q) : far_cell(q);
  }
  return cell;
}

inline namespace PHYXEL_BACKEND {

/// Memory of cell_order, kept between calls.
struct CellSort {
  Column<std::uint64_t> keys;
  SortScratch sort;
};

/// order[k] = particle that comes k-th when cells of edge `cell` are walked in row-major order
/// (x fastest, z slowest); particles of one cell come by index. cells[k] = the cell of that
/// particle. A non-finite position is an Error.
void cell_order(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                CellSort& scratch, Column<Index>& order, Column<Int3>& cells);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
