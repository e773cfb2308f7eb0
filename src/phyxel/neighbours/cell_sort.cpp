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

PHYXEL_FN Extent extent_of(const Vec3& x, Index i, const PeriodicBox& box) {
  Extent e;
  if (is_finite(x))
    e.min = e.max = wrap(box, x);
  else
    e.first_bad = i;
  return e;
}

#ifdef __CUDACC__
Extent extent_of_all(const Exec& exec, const Vec3* x, Index n, const PeriodicBox& box) {
  return reduce(
      exec, "neighbours.extent", n, Extent{},
      PHYXEL_LAMBDA(Index i) { return extent_of(x[i], i, box); }, Combined{});
}
#else
/// Of particles [first, last), number by number: compilers make packs of such loops.
Extent extent_of_run(const Vec3* x, Index first, Index last) {
  constexpr Index block = 16, numbers = 3 * block;  // number l of a block is of axis l % 3
  Real low[numbers], high[numbers];
  Real bad[numbers] = {};  // sums of differences of a number and itself: zero if all are finite
  std::fill_n(low, numbers, Extent{}.min[0]);
  std::fill_n(high, numbers, Extent{}.max[0]);
  for (; first + block <= last; first += block) {
    const Real* const number = x[first].c;
    for (Index l = 0; l < numbers; ++l) {
      low[l] = min(low[l], number[l]);
      high[l] = max(high[l], number[l]);
      bad[l] += number[l] - number[l];
    }
  }
  Extent e;
  for (Index l = 0; l < numbers; ++l) {
    e.min[l % 3] = min(e.min[l % 3], low[l]);
    e.max[l % 3] = max(e.max[l % 3], high[l]);
    if (!(bad[l] == 0)) e.first_bad = 0;
  }
  for (; first < last; ++first) e = Combined{}(e, extent_of(x[first], first, {}));
  return e;
}

Extent extent_of_all(const Exec& exec, const Vec3* x, Index n, const PeriodicBox& box) {
  const auto one_by_one = [&] {
    return reduce(
        exec, "neighbours.extent", n, Extent{}, [=](Index i) { return extent_of(x[i], i, box); },
        Combined{});
  };
  if (any_periodic(box)) return one_by_one();
  const Extent extent = reduce_runs(
      exec, "neighbours.extent", n, 4096, Extent{},
      [=](Index first, Index last) { return extent_of_run(x, first, last); }, Combined{});
  return extent.first_bad < n ? one_by_one() : extent;
}
#endif

Extent extent_of(const Exec& exec, const Column<Vec3>& positions, const PeriodicBox& box) {
  const Extent extent =
      extent_of_all(exec, positions.data(), static_cast<Index>(positions.size()), box);
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

#ifndef __CUDACC__
constexpr Index run_of_keys = 64;

/// Keys of particles [first, last), a run of them at most; false where that needs more than cells
/// of equal width on open axes. Axis by axis: compilers make packs of such loops.
bool find_keys_of_run(const CellGrid& grid, const KeyPacking& packing, const Vec3* x, Index first,
                      Index last, std::uint64_t* keys) {
  Index cell[3][run_of_keys];
  double farthest = 0;
  const Index n = last - first;
  for (int axis = 0; axis < 3; ++axis) {
    const double origin = grid.origin[axis], inverse_edge = grid.inverse_edge[axis];
    const Index least = packing.min[axis];
    for (Index l = 0; l < n; ++l) {
      const double q = std::floor((x[first + l][axis] - origin) * inverse_edge);
      farthest = max(farthest, abs(q));
      cell[axis][l] = static_cast<Index>(max(-linear_cells, min(q, linear_cells))) - least;
    }
  }
  if (!(farthest < linear_cells)) return false;
  const int y_at = packing.bits[0], z_at = packing.bits[0] + packing.bits[1];
  for (Index l = 0; l < n; ++l)
    keys[first + l] = static_cast<std::uint64_t>(cell[0][l]) |
                      static_cast<std::uint64_t>(cell[1][l]) << y_at |
                      static_cast<std::uint64_t>(cell[2][l]) << z_at;
  return true;
}
#endif

/// Keys of all axes, of particles as they lie in memory.
void find_keys(const Exec& exec, const Column<Vec3>& positions, const CellGrid& grid,
               const PeriodicBox& box, const KeyPacking& packing, Column<std::uint64_t>& column) {
  const auto n = static_cast<Index>(positions.size());
  const Vec3* const x = positions.data();
  std::uint64_t* const keys = column.data();
  const auto find_key = PHYXEL_LAMBDA(Index i) {
    keys[i] = packing.key(cell_of(grid, wrap(box, x[i])));
  };
#ifdef __CUDACC__
  for_each(exec, "neighbours.keys", n, find_key);
#else
  const bool open = !any_periodic(box);
  for_runs(exec, "neighbours.keys", n, [=](Index begin, Index end) {
    for (Index first = begin; first < end; first += run_of_keys) {
      const Index last = std::min(first + run_of_keys, end);
      if (open && find_keys_of_run(grid, packing, x, first, last, keys)) continue;
      for (Index i = first; i < last; ++i) find_key(i);
    }
  });
#endif
}

/// Keys of some axes, of particles in `order`, and their sort.
void sort_by_key(const Exec& exec, const Column<Vec3>& positions, const CellGrid& grid,
                 const PeriodicBox& box, const KeyPacking& packing, CellSort& s,
                 Column<Index>& order) {
  const Vec3* const x = positions.data();
  const Index* const at = order.data();
  std::uint64_t* const keys = s.keys.data();
  for_each(
      exec, "neighbours.keys", static_cast<Index>(order.size()),
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
  scratch.keys.resize(n);
  if (packing.total_bits() > 64) {  // by x first, by (y, z) then: the sort is stable
    packing.last = 0;
    sort_by_key(exec, positions, grid, box, packing, scratch, order);
    packing.first = 1, packing.last = 2;
    sort_by_key(exec, positions, grid, box, packing, scratch, order);
  } else {
    find_keys(exec, positions, grid, box, packing, scratch.keys);
    sort_pairs(exec, "neighbours.sort", scratch.keys, order, packing.total_bits(), scratch.sort);
  }
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
