#include "phyxel/methods/pbd/constraint.h"

#include <doctest/doctest.h>

#include "methods/pbd/slopes.h"
#include "phyxel/methods/pbd/constraints/distance.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;

TEST_CASE("the gradients of a distance are the slopes of its value") {
  check_gradients<Distance>({Vec3d{0.3, -0.2, 0.7}, Vec3d{-0.4, 0.1, 0.2}}, {0.5});
}

TEST_CASE("a rigid projection puts a distance right and keeps momentum and spin") {
  const Vec<double, 1> rest = {0.5};
  const double w[2] = {1 / 2.0, 1 / 3.0};
  Vec3d x[2] = {{0.3, -0.2, 0.7}, {-0.4, 0.1, 0.2}};
  const Vec3d before[2] = {x[0], x[1]};
  double lambda = 0;
  project<Distance>(rest, w, 0.0, lambda, x);
  // A distance is linear along its own direction: one projection ends at the rest length.
  CHECK(length(x[0] - x[1]) == doctest::Approx(0.5).epsilon(1e-14));
  const Vec3d p0 = (x[0] - before[0]) / w[0], p1 = (x[1] - before[1]) / w[1];
  CHECK(length(p0 + p1) < 1e-15);
  CHECK(length(cross(before[0], p0) + cross(before[1], p1)) < 1e-15);
}

TEST_CASE("a projection with compliance ends where the spring of that compliance balances") {
  // One particle on a fixed one: m (x - predicted) / h^2 + (|x| - rest) / compliance = 0.
  const double compliance = 2e-4, h = 0.01, mass = 3;
  const double w[2] = {1 / mass, 0};
  for (const int sweeps : {1, 10}) {
    Vec3d x[2] = {{1.3, 0, 0}, {0, 0, 0}};
    double lambda = 0;
    for (int k = 0; k < sweeps; ++k)
      project<Distance>({1.0}, w, compliance / (h * h), lambda, x);
    const double force = mass * (x[0][0] - 1.3) / (h * h);
    CHECK(force == doctest::Approx(-(x[0][0] - 1) / compliance).epsilon(1e-12));
    CHECK(lambda / (h * h) == doctest::Approx(force).epsilon(1e-12));
  }
}

TEST_CASE("what nothing can move stays, and points in one place have finite corrections") {
  const double fixed[2] = {0, 0}, free[2] = {1, 1};
  Vec3d x[2] = {{1, 0, 0}, {0, 0, 0}};
  double lambda = 0;
  project<Distance>({0.5}, fixed, 0.0, lambda, x);
  CHECK(x[0] == Vec3d{1, 0, 0});
  CHECK(lambda == 0);
  Vec3d same[2] = {{1, 0, 0}, {1, 0, 0}};
  project<Distance>({0.5}, free, 0.0, lambda, same);
  for (const Vec3d& p : same) CHECK(std::isfinite(length(p)));
}

TEST_CASE("damping slows the approach to the rest length and a rigid motion has none") {
  const double w[2] = {1, 1};
  const Give<double> give{0, 4};
  const Vec3d start[2] = {{1.2, 0, 0}, {0, 0, 0}};
  Vec3d x[2] = {{1.2, 0, 0}, {0, 0, 0}};
  double lambda = 0;
  project<Distance>({1.0}, w, give, start, lambda, x);
  CHECK(length(x[0] - x[1]) == doctest::Approx(1.2 - 0.2 / 5).epsilon(1e-12));
  Vec3d moved[2] = {{1.0, 3, 0}, {0, 3, 0}};
  const Vec3d from[2] = {{1, 0, 0}, {0, 0, 0}};
  lambda = 0;
  project<Distance>({1.0}, w, give, from, lambda, moved);
  CHECK(length(moved[0] - Vec3d{1, 3, 0}) < 1e-15);
}

TEST_CASE("n sweeps with their share of a stiffness leave what one with all of it leaves") {
  const double w[2] = {1, 0};
  for (const int sweeps : {1, 3, 20}) {
    Vec3d x[2] = {{1.5, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < sweeps; ++k)
      project_share<Distance>({1.0}, w, double(share_of_sweep(Real(0.3), sweeps)), x);
    // 0.3 and the root are those of Real.
    CHECK(x[0][0] == doctest::Approx(1 + 0.5 * 0.7).epsilon(1e-6));
  }
}
