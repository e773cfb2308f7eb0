#include "phyxel/surfaces/scatter.h"

#include <algorithm>
#include <cmath>

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;

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
  void look_up(Real place, Real* row) const {
    const Real at = (place + reach_) * bins;
    const Index e = std::clamp(static_cast<Index>(at), Index{0}, entries_ - 2);
    const Real part = at - static_cast<Real>(e);
    const Real *const low = value_.data() + e * E, *const high = low + E;
    for (Index k = 0; k < E; ++k) row[k] = low[k] + part * (high[k] - low[k]);
  }

 private:
  static constexpr Index bins = 256;  // for each cell
  Real reach_;
  Index entries_;
  Column<Real> value_;
};

/// Nodes of a block, along one axis, that a point reaches.
struct NodeRange {
  Index first, last;  // last is not included
};
NodeRange nodes_within(Real place, Real reach) {
  return {std::max(Index{0}, static_cast<Index>(std::ceil(place - reach))),
          std::min(E, static_cast<Index>(std::floor(place + reach)) + 1)};
}

/// A point as a block sees it: in cells from its first node.
struct LocalPoint {
  Real place[3];
};

void add_bell(const BellTable& table, Real peak, Real reach, const LocalPoint& p, Real* sum) {
  const NodeRange y = nodes_within(p.place[1], reach), z = nodes_within(p.place[2], reach);
  alignas(32) Real bx[E], by[E], bz[E];
  table.look_up(p.place[0], bx);
  table.look_up(p.place[1], by);
  table.look_up(p.place[2], bz);
  for (Index k = z.first; k < z.last; ++k)
    for (Index j = y.first; j < y.last; ++j) {
      const Real factor = peak * by[j] * bz[k];
      Real* const row = sum + (k * E + j) * E;
      for (Index i = 0; i < E; ++i) row[i] += factor * bx[i];
    }
}

/// Weights (1 - r^2)^3, with r in supports, into the first of `sums`, and where there are four, the
/// weighted differences of the nodes from the point into the others.
template <int sums>
void add_kernel(Real reach, const LocalPoint& p, Real* sum) {
  const NodeRange y = nodes_within(p.place[1], reach), z = nodes_within(p.place[2], reach);
  const Real over_reach2 = 1 / (reach * reach);
  alignas(32) Real dx[E], rest[E];
  for (Index i = 0; i < E; ++i) {
    dx[i] = static_cast<Real>(i) - p.place[0];
    rest[i] = 1 - dx[i] * dx[i] * over_reach2;
  }
  for (Index k = z.first; k < z.last; ++k)
    for (Index j = y.first; j < y.last; ++j) {
      const Real dy = static_cast<Real>(j) - p.place[1], dz = static_cast<Real>(k) - p.place[2];
      const Real taken = (dy * dy + dz * dz) * over_reach2;
      if (taken >= 1) continue;
      Real* const row = sum + (k * E + j) * E;
      for (Index i = 0; i < E; ++i) {
        const Real t = std::max(rest[i] - taken, Real(0)), w = t * t * t;
        row[i] += w;
        if constexpr (sums == 4) {
          row[i + SparseField::nodes] += w * dx[i];
          row[i + 2 * SparseField::nodes] += w * dy;
          row[i + 3 * SparseField::nodes] += w * dz;
        }
      }
    }
}

/// visit(place) for the points within reach of a block.
template <class Visit>
void visit_points(const PointField& field, const Int3& block, Real cell, const Visit& visit) {
  const CellTableView t = field.cells.view();
  Int3 low, high;
  double origin[3];
  for (int k = 0; k < 3; ++k) {
    origin[k] = double(block[k]) * E * cell;
    low[k] = static_cast<Index>(std::floor((origin[k] - field.support) / field.support));
    high[k] = static_cast<Index>(
        std::floor((origin[k] + (E - 1) * double(cell) + field.support) / field.support));
  }
  const double over_cell = 1 / double(cell);
  const Real reach = field.support / cell;
  for (Index z = low[2]; z <= high[2]; ++z)
    for (Index y = low[1]; y <= high[1]; ++y) {
      const Index row = find_row(t, y, z);
      if (row < 0) continue;
      Index cursor = first_cell(t, row, low[0]);
      const PlaceRange places = find_places(t, row, low[0], high[0], cursor);
      for (Index k = places.first; k < places.last; ++k) {
        const LocalPoint p{{static_cast<Real>((field.x[k] - origin[0]) * over_cell),
                            static_cast<Real>((field.y[k] - origin[1]) * over_cell),
                            static_cast<Real>((field.z[k] - origin[2]) * over_cell)}};
        bool near = true;
        for (const Real at : p.place) near &= at > -reach && at < E - 1 + reach;
        if (near) visit(p);
      }
    }
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
    visit_points(field, grid.block[b], grid.cell, [&](const LocalPoint& p) {
      if (kind == FieldKind::blobs)
        add_bell(table, field.peak, reach, p, sums);
      else if (kind == FieldKind::sph)
        add_kernel<1>(reach, p, sums);
      else
        add_kernel<4>(reach, p, sums);
    });
    Real* const value = grid.value.data() + static_cast<std::size_t>(b) * N;
    for (Index i = 0; i < N; ++i) {
      Real moment = 0;
      if (kind == FieldKind::zhu_bridson)
        moment = grid.cell * std::sqrt(sums[i + N] * sums[i + N] + sums[i + 2 * N] * sums[i + 2 * N] +
                                       sums[i + 3 * N] * sums[i + 3 * N]);
      const Real weight = kind == FieldKind::sph ? field.peak * sums[i] : sums[i];
      value[i] = value_from_sums(field, scale, weight, moment);
    }
  });
}

}  // namespace phyxel
