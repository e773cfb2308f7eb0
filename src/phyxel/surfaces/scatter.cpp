#include <algorithm>
#include <cmath>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/row8.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;

/// Points within reach of a block, in cells from its first node.
struct LocalPoints {
  Column<Real> x, y, z;
  Column<Real> shape[6], height, reach_y, reach_z;  // of anisotropic
  Index count = 0;

  void make_room(Index more) {
    const auto needed = static_cast<std::size_t>(count + more + lanes);
    if (x.size() >= needed) return;
    for (Column<Real>* column : {&x, &y, &z, &height, &reach_y, &reach_z})
      column->resize(2 * needed);
    for (Column<Real>& column : shape) column.resize(2 * needed);
  }
};

/// Appends those of the points at `places` that are within `reach` (in cells) of the block.
void add_points(const PointField& field, const PlaceRange& places, const double* origin, Real cell,
                Real reach, LocalPoints& found) {
  found.make_room(places.last - places.first);
  const Pack over_cell(1 / cell), low(-reach), high(SparseField::edge - 1 + reach);
  const Pack from[3] = {Pack(static_cast<Real>(origin[0])), Pack(static_cast<Real>(origin[1])),
                        Pack(static_cast<Real>(origin[2]))};
  for (Index k = places.first; k < places.last; k += lanes) {
    const Pack x = (Pack::load_unaligned(field.x.data() + k) - from[0]) * over_cell;
    const Pack y = (Pack::load_unaligned(field.y.data() + k) - from[1]) * over_cell;
    const Pack z = (Pack::load_unaligned(field.z.data() + k) - from[2]) * over_cell;
    const auto near = (x > low) & (x < high) & (y > low) & (y < high) & (z > low) & (z < high);
    const Index left = places.last - k;
    const std::uint32_t bits = bits_of(near) & (left < lanes ? (1u << left) - 1 : ~0u);
    compress(x, bits, found.x.data() + found.count);
    compress(y, bits, found.y.data() + found.count);
    found.count += compress(z, bits, found.z.data() + found.count);
  }
}

/// The same for stretched kernels, each with a reach of its own along each axis: that of the
/// ellipsoid d^T S d = 1 along x is the root of the first entry of the inverse of S.
void add_stretched_points(const PointField& field, const PlaceRange& places, const double* origin,
                          Real cell, LocalPoints& found) {
  found.make_room(places.last - places.first);
  const Pack over_cell(1 / cell), cell2(cell * cell), zero(Real(0)), end(SparseField::edge - 1);
  for (Index k = places.first; k < places.last; k += lanes) {
    const auto local = [&](const Column<Real>& column, int axis) {
      return (Pack::load_unaligned(column.data() + k) - Pack(static_cast<Real>(origin[axis]))) *
             over_cell;
    };
    const Pack at[3] = {local(field.x, 0), local(field.y, 1), local(field.z, 2)};
    Pack s[6], reach[3];
    for (int c = 0; c < 6; ++c) s[c] = Pack::load_unaligned(field.shape[c].data() + k) * cell2;
    const Pack minor[3] = {s[1] * s[2] - s[4] * s[4], s[2] * s[0] - s[5] * s[5],
                           s[0] * s[1] - s[3] * s[3]};
    const Pack over_determinant =
        Pack(Real(1)) /
        (s[0] * minor[0] + s[3] * (s[4] * s[5] - s[3] * s[2]) + s[5] * (s[3] * s[4] - s[1] * s[5]));
    auto near = Pack::batch_bool_type(true);
    for (int c = 0; c < 3; ++c) {
      reach[c] = sqrt(minor[c] * over_determinant);
      near = near & (at[c] > zero - reach[c]) & (at[c] < end + reach[c]);
    }
    const Index left = places.last - k;
    const std::uint32_t bits = bits_of(near) & (left < lanes ? (1u << left) - 1 : ~0u);
    const auto keep = [&](const Pack& numbers, Column<Real>& column) {
      return compress(numbers, bits, column.data() + found.count);
    };
    keep(at[0], found.x), keep(at[1], found.y), keep(at[2], found.z);
    for (int c = 0; c < 6; ++c) keep(s[c], found.shape[c]);
    keep(reach[1], found.reach_y), keep(reach[2], found.reach_z);
    found.count += keep(Pack::load_unaligned(field.height.data() + k), found.height);
  }
}

void find_points(const PointField& field, const Int3& block, Real cell, LocalPoints& found) {
  const CellTableView t = field.cells.view();
  Int3 low, high;
  double origin[3];
  for (int k = 0; k < 3; ++k) {
    origin[k] = double(block[k]) * E * cell;
    const double end = origin[k] + (E - 1) * double(cell);
    low[k] = static_cast<Index>(std::floor((origin[k] - field.support) / field.cells.edge));
    high[k] = static_cast<Index>(std::floor((end + field.support) / field.cells.edge));
  }
  found.count = 0;
  for (Index z = low[2]; z <= high[2]; ++z)
    for (Index y = low[1]; y <= high[1]; ++y) {
      const Index row = find_row(t, y, z);
      if (row < 0) continue;
      Index cursor = first_cell(t, row, low[0]);
      const PlaceRange places = find_places(t, row, low[0], high[0], cursor);
      if (field.options.kind == FieldKind::anisotropic)
        add_stretched_points(field, places, origin, cell, found);
      else
        add_points(field, places, origin, cell, field.support / cell, found);
    }
}

/// The bell of one axis at the eight nodes of a block, for places of the point relative to the
/// block: exp(-a (dx^2 + dy^2 + dz^2)) is the product of three of them, and no exponential is left
/// in the loop. Between two entries it is interpolated: an error of a h^2 / (4 bins^2), about 1e-5.
class BellTable {
 public:
  BellTable(const PointField& field, Real cell)
      : reach_(std::ceil(field.support / cell)), entries_(bins * (E + 2 * Index(reach_)) + 2) {
    value_.resize(static_cast<std::size_t>(entries_) * E);
    for (Index e = 0; e < entries_; ++e)
      for (Index k = 0; k < E; ++k) {
        const double d = (double(e) / bins - reach_ - k) * cell;
        value_[e * E + k] = std::abs(d) < field.support
                                ? static_cast<Real>(std::exp(-double(field.bell) * d * d))
                                : Real(0);
      }
  }

  /// `place`: of the point, in cells from the block's first node; within the reach of the block.
  PHYXEL_INLINE Row8 look_up(Real place) const {
    const Real at = (place + reach_) * bins;
    const auto e = static_cast<Index>(at);
    const Real part = at - static_cast<Real>(e);
    const Row8 low = load_row(value_.data() + e * E), high = load_row(value_.data() + (e + 1) * E);
    return low + part * (high - low);
  }

 private:
  static constexpr Index bins = 256;  // for each cell
  Real reach_;
  Index entries_;
  Column<Real> value_;
};

/// The first of `rows` rows of nodes, along one axis, that hold all a point reaches.
template <Index rows>
PHYXEL_INLINE Index first_row(Real place, Real reach) {
  return std::clamp(static_cast<Index>(std::ceil(place - reach)), Index{0}, E - rows);
}

/// Adds bells that reach at most `rows` nodes along an axis. As many rows for each point: loops of
/// varying length would cost more than the rows.
template <Index rows>
void add_bells(const BellTable& table, Real peak, Real reach, const LocalPoints& points,
               Real* sum) {
  for (Index n = 0; n < points.count; ++n) {
    const Row8 bx = table.look_up(points.x[n]);
    alignas(64) Real by[E], bz[E];
    store_row(table.look_up(points.y[n]), by);
    store_row(peak * table.look_up(points.z[n]), bz);
    const Index y = first_row<rows>(points.y[n], reach), z = first_row<rows>(points.z[n], reach);
    TwoRows8 slice[rows / 2];
    for (Index j = 0; j < rows / 2; ++j)
      slice[j] = joined(by[y + 2 * j] * bx, by[y + 2 * j + 1] * bx);
    for (Index k = z; k < z + rows; ++k)
      for (Index j = 0; j < rows / 2; ++j) {
        Real* const two = sum + (k * E + y + 2 * j) * E;
        store_loose(load_loose<TwoRows8>(two) + bz[k] * slice[j], two);
      }
  }
}

void add_all_bells(const BellTable& table, Real peak, Real reach, const LocalPoints& points,
                   Real* sum) {
  if (reach < 2) return add_bells<4>(table, peak, reach, points, sum);
  if (reach < 3) return add_bells<6>(table, peak, reach, points, sum);
  add_bells<E>(table, peak, reach, points, sum);
}

/// Nodes of a block, along one axis, that a point reaches.
struct NodeRange {
  Index first, last;  // last is not included
};
PHYXEL_INLINE NodeRange nodes_within(Real place, Real reach) {
  return {std::max(Index{0}, static_cast<Index>(std::ceil(place - reach))),
          std::min(E, static_cast<Index>(std::floor(place + reach)) + 1)};
}
/// The same in whole pairs.
PHYXEL_INLINE NodeRange pairs_within(Real place, Real reach) {
  const NodeRange nodes = nodes_within(place, reach);
  const Index count = (nodes.last - nodes.first + 1) & ~1, first = std::min(nodes.first, E - count);
  return {first, first + count};
}

/// Distances along x and y of the nodes of two rows from a point.
PHYXEL_INLINE TwoRows8 along_x(Real x) {
  return TwoRows8{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7} - x;
}
PHYXEL_INLINE TwoRows8 along_y(Index row, Real y) {
  const auto first = static_cast<Real>(row);
  return TwoRows8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1} + (first - y);
}
PHYXEL_INLINE TwoRows8 at_least_zero(const TwoRows8& t) {
  const TwoRows8 none = {};
  return t > none ? t : none;
}
PHYXEL_INLINE void add_to(const TwoRows8& term, Real* rows) {
  store_loose(load_loose<TwoRows8>(rows) + term, rows);
}

/// Adds weights (1 - r^2)^3, with r in supports, to `rows` rows along each axis.
template <Index rows>
void add_weights(Real reach, const LocalPoints& points, Real* sum) {
  const Real over_reach2 = 1 / (reach * reach);
  for (Index n = 0; n < points.count; ++n) {
    const Real py = points.y[n], pz = points.z[n];
    const Index y = first_row<rows>(py, reach), z = first_row<rows>(pz, reach);
    const TwoRows8 dx = along_x(points.x[n]), rest = 1 - dx * dx * over_reach2;
    for (Index j = y; j < y + rows; j += 2) {
      const TwoRows8 dy = along_y(j, py), rest_y = rest - dy * dy * over_reach2;
      for (Index k = z; k < z + rows; ++k) {
        const Real dz = static_cast<Real>(k) - pz;
        const TwoRows8 t = at_least_zero(rest_y - dz * dz * over_reach2);
        add_to(t * t * t, sum + (k * E + j) * E);
      }
    }
  }
}

void add_all_weights(Real reach, const LocalPoints& points, Real* sum) {
  // Nothing is left of a kernel at its end, so that four rows hold one of a reach of 2.
  if (reach <= 2) return add_weights<4>(reach, points, sum);
  if (reach <= 3) return add_weights<6>(reach, points, sum);
  add_weights<E>(reach, points, sum);
}

/// Adds the same weights, and weighted differences of the nodes from the point: four rows for each
/// row of nodes, one behind the other. So much is stored that rows beyond the reach would cost more
/// than loops of varying length.
PHYXEL_INLINE void add_moments(Real reach, const Vec3& p, Real* sum) {
  const NodeRange y = nodes_within(p[1], reach), z = nodes_within(p[2], reach);
  const Real over_reach2 = 1 / (reach * reach);
  const Row8 dx = Row8{0, 1, 2, 3, 4, 5, 6, 7} - p[0], none = {};
  const Row8 rest = 1 - dx * dx * over_reach2;
  const auto add = [](const Row8& term, Real* row) { store_row(load_row(row) + term, row); };
  for (Index k = z.first; k < z.last; ++k)
    for (Index j = y.first; j < y.last; ++j) {
      const Real dy = static_cast<Real>(j) - p[1], dz = static_cast<Real>(k) - p[2];
      const Row8 left = rest - (dy * dy + dz * dz) * over_reach2;
      const Row8 t = left > none ? left : none, w = t * t * t;
      Real* const four = sum + (k * E + j) * 4 * E;
      add(w, four);
      add(w * dx, four + E);
      add(w * dy, four + 2 * E);
      add(w * dz, four + 3 * E);
    }
}

void add_all_moments(Real reach, const LocalPoints& points, Real* sum) {
  for (Index n = 0; n < points.count; ++n)
    add_moments(reach, {points.x[n], points.y[n], points.z[n]}, sum);
}

/// Adds height (1 - q)^3, q = d^T S d, which along a row is a parabola.
PHYXEL_INLINE void add_stretched(const LocalPoints& points, Index n, Real* sum) {
  const Real y = points.y[n], z = points.z[n], height = points.height[n];
  Real s[6];
  for (int c = 0; c < 6; ++c) s[c] = points.shape[c][n];
  const NodeRange rows = pairs_within(y, points.reach_y[n]);
  const NodeRange slices = nodes_within(z, points.reach_z[n]);
  const TwoRows8 dx = along_x(points.x[n]);
  const TwoRows8 rest = 1 - s[0] * dx * dx, slope_y = -2 * s[3] * dx, slope_z = -2 * s[5] * dx;
  for (Index j = rows.first; j < rows.last; j += 2) {
    const TwoRows8 dy = along_y(j, y);
    const TwoRows8 rest_y = rest + dy * (slope_y - s[1] * dy), all_z = slope_z - 2 * s[4] * dy;
    for (Index k = slices.first; k < slices.last; ++k) {
      const Real dz = static_cast<Real>(k) - z;
      const TwoRows8 t = at_least_zero(rest_y + dz * (all_z - s[2] * dz));
      add_to(t * t * (height * t), sum + (k * E + j) * E);
    }
  }
}

void add_all_stretched(const LocalPoints& points, Real* sum) {
  for (Index n = 0; n < points.count; ++n) add_stretched(points, n, sum);
}

constexpr Index N = SparseField::nodes;

void values_from_weights(const PointField& field, Real factor, const Real* sum, Real* value) {
  const ValueScale scale = value_scale(field);
  for (Index i = 0; i < N; ++i) value[i] = scale.value(factor * sum[i]);
}

void values_from_moments(const PointField& field, Real cell, const Real* sum, Real* value) {
  for (Index row = 0; row < N; row += E)
    for (Index i = 0; i < E; ++i) {
      const Real* const four = sum + 4 * row + i;
      const Real moment2 =
          four[E] * four[E] + four[2 * E] * four[2 * E] + four[3 * E] * four[3 * E];
      value[row + i] = value_from_moment(field, four[0], cell * std::sqrt(moment2));
    }
}

}  // namespace

void scatter_points(const Exec& exec, const PointField& field, SparseField& grid) {
  const FieldKind kind = field.options.kind;
  const Real reach = field.support / grid.cell;
  const BellTable table(field, kind == FieldKind::blobs ? grid.cell : field.support);
  grid.outside = value_from_sums(field, 0, 0);
  for_each_coarse(exec, "surface.field", grid.blocks(), [&](Index b) {
    alignas(64) Real sums[4 * N];
    std::fill(sums, sums + (kind == FieldKind::zhu_bridson ? 4 * N : N), Real(0));
    thread_local LocalPoints points;
    find_points(field, grid.block[b], grid.cell, points);
    Real* const value = grid.value.data() + static_cast<std::size_t>(b) * N;
    switch (kind) {
      case FieldKind::blobs:
        add_all_bells(table, field.peak, reach, points, sums);
        return values_from_weights(field, 1, sums, value);
      case FieldKind::sph:
        add_all_weights(reach, points, sums);
        return values_from_weights(field, field.peak, sums, value);
      case FieldKind::anisotropic:
        add_all_stretched(points, sums);
        return values_from_weights(field, 1, sums, value);
      case FieldKind::zhu_bridson:
        add_all_moments(reach, points, sums);
        return values_from_moments(field, grid.cell, sums, value);
    }
  });
}

}  // namespace phyxel
