#include "phyxel/surfaces/scatter.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/core/row8.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;

/// Points within reach of a block, in cells from its first node.
struct LocalPoints {
  Column<Real> x, y, z;
  Index count = 0;

  void make_room(Index more) {
    const auto needed = static_cast<std::size_t>(count + more + lanes);
    if (x.size() >= needed) return;
    for (Column<Real>* column : {&x, &y, &z}) column->resize(2 * needed);
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
        store_two_rows(load_two_rows(two) + bz[k] * slice[j], two);
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
NodeRange nodes_within(Real place, Real reach) {
  return {std::max(Index{0}, static_cast<Index>(std::ceil(place - reach))),
          std::min(E, static_cast<Index>(std::floor(place + reach)) + 1)};
}

/// Weights (1 - r^2)^3, with r in supports, into the first of `sums`, and where there are four, the
/// weighted differences of the nodes from the point into the others.
template <int sums>
void add_kernel(Real reach, const Vec3& p, Real* sum) {
  const NodeRange y = nodes_within(p[1], reach), z = nodes_within(p[2], reach);
  const Real over_reach2 = 1 / (reach * reach);
  const Row8 dx = Row8{0, 1, 2, 3, 4, 5, 6, 7} - p[0], none = {};
  const Row8 rest = 1 - dx * dx * over_reach2;
  const auto add = [](const Row8& term, Real* row) { store_row(load_row(row) + term, row); };
  for (Index k = z.first; k < z.last; ++k)
    for (Index j = y.first; j < y.last; ++j) {
      const Real dy = static_cast<Real>(j) - p[1], dz = static_cast<Real>(k) - p[2];
      const Row8 from_centre = rest - (dy * dy + dz * dz) * over_reach2;
      const Row8 t = from_centre > none ? from_centre : none, w = t * t * t;
      Real* const row = sum + (k * E + j) * E;
      add(w, row);
      if constexpr (sums == 4) {
        add(w * dx, row + SparseField::nodes);
        add(w * dy, row + 2 * SparseField::nodes);
        add(w * dz, row + 3 * SparseField::nodes);
      }
    }
}

template <int sums>
void add_kernels(Real reach, const LocalPoints& points, Real* sum) {
  for (Index n = 0; n < points.count; ++n)
    add_kernel<sums>(reach, {points.x[n], points.y[n], points.z[n]}, sum);
}

}  // namespace

void scatter_points(const Exec& exec, const PointField& field, SparseField& grid) {
  const FieldKind kind = field.options.kind;
  const Real reach = field.support / grid.cell;
  const BellTable table(field, kind == FieldKind::blobs ? grid.cell : field.support);
  const ValueScale scale = value_scale(field);
  grid.outside = value_from_sums(field, scale, 0, 0);
  for_each_coarse(exec, "surface.field", grid.blocks(), [&](Index b) {
    constexpr Index N = SparseField::nodes;
    alignas(64) Real sums[4 * N];
    std::fill(sums, sums + (kind == FieldKind::zhu_bridson ? 4 * N : N), Real(0));
    thread_local LocalPoints points;
    find_points(field, grid.block[b], grid.cell, points);
    if (kind == FieldKind::blobs)
      add_all_bells(table, field.peak, reach, points, sums);
    else if (kind == FieldKind::sph)
      add_kernels<1>(reach, points, sums);
    else
      add_kernels<4>(reach, points, sums);
    Real* const value = grid.value.data() + static_cast<std::size_t>(b) * N;
    for (Index i = 0; i < N; ++i) {
      Real moment = 0;
      if (kind == FieldKind::zhu_bridson)
        moment =
            grid.cell * std::sqrt(sums[i + N] * sums[i + N] + sums[i + 2 * N] * sums[i + 2 * N] +
                                  sums[i + 3 * N] * sums[i + 3 * N]);
      const Real weight = kind == FieldKind::sph ? field.peak * sums[i] : sums[i];
      value[i] = value_from_sums(field, scale, weight, moment);
    }
  });
}

}  // namespace phyxel
