#include <doctest/doctest.h>
#include <random>

#include "phyxel/methods/pbd/contact/advance.h"

using namespace phyxel;
using namespace phyxel::pbd;

namespace {

using Corners = Vec<Real, 3>[4];
constexpr PairKind kinds[] = {PairKind::vertex_triangle, PairKind::edge_edge};

struct Randoms {
  std::mt19937 engine{7};
  Real operator()(Real low, Real high) {
    return std::uniform_real_distribution<Real>(low, high)(engine);
  }
  Vec3 vector(Real size) {
    return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
  }
};

/// Corners anywhere in a cube of 1 m, some of them in a row (slivers, parallel edges).
void choose(Randoms& random, int trial, Corners& x) {
  for (Vec3& corner : x) corner = random.vector(1);
  if (trial % 4 == 1) x[3] = x[1] + (x[2] - x[1]) * random(-1, 2) + random.vector(Real(1e-4));
  if (trial % 4 == 2) x[3] = x[2] + (x[1] - x[0]) * random(-2, 2) + random.vector(Real(1e-4));
  if (trial % 4 == 3) x[2] = x[1];
}

/// Distance by trying a grid of points on both elements, to within `coarse` of the true one.
double distance_by_trial(PairKind kind, const Vec<double, 3> (&x)[4]) {
  constexpr int n = 60;
  double best = 1e30;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double s = double(i) / n, t = double(j) / n;
      if (kind == PairKind::vertex_triangle) {
        if (i + j > n) continue;
        best = std::min(best, length(x[0] - (x[1] + (x[2] - x[1]) * s + (x[3] - x[1]) * t)));
      } else {
        best = std::min(best, length(x[0] + (x[1] - x[0]) * s - (x[2] + (x[3] - x[2]) * t)));
      }
    }
  return best;
}

double exact_distance(PairKind kind, const Corners& x, const Corners& move, double part) {
  Vec<double, 3> at[4];
  for (int k = 0; k < 4; ++k) at[k] = cast<double>(x[k]) + cast<double>(move[k]) * part;
  return std::sqrt(nearest(kind, at).squared);
}

}  // namespace

TEST_CASE("nearest_points_are_points_of_both_elements_and_no_others_are_nearer") {
  Randoms random;
  for (const PairKind kind : kinds)
    for (int trial = 0; trial < 400; ++trial) {
      Corners x;
      choose(random, trial, x);
      const Nearest<Real> at = nearest(kind, x);
      Vec3 difference = Vec3::zero();
      Real first = 0, second = 0;
      for (int k = 0; k < 4; ++k) {
        difference += x[k] * at.part[k];
        const bool is_first = k < (kind == PairKind::vertex_triangle ? 1 : 2);
        (is_first ? first : second) += at.part[k];
        CHECK((is_first ? at.part[k] : -at.part[k]) >= Real(-1e-6));
      }
      CHECK(first == doctest::Approx(1).epsilon(1e-5));
      CHECK(second == doctest::Approx(-1).epsilon(1e-5));
      // Corners of up to 2 m, in float: 1e-6.
      CHECK(length(difference - at.difference) < Real(4e-6));
      Vec<double, 3> exact[4];
      for (int k = 0; k < 4; ++k) exact[k] = cast<double>(x[k]);
      const double by_trial = distance_by_trial(kind, exact);
      // Points of the grid are at most 4 m / 60 apart; what rounding adds in nearly parallel cases
      // is explained at edge_edge.
      CHECK(std::sqrt(double(at.squared)) < by_trial + 1e-3);
      CHECK(std::sqrt(double(at.squared)) > by_trial - 0.08);
    }
}

TEST_CASE("elements_keep_the_gap_on_all_of_the_free_part_of_their_paths") {
  Randoms random;
  int met = 0, close = 0, free = 0;
  for (const PairKind kind : kinds)
    for (int trial = 0; trial < 3000; ++trial) {
      Corners x, move;
      choose(random, trial, x);
      const Real speed = trial % 3 == 0 ? Real(3) : Real(0.3), gap = Real(0.01);
      for (Vec3& m : move) m = random.vector(speed);
      const double before = exact_distance(kind, x, move, 0);
      if (before <= 1.01 * double(gap)) continue;
      const Real part = free_part(kind, x, move, gap);
      double least = 1e30, after = 1e30;
      for (int k = 0; k <= 400; ++k) {
        const double at = k / 400.0;
        (at <= double(part) ? least : after) =
            std::min(at <= double(part) ? least : after, exact_distance(kind, x, move, at));
      }
      CHECK(least > 0.999 * double(gap));
      if (part == 1) {
        ++free;
        continue;
      }
      ++met;
      // It stops within a twentieth of the first distance, unless the path grazes the gap for long.
      close += exact_distance(kind, x, move, double(part)) - double(gap) < 0.06 * before;
    }
  CHECK(met > 100);
  CHECK(close > 0.98 * met);
  CHECK(free > 100);
}

TEST_CASE("a_vertex_that_passes_a_triangle_in_one_step_is_stopped_on_its_side") {
  const Corners x = {{Real(0.2), 1, Real(0.2)}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  const Corners move = {{0, -100, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  const Real part = free_part(PairKind::vertex_triangle, x, move, Real(0.001));
  CHECK(part < Real(0.01));
  CHECK(part > Real(0.009));
}

TEST_CASE("motion_of_both_together_meets_nothing") {
  const Corners x = {{Real(0.2), Real(0.01), Real(0.2)}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  const Corners move = {{8, -100, 3}, {8, -100, 3}, {8, -100, 3}, {8, -100, 3}};
  CHECK(free_part(PairKind::vertex_triangle, x, move, Real(0.009)) == 1);
}
