#pragma once

#include <algorithm>

#include "phyxel/core/exec.h"
#include "phyxel/geometry/sampling.h"

namespace phyxel {

/// Rows of points along x, stacked along y and z about a centre; every other row may be shifted by
/// half a step.
struct Lattice {
  Vec3 centre;
  Vec3 step;               // along a row, between rows, between layers, m
  Int3 count;              // points of an unshifted row, rows of a layer, layers
  bool staggered = false;  // counts are odd then

  Index rows() const { return count[1] * count[2]; }
};

struct LatticeRow {
  Vec3 middle;
  Real first;  // place of the first point along x, in steps from the middle
  Real step;
  Index count;
};

inline LatticeRow row(const Lattice& l, Index r) {
  const Index j = r % l.count[1], k = r / l.count[1];
  const bool shifted = l.staggered && ((j - l.count[1] / 2 + k - l.count[2] / 2) & 1) != 0;
  const Index count = l.count[0] + (shifted ? 1 : 0);
  const Real y = j - (l.count[1] - 1) * Real(0.5), z = k - (l.count[2] - 1) * Real(0.5);
  return {l.centre + scaled({0, y, z}, l.step), (count - 1) * Real(-0.5), l.step[0], count};
}
inline Vec3 point(const LatticeRow& row, Index i) {
  return row.middle + Vec3{(row.first + i) * row.step, 0, 0};
}

/// What is known about everything within reach of a point.
enum class Where { inside, unsure };

/// visit(i, point, where) for the points of a row that are not known to lie outside. `reach` is the
/// distance around a point that matters; the solid is where the distance is below `offset`. As no
/// distance changes faster than the place it is taken at, one distance settles all points within
/// it.
template <class Visit>
void walk(const Shape& shape, const LatticeRow& row, Real reach, Real offset, Visit&& visit) {
  for (Index i = 0; i < row.count;) {
    const Real d = signed_distance(shape, point(row, i)).distance - offset;
    const Real clear = std::abs(d) * Real(0.9999) - reach;
    if (clear < 0) {
      visit(i, point(row, i), Where::unsure);
      ++i;
      continue;
    }
    const Real run = std::min(clear / row.step, Real(1e9));
    const Index end = std::min(row.count, i + 1 + static_cast<Index>(run));
    if (d < 0)
      for (; i < end; ++i) visit(i, point(row, i), Where::inside);
    i = end;
  }
}

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& pieces) {
  std::vector<std::size_t> start;
  std::size_t total = 0;
  for (const auto& piece : pieces) {
    start.push_back(total);
    total += piece.size();
  }
  std::vector<T> all(total);
  for_each_coarse(Exec{}, "geometry.join_samples", static_cast<Index>(pieces.size()), [&](Index k) {
    std::copy(pieces[k].begin(), pieces[k].end(), all.begin() + start[k]);
  });
  return all;
}

/// What add(found, id, point, where) adds for the points of a lattice not known to lie outside, in
/// the order of the lattice. `id` names the point.
template <class T, class Add>
std::vector<T> collect(const Shape& shape, const Lattice& lattice, Real reach, Real offset,
                       Add&& add) {
  constexpr Index rows_per_piece = 16;
  const Index rows = lattice.rows(), pieces = (rows + rows_per_piece - 1) / rows_per_piece;
  std::vector<std::vector<T>> found(pieces);
  for_each_coarse(Exec{}, "geometry.walk_lattice", pieces, [&](Index piece) {
    const Index last = std::min(rows, (piece + 1) * rows_per_piece);
    for (Index r = piece * rows_per_piece; r < last; ++r)
      walk(shape, row(lattice, r), reach, offset, [&](Index i, const Vec3& p, Where where) {
        add(found[piece], std::uint64_t(r) << 32 | std::uint32_t(i), p, where);
      });
  });
  return joined(found);
}

/// Lattice of a packing that fills `bounds`; throws InputError where it would be absurdly large.
Lattice lattice_of(Packing packing, const Bounds& bounds, Real spacing, int dimensions);

/// Distance below which a point of a lattice counts as inside: those on the surface itself do not,
/// whichever way rounding takes them.
inline Real lattice_offset(Real spacing) {
  return Real(-1e-3) * spacing;
}

/// Bounds of a shape to be sampled; throws InputError for an unbounded one or a bad spacing.
Bounds checked_bounds(const Shape& shape, Real spacing, int dimensions);

/// More points than a packing can have in the bounds.
double count_in_bounds(const Bounds& bounds, Packing packing, Real spacing, int dimensions);

std::vector<Vec3> sample_poisson(const Shape& shape, const Bounds& bounds, Real spacing,
                                 std::uint32_t seed, int dimensions);

}  // namespace phyxel
