#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/kinds.h"
#include "methods/pbd/pbd_scenes.h"
#include "phyxel/methods/pbd/constraints/shape_match.h"
#include "phyxel/methods/pbd/constraints/spin.h"
#include "phyxel/methods/pbd/dither.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;

namespace {

constexpr std::array<Vec3d, 5> shape = {Vec3d{0.5, 0.1, 0}, Vec3d{-0.4, 0.3, 0.2},
                                        Vec3d{0.1, -0.6, 0.3}, Vec3d{0.2, 0.2, -0.7},
                                        Vec3d{-0.3, 0.4, 0.6}};
double mass_of(std::size_t k) {
  return 1 + 0.5 * double(k);
}

/// A shape about its centre of mass, with its sums.
struct Body {
  std::array<Vec3d, 5> q;
  double mass = 0, square = 0;

  Body() : q(shape) {
    Vec3d centre = Vec3d::zero();
    for (std::size_t k = 0; k < q.size(); ++k) centre += q[k] * mass_of(k), mass += mass_of(k);
    for (Vec3d& at : q) at -= centre / mass;
    for (std::size_t k = 0; k < q.size(); ++k) square += mass_of(k) * length_squared(q[k]);
  }
  ShapeFit fit(const std::array<Vec3d, 5>& p) const {
    ShapeSums sums;
    for (std::size_t k = 0; k < p.size(); ++k)
      sums = sums + shape_term(mass_of(k), p[k] - p[0], q[k]);
    return fit_shape(sums, mass, square);
  }
};

std::array<Vec3d, 5> strained(std::array<Vec3d, 5> x) {
  for (Vec3d& p : x) p = {1.2 * p[0] + 0.1 * p[1] * p[1], 0.9 * p[1] - 0.2 * p[2], p[2] + 0.3};
  return x;
}

std::string block(const std::string& keys) {
  return fmt::format(R"(schema = 1
fps = 100
[world]
gravity = [0, 0, 0]
[material.jelly]
method = "pbd"
density = 1000.0
elements = "network"
youngs_modulus = 1.0e-3
{}
[body.block]
material = "jelly"
shape = {{ type = "box", size = [0.5, 0.4, 0.3] }}
packing = "cubic"
spacing = 0.1
)",
                     keys);
}

/// Length of the body along x over that at rest.
double stretch_of(World& world, const std::vector<Vec3d>& rest) {
  const std::vector<Vec3d> now = places(world);
  double a = 0, b = 0;
  for (std::size_t i = 0; i < now.size(); ++i)
    a += now[i][0] * rest[i][0], b += rest[i][0] * rest[i][0];
  return a / b;
}

}  // namespace

TEST_CASE("a_shape_fits_itself_wherever_it_is") {
  const Body body;
  const auto moved = moved_rigidly(body.q);
  const ShapeFit fit = body.fit(moved);
  // A difference of squares of 10: the root of their rounding.
  CHECK(fit.value < 1e-7);
  for (std::size_t k = 0; k < moved.size(); ++k)
    CHECK(length(fit.centre + fit.rotation * body.q[k] - (moved[k] - moved[0])) < 1e-12);
}

TEST_CASE("the_gradients_of_a_shape_are_its_slopes_and_keep_momentum_and_spin") {
  const Body body;
  const auto p = strained(moved_rigidly(body.q));
  const ShapeFit fit = body.fit(p);
  Vec3d sum = Vec3d::zero(), moment = Vec3d::zero();
  double weight = 0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Vec3d away = p[k] - p[0] - fit.centre - fit.rotation * body.q[k];
    const Vec3d gradient = away * (mass_of(k) / fit.value);
    sum += gradient;
    moment += cross(p[k], gradient);
    weight += length_squared(gradient) / mass_of(k);
    for (int c = 0; c < 3; ++c) {
      auto ahead = p, behind = p;
      ahead[k][c] += 1e-5;
      behind[k][c] -= 1e-5;
      const double slope = (body.fit(ahead).value - body.fit(behind).value) / 2e-5;
      CHECK(std::abs(slope - gradient[c]) < 1e-7);
    }
  }
  CHECK(length(sum) < 1e-12);
  CHECK(length(moment) < 1e-12);
  CHECK(weight == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("a_stretched_shape_swings_with_its_frequency_whatever_the_sweeps") {
  for (const int iterations : {1, 3}) {
    CAPTURE(iterations);
    // A tenth of a swing is 5 frames of 0.01 s.
    World world = world_of(
        block(fmt::format("shape_frequency = 2.0\nsubsteps = 200\niterations = {}", iterations)));
    const std::vector<Vec3d> rest = places(world);
    for (Vec3& x : method_of(world).particles().x) x[0] *= Real(1.05);
    double zero = 0, before = 0.05;
    for (int frame = 1; frame <= 50 && zero == 0; ++frame) {
      advance(world);
      const double now = stretch_of(world, rest) - 1;
      if (now < 0) zero = 0.01 * (frame - 1 + before / (before - now));
      before = now;
    }
    CHECK(zero == doctest::Approx(0.25 / 2.0).epsilon(0.01));
  }
}

TEST_CASE("bodies_with_a_shape_fly_and_turn_with_both_momenta_and_come_back_to_it") {
  World world = world_of(block("shape_frequency = 20.0\ndamping = 1e-2"));
  HostParticles& p = method_of(world).particles();
  const std::vector<Vec3d> rest = places(world);
  for (Index i = 0; i < p.size(); ++i) {
    const Vec3 x = p.x[i];
    p.v[i] = cross(Vec3{1, 2, 3}, x) + Vec3{1, 0, 0};
    p.x[i] = {x[0] * Real(1.4), x[1] * Real(-0.3), x[2]};
  }
  const Diagnostics before = look(world);
  for (int frame = 0; frame < 100; ++frame) advance(world);
  const Diagnostics after = look(world);
  const double rounding = std::numeric_limits<Real>::epsilon() * 720 * std::sqrt(720.0);
  CHECK(length(after.momentum - before.momentum) < rounding * before.mass);
  CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * before.mass);
  double energy = -1;
  for (const auto& [name, value] : before.extra)
    if (name == "shape_energy") energy = value;
  CHECK(energy > 0);
  for (const auto& [name, value] : after.extra)
    if (name == "shape_energy") CHECK(value < 0.05 * energy);
  // It was inside out.
  const std::vector<Vec3d> now = places(world);
  CHECK(length(now.back() - now.front()) ==
        doctest::Approx(length(rest.back() - rest.front())).epsilon(0.05));
}

TEST_CASE("plain_shape_matching_moves_by_a_share") {
  CHECK(shape_change({Mat3d::identity(), Vec3d::zero(), 2}, 0, {100, 0.25}, 0.01) == -0.5);
  const double change = shape_change({Mat3d::identity(), Vec3d::zero(), 2}, 0, {100}, 0.1);
  CHECK(change == doctest::Approx(-1));
  // A second sweep finds nothing to do: C has halved, and lambda k h^2 is it.
  CHECK(shape_change({Mat3d::identity(), Vec3d::zero(), 1}, change, {100}, 0.1) ==
        doctest::Approx(0));
}

TEST_CASE("dithered_sums_are_right_on_average_and_whole_where_nothing_is_added") {
  const float ulp = std::numeric_limits<float>::epsilon() / 2;  // from 1/2 to 1
  for (const float x : {0.51f, 0.7f, 0.99f, -0.8f}) {
    CHECK(std::abs(next_distance(x)) == ulp);
    for (const float share : {0.0f, 0.1f, 0.4f, 0.5f, 1.3f, -0.2f}) {
      CAPTURE(x);
      CAPTURE(share);
      double sum = 0;
      constexpr int n = 4096;
      for (int k = 0; k < n; ++k) {
        const auto i = scrambled(static_cast<std::uint32_t>(k));
        const float random = static_cast<float>(fraction_of(i));
        sum += double(dithered_sum(x, share * ulp, random)) - double(x);
      }
      // Fractions end a thousandth short of a half; equally distributed ones are right to 1 / n.
      CHECK(std::abs(sum / n / double(ulp) - double(share)) < 2e-3);
      if (share == 0) CHECK(sum == 0);
    }
  }
  // Below a power of 2 floats are nearer to each other than above it.
  for (const float random : {-0.4995f, 0.4995f}) CHECK(dithered_sum(0.5f, 0.0f, random) == 0.5f);
}

TEST_CASE("the_turn_of_a_piece_gives_back_what_was_taken_of_its_spin") {
  const Vec3d taken = {0.3, -0.7, 0.2};
  for (const bool straight : {false, true}) {
    SpinSums sums;
    std::array<Vec3d, 5> p = shape;
    if (straight)
      for (std::size_t k = 0; k < p.size(); ++k) p[k] = Vec3d{1, 2, -1} * double(k);
    for (std::size_t k = 0; k < p.size(); ++k)
      sums = sums + spin_term(mass_of(k), p[k], p[k], Vec3d::zero());
    const Vec3d axis = normalized(Vec3d{1, 2, -1});
    sums.taken = straight ? taken - axis * dot(axis, taken) : taken;
    const Turn turn = turn_of(sums);
    Vec3d given = Vec3d::zero(), momentum = Vec3d::zero();
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Vec3d v = cross(turn.rate, p[k] - turn.centre);
      given += cross(p[k], v) * mass_of(k);
      momentum += v * mass_of(k);
    }
    // What is added for straight bodies is missing, times the ratio of their squares to the
    // inertia.
    CHECK(length(given + sums.taken) < 20 * least_inertia);
    CHECK(length(momentum) < 1e-12);
  }
}
