#include "phyxel/neighbours/cell_sort.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

constexpr double linear_cells = 1 << 29;

/// Cells of equal width up to +-2^29; beyond, widths grow with the distance, 2^18 cells to each
/// doubling, so that 31 bits hold every finite number. Monotone, and cells only become wider.
Index far_cell(double q) {
  constexpr int dropped_bits = 52 - 18;
  const auto ordinal = [](double a) { return std::bit_cast<std::int64_t>(a) >> dropped_bits; };
  const auto beyond =
      ordinal(std::min(std::abs(q), std::numeric_limits<double>::max())) - ordinal(linear_cells);
  const Index cell = static_cast<Index>(linear_cells) + static_cast<Index>(beyond);
  return q < 0 ? -cell : cell;
}

struct CellRange {
  Int3 min = Int3::filled(std::numeric_limits<Index>::max());
  Int3 max = Int3::filled(std::numeric_limits<Index>::min());
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite position
};

CellRange combined(const CellRange& a, const CellRange& b) {
  return {min(a.min, b.min), max(a.max, b.max), std::min(a.first_bad, b.first_bad)};
}

[[noreturn]] void refuse_non_finite(const Column<Vec3>& x, Index i) {
  throw Error(
      fmt::format("neighbours.cells: particle {} has the non-finite position ({}, {}, {}); a step "
                  "was too large "
                  "or a force blew up: lower time.max_dt or soften the material",
                  i, x[i][0], x[i][1], x[i][2]));
}

CellRange find_cells(const Exec& exec, const Column<Vec3>& x, const CellGrid& grid,
                     const PeriodicBox& box, Column<Int3>& cell) {
  const auto cell_range = [&](Index i) {
    if (!is_finite(x[i])) return CellRange{.first_bad = i};
    cell[i] = cell_of(grid, wrap(box, x[i]));
    return CellRange{.min = cell[i], .max = cell[i]};
  };
  const CellRange range = reduce(exec, "neighbours.cells", static_cast<Index>(x.size()),
                                 CellRange{}, cell_range, combined);
  if (range.first_bad < std::numeric_limits<Index>::max()) refuse_non_finite(x, range.first_bad);
  return range;
}

/// Cell coordinates of the axes `first` to `last` in one key, the last axis highest.
struct KeyPacking {
  Int3 min;
  int bits[3];

  std::uint64_t key(const Int3& cell, int first, int last) const {
    std::uint64_t k = 0;
    for (int axis = last; axis >= first; --axis)
      k = (k << bits[axis]) | static_cast<std::uint64_t>(cell[axis] - min[axis]);
    return k;
  }
};

KeyPacking packing_of(const CellRange& range) {
  KeyPacking p{range.min, {}};
  for (int axis = 0; axis < 3; ++axis)
    p.bits[axis] = std::bit_width(static_cast<std::uint32_t>(range.max[axis]) -
                                  static_cast<std::uint32_t>(range.min[axis]));
  return p;
}

void sort_by_axes(const Exec& exec, const KeyPacking& packing, int first, int last, CellSort& s,
                  Column<Index>& order) {
  s.keys.resize(order.size());
  for_each(exec, "neighbours.keys", static_cast<Index>(order.size()),
           [&](Index i) { s.keys[i] = packing.key(s.cell[i], first, last); });
  sort_by_key(exec, "neighbours.sort", s.keys, order, s.sort);
}

}  // namespace

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

Int3 cell_of(const CellGrid& grid, const Vec3& x) {
  Int3 cell;
  for (int k = 0; k < 3; ++k) {
    // In double: a float would lose whole cells far from the origin.
    const double q = std::floor((x[k] - grid.origin[k]) * grid.inverse_edge[k]);
    if (grid.count[k] > 0)
      cell[k] = static_cast<Index>(std::clamp(q, 0.0, grid.count[k] - 1.0));
    else
      cell[k] = std::abs(q) < linear_cells ? static_cast<Index>(q) : far_cell(q);
  }
  return cell;
}

void cell_order(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                CellSort& scratch, Column<Index>& order) {
  const auto n = static_cast<Index>(x.size());
  scratch.cell.resize(n);
  order.resize(n);
  if (n == 0) return;
  const CellRange range = find_cells(exec, x, make_cell_grid(cell, box), box, scratch.cell);
  const KeyPacking packing = packing_of(range);
  for_each(exec, "neighbours.order", n, [&](Index i) { order[i] = i; });
  if (packing.bits[0] + packing.bits[1] + packing.bits[2] <= 64) {
    sort_by_axes(exec, packing, 0, 2, scratch, order);
  } else {
    sort_by_axes(exec, packing, 0, 0, scratch, order);
    sort_by_axes(exec, packing, 1, 2, scratch, order);
  }
}

}  // namespace phyxel
