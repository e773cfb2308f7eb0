#pragma once

#include "methods/pbd/slopes.h"
#include "phyxel/core/mat.h"
#include "phyxel/core/pack.h"
#include "phyxel/core/pack_shuffle.h"

// Checks of a kind of constraint in other numbers than double, and in motion.

namespace phyxel::pbd::test {

/// Slopes in Real and in each lane of a pack are those in double, to `tolerance` of `size`.
template <class Kind>
void check_numbers(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest,
                   double size = 1) {
  const double tolerance = (sizeof(Real) == 4 ? 2e-6 : 1e-13) * size;
  const Slope<double, Kind::points> exact = slope_at<Kind>(points, rest);
  Vec3 x[Kind::points];
  Vec3Pack packs[Kind::points];
  Vec<Pack, Kind::numbers> rest_packs;
  for (int k = 0; k < Kind::points; ++k) {
    x[k] = cast<Real>(points[k]);
    for (int c = 0; c < 3; ++c) packs[k][c] = Pack(x[k][c]);
  }
  for (int k = 0; k < Kind::numbers; ++k) rest_packs[k] = Pack(Real(rest[k]));
  const Slope<Real, Kind::points> real = Kind::slope(x, cast<Real>(rest));
  const Slope<Pack, Kind::points> pack = Kind::slope(packs, rest_packs);
  const auto check = [&](const Pack& lanes_of_pack, Real one, double of_exact) {
    CHECK(std::abs(double(one) - of_exact) < tolerance);
    for (Index l = 0; l < lanes; ++l)
      CHECK(std::abs(double(lanes_of_pack.get(std::size_t(l))) - of_exact) < tolerance);
  };
  check(pack.value, real.value, exact.value);
  for (int k = 0; k < Kind::points; ++k)
    for (int c = 0; c < 3; ++c)
      check(pack.gradient[k][c], real.gradient[k][c], exact.gradient[k][c]);
}

/// All that a kind has to pass at any points.
template <class Kind>
void check_kind(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest,
                double size = 1) {
  check_gradients<Kind>(points, rest, size);
  check_balance<Kind>(points, rest, size);
  check_numbers<Kind>(points, rest, size);
}

/// Points turned and moved as one.
template <std::size_t N>
std::array<Vec3d, N> moved_rigidly(std::array<Vec3d, N> points) {
  const Mat3d turn = rotation(normalized(Vec3d{1, -2, 0.5}), 2.1);
  for (Vec3d& x : points) x = turn * x + Vec3d{0.3, -0.7, 0.2};
  return points;
}

/// Points at rest, turned and moved, stay where they are.
template <class Kind>
void check_rest(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest) {
  const Points<Kind> moved = moved_rigidly(points);
  Vec3d x[Kind::points];
  double w[Kind::points], lambda = 0;
  for (int k = 0; k < Kind::points; ++k) {
    x[k] = moved[k];
    w[k] = 1.0 / (k + 1);
  }
  project<Kind>(rest, w, 0.0, lambda, x);
  for (int k = 0; k < Kind::points; ++k) CHECK(length(x[k] - moved[k]) < 1e-13);
}

/// Rigid projections from `points` close the constraint, and
/// keep momentum.
template <class Kind>
void check_projection(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest,
                      int sweeps = 6) {
  Vec3d x[Kind::points];
  double w[Kind::points], lambda = 0;
  for (int k = 0; k < Kind::points; ++k) {
    x[k] = points[k];
    w[k] = 1.0 / (k + 1);
  }
  const double open = Kind::slope(x, rest).value;
  CHECK(open != 0);
  for (int sweep = 0; sweep < sweeps; ++sweep) project<Kind>(rest, w, 0.0, lambda, x);
  CHECK(std::abs(Kind::slope(x, rest).value) < 1e-6 * std::abs(open));
  Vec3d momentum = Vec3d::zero();
  for (int k = 0; k < Kind::points; ++k) momentum += (x[k] - points[k]) / w[k];
  CHECK(length(momentum) < 1e-13);
}

}  // namespace phyxel::pbd::test
