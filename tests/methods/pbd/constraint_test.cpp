#include "phyxel/methods/pbd/constraint.h"

#include <doctest/doctest.h>

#include "methods/pbd/slopes.h"
#include "phyxel/methods/pbd/constraints/bending.h"
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
    for (int k = 0; k < sweeps; ++k) project<Distance>({1.0}, w, compliance / (h * h), lambda, x);
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

TEST_CASE("the gradients of a bending angle are its slopes, and keep momentum and spin") {
  const Points<Bending> folds[] = {
      {Vec3d{-1, 0.3, 0.4}, Vec3d{0.8, -0.1, 0.2}, Vec3d{0, -0.5, 0.1}, Vec3d{0.1, 0.7, -0.2}},
      {Vec3d{-1, 0.2, 0}, Vec3d{1, 0.1, 0}, Vec3d{0, 0, 0}, Vec3d{0, 1, 0}},
      {Vec3d{0.9, 0.2, 0.5}, Vec3d{1, 0.1, -0.4}, Vec3d{0, 0, 0}, Vec3d{0, 1, 0}}};
  for (const Points<Bending>& fold : folds)
    for (const double rest : {0.0, 0.3}) {
      check_gradients<Bending>(fold, {rest}, 10);
      check_balance<Bending>(fold, {rest}, 10);
    }
}

TEST_CASE("a bending angle is that between the normals, with the sign of the side") {
  const double angle = 0.7;
  for (const double sign : {1.0, -1.0}) {
    const Points<Bending> fold = {Vec3d{-1, 0.5, 0},
                                  Vec3d{std::cos(angle), 0.5, sign * std::sin(angle)},
                                  Vec3d{0, 0, 0}, Vec3d{0, 1, 0}};
    const double found = slope_at<Bending>(fold, {0.0}).value;
    CHECK(std::abs(found) == doctest::Approx(angle).epsilon(1e-12));
    CHECK(slope_at<Bending>(fold, {found}).value == doctest::Approx(0));
    Points<Bending> other = fold;
    other[1][2] = -other[1][2];
    CHECK(slope_at<Bending>(other, {0.0}).value == doctest::Approx(-found).epsilon(1e-12));
  }
}

TEST_CASE("a fold through the angle pi goes on on the other side") {
  // A rest angle of 3 and an angle of -3 are 0.28 apart, not 6.
  const Points<Bending> fold = {Vec3d{std::cos(3.0 - M_PI), 0.5, std::sin(3.0 - M_PI)},
                                Vec3d{-1, 0.5, 0}, Vec3d{0, 0, 0}, Vec3d{0, 1, 0}};
  const double angle = slope_at<Bending>(fold, {0.0}).value;
  CHECK(std::abs(angle) < M_PI);
  const double rest = angle > 0 ? angle - 2 * M_PI + 0.5 : angle + 2 * M_PI - 0.5;
  CHECK(std::abs(slope_at<Bending>(fold, {rest}).value) == doctest::Approx(0.5).epsilon(1e-9));
}
