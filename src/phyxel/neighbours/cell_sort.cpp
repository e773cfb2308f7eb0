#include "phyxel/neighbours/cell_sort.h"

#include <algorithm>
#include <cmath>

#include "phyxel/neighbours/search_errors.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// The box around all positions, and the first that is not finite.
struct Extent {
  Vec3 min = Vec3::filled(std::numeric_limits<Real>::max());
  Vec3 max = Vec3::filled(std::numeric_limits<Real>::lowest());
  Index first_bad = std::numeric_limits<Index>::max();
};

struct Combined {
  PHYXEL_FN Extent operator()(const Extent& a, const Extent& b) const {
    return {min(a.min, b.min), max(a.max, b.max), min(a.first_bad, b.first_bad)};
  }
};

Extent extent_of(const Exec& exec, const Column<Vec3>& positions, const PeriodicBox& box) {
  const Vec3* const x = positions.data();
  const Extent extent = reduce(
      exec, "neighbours.extent", static_cast<Index>(positions.size()), Extent{},
      PHYXEL_LAMBDA(Index i) {
        Extent e;
        if (is_finite(x[i]))
          e.min = e.max = wrap(box, x[i]);
        else
          e.first_bad = i;
        return e;
      },
      Combined{});
  if (extent.first_bad < std::numeric_limits<Index>::max())
    refuse_non_finite(extent.first_bad, element(positions, extent.first_bad));
  return extent;
}

/// Cell coordinates of the axes `first` to `last` in one key, the last axis highest.
struct KeyPacking {
  Int3 min;
  Int3 bits;
  int first, last;

  int total_bits() const {
    int sum = 0;
    for (int axis = first; axis <= last; ++axis) sum += bits[axis];
    return sum;
  }
  PHYXEL_FN std::uint64_t key(const Int3& cell) const {
    std::uint64_t k = 0;
    for (int axis = last; axis >= first; --axis)
      k = (k << bits[axis]) | static_cast<std::uint64_t>(cell[axis] - min[axis]);
    return k;
  }
  /// The cell of a key that holds all axes.
  PHYXEL_FN Int3 cell(std::uint64_t k) const {
    Int3 c;
    for (int axis = 0; axis < 3; ++axis) {
      c[axis] = min[axis] + static_cast<Index>(k & ((std::uint64_t{1} << bits[axis]) - 1));
      k >>= bits[axis];
    }
    return c;
  }
};

/// Cells are monotone in each coordinate: those of the extent bound those of all positions.
KeyPacking packing_of(const CellGrid& grid, const Extent& extent) {
  const Int3 low = cell_of(grid, extent.min), high = cell_of(grid, extent.max);
  KeyPacking p{low, {}, 0, 2};
  for (int axis = 0; axis < 3; ++axis)
    p.bits[axis] = std::bit_width(static_cast<std::uint32_t>(high[axis]) -
                                  static_cast<std::uint32_t>(low[axis]));
  return p;
}

void sort_by_key(const Exec& exec, const Column<Vec3>& positions, const CellGrid& grid,
                 const PeriodicBox& box, const KeyPacking& packing, CellSort& s,
                 Column<Index>& order) {
  const auto n = static_cast<Index>(order.size());
  s.keys.resize(n);
  const Vec3* const x = positions.data();
  const Index* const at = order.data();
  std::uint64_t* const keys = s.keys.data();
  for_each(
      exec, "neighbours.keys", n,
      PHYXEL_LAMBDA(Index k) { keys[k] = packing.key(cell_of(grid, wrap(box, x[at[k]]))); });
  sort_pairs(exec, "neighbours.sort", s.keys, order, packing.total_bits(), s.sort);
}

}  // namespace

void cell_order(const Exec& exec, const Column<Vec3>& positions, Real edge, const PeriodicBox& box,
                CellSort& scratch, Column<Index>& order, Column<Int3>& cells) {
  const auto n = static_cast<Index>(positions.size());
  order.resize(n);
  cells.resize(n);
  if (n == 0) return;
  const CellGrid grid = make_cell_grid(edge, box);
  KeyPacking packing = packing_of(grid, extent_of(exec, positions, box));
  Index* const start = order.data();
  for_each(
      exec, "neighbours.order", n, PHYXEL_LAMBDA(Index i) { start[i] = i; });
  if (packing.total_bits() > 64) {  // by x first, by (y, z) then: the sort is stable
    packing.last = 0;
    sort_by_key(exec, positions, grid, box, packing, scratch, order);
    packing.first = 1, packing.last = 2;
  }
  sort_by_key(exec, positions, grid, box, packing, scratch, order);
  const Vec3* const x = positions.data();
  const Index* const at = order.data();
  const std::uint64_t* const keys = scratch.keys.data();
  const bool in_key = packing.first == 0;
  Int3* const cell = cells.data();
  for_each(
      exec, "neighbours.cells", n, PHYXEL_LAMBDA(Index k) {
        cell[k] = in_key ? packing.cell(keys[k]) : cell_of(grid, wrap(box, x[at[k]]));
      });
}

}  // namespace PHYXEL_BACKEND

#ifndef __CUDACC__
CellGrid make_cell_grid(Real cell, const PeriodicBox& box) {
  CellGrid grid{Vec3d::zero(), Vec3d::filled(1.0 / cell), Int3::zero()};
  for (int k = 0; k < 3; ++k) {
    if (!box.periodic[k]) continue;
    const double size = box.size[k];
    const double count = std::clamp(std::floor(size / cell), 1.0, linear_cells);
    grid.origin[k] = box.min[k];
    grid.inverse_edge[k] = count / size;
    grid.count[k] = static_cast<Index>(count);
  }
  return grid;
}
#endif

}  // namespace phyxel
