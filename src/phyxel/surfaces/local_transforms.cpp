#include "phyxel/surfaces/local_transforms.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/eigen_symmetric.h"
#include "phyxel/core/error.h"
#include "phyxel/surfaces/field.h"

namespace phyxel {

namespace {

/// An eigenvalue below this part of the largest is that of a direction without neighbours: they
/// spread less than a tenth as far in it.
constexpr Real least_spread = Real(0.01);

Real weight_at(Real squared, Real radius) {
  const Real t = 1 - squared / (radius * radius);
  return t * t * t;
}

void find_neighbours(const Exec& exec, RestShape& rest) {
  const IndexedCells indexed = index_cells(exec, rest.x, rest.radius);
  const auto n = static_cast<Index>(rest.x.size());
  const Real limit = rest.radius * rest.radius;
  const auto visit_neighbours = [&](Index i, const auto& visit) {
    visit_runs(indexed, rest.x[i], rest.radius, 1, [&](Index first, Index last) {
      for (Index k = first; k < last; ++k) {
        const Index j = indexed.cells.order[k];
        if (j != i && length_squared(rest.x[j] - rest.x[i]) < limit) visit(j);
      }
    });
  };
  rest.start.assign(n + 1, 0);
  for_each(exec, "skin.count", n,
           [&](Index i) { visit_neighbours(i, [&](Index) { ++rest.start[i]; }); });
  rest.neighbour.resize(scan(exec, "skin.start", rest.start));
  for_each(exec, "skin.neighbours", n, [&](Index i) {
    Index at = rest.start[i];
    visit_neighbours(i, [&](Index j) { rest.neighbour[at++] = j; });
  });
}

/// sum w (x_j - x_i) (X_j - X_i)^T over the neighbours of a particle.
Mat3 moment(const RestShape& rest, const Column<Vec3>& x, Index i) {
  Mat3 sum = Mat3::zero();
  for (Index k = rest.start[i]; k < rest.start[i + 1]; ++k) {
    const Index j = rest.neighbour[k];
    const Vec3 before = rest.x[j] - rest.x[i];
    sum += outer((x[j] - x[i]) * weight_at(length_squared(before), rest.radius), before);
  }
  return sum;
}

void invert_moment(RestShape& rest, Index i) {
  const EigenSymmetric<Real> e = eigen_symmetric(moment(rest, rest.x, i));
  rest.directions[i] = transpose(e.vectors);
  rest.inverse[i] = Mat3::zero();
  rest.rank[i] = 0;
  for (int k = 0; k < 3; ++k) {
    if (!(e.values[k] > least_spread * e.values[0])) break;
    const Vec3 along = rest.directions[i][k];
    rest.inverse[i] += outer(along, along) * (1 / e.values[k]);
    ++rest.rank[i];
  }
}

/// The shortest turn of unit vector a to unit vector b.
Mat3 shortest_turn(const Vec3& a, const Vec3& b) {
  const Vec3 axis = cross(a, b);
  const Real c = dot(a, b);
  if (c > Real(-0.9999)) {
    const Mat3 k = {{{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}}};
    return Mat3::identity() + k + k * k * (1 / (1 + c));
  }
  // Half a turn about any axis across.
  const Vec3 other = std::abs(a[0]) < Real(0.6) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 across = normalized(cross(a, other));
  return outer(across, across) * Real(2) - Mat3::identity();
}

/// Adds what the neighbours do not tell: the image of the normal of a sheet is a normal of the
/// sheet now, and across a thread it turns along.
Mat3 completed(const Mat3& known, const Mat3& directions, int rank) {
  if (rank >= 3) return known;
  const Vec3 first = known * directions[0], second = known * directions[1];
  if (rank == 2)
    if (const Vec3 normal = cross(first, second); length_squared(normal) > 0)
      return known + outer(normalized(normal), directions[2]);
  if (rank == 0 || !(length_squared(first) > 0)) return Mat3::identity();
  const Mat3 along = outer(directions[0], directions[0]);
  const Mat3 turn = shortest_turn(directions[0], normalized(first));
  return known * along + turn * (Mat3::identity() - along);
}

}  // namespace

RestShape make_rest_shape(const Exec& exec, const Column<Vec3>& rest_positions, Real radius) {
  RestShape rest;
  rest.x = rest_positions;
  rest.radius = radius > 0 ? radius : Real(2.5) * measured_spacing(exec, rest.x);
  if (rest.radius == 0) rest.radius = 1;  // one particle, or all in one place: any will do
  rest.inverse.resize(rest.x.size());
  rest.directions.resize(rest.x.size());
  rest.rank.resize(rest.x.size());
  find_neighbours(exec, rest);
  for_each(exec, "skin.moments", static_cast<Index>(rest.x.size()),
           [&](Index i) { invert_moment(rest, i); });
  return rest;
}

void estimate_transforms(const Exec& exec, const RestShape& rest, const Column<Vec3>& positions,
                         Column<Mat3>& transforms) {
  if (positions.size() != rest.x.size())
    throw Error(fmt::format("estimate_transforms: {} positions for {} particles at rest",
                            positions.size(), rest.x.size()));
  transforms.resize(positions.size());
  for_each(exec, "skin.transforms", static_cast<Index>(positions.size()), [&](Index i) {
    const Mat3 known = moment(rest, positions, i) * rest.inverse[i];
    transforms[i] = completed(known, rest.directions[i], rest.rank[i]);
  });
}

}  // namespace phyxel
