#include <cmath>
#include <doctest/doctest.h>

#include "methods/force_fields/field_scenes.h"
#include "phyxel/core/error.h"
#include "phyxel/matter/force_fields/field_types.h"

using namespace phyxel;

TEST_CASE("the_pull_of_an_attractor_is_the_slope_of_its_potential") {
  for (const double falloff : {-1.0, 0.0, 1.0, 2.0, 3.0}) {
    CAPTURE(falloff);
    AttractorParameters p;
    p.point = {0.1, -0.2, 0.3};
    p.strength = 3;
    p.radius = 2;
    p.falloff = static_cast<Real>(falloff);
    p.softening = Real(0.2);
    const Vec3 x{1, Real(0.5), Real(-0.7)};
    const Vec3 a = effect_of(p, {x, 0}).acceleration;
    for (int k = 0; k < 3; ++k) {
      Vec3 high = x, low = x;
      // A step near the cube root of rounding, where differences of floats are best.
      high[k] += Real(0.01), low[k] -= Real(0.01);
      const double step = double(high[k]) - double(low[k]);
      const double slope = (potential_of(p, high) - potential_of(p, low)) / step;
      CHECK(a[k] == doctest::Approx(-slope).epsilon(1e-3));
    }
  }
}

TEST_CASE("the_limit_of_an_attractor_holds_everywhere") {
  AttractorParameters p;
  p.limit = 5;
  for (const double r : {1e-6, 0.01, 0.5, 1.0, 1.5, 4.0}) {
    const double size = length(effect_of(p, {{Real(r), 0, 0}, 0}).acceleration);
    CHECK(size == doctest::Approx(std::min(5.0, 10 / (r * r))).epsilon(1e-5));
  }
  CHECK_FALSE(has_potential(p));
}

TEST_CASE("a_vortex_turns_counter_clockwise_and_falls_off_outside_of_its_core") {
  VortexParameters p;
  p.axis = {0, 0, 2};
  p.radius = 2;
  p.strength = 6;
  const auto push = [&](Real x) { return effect_of(p, {{x, 0, 5}, 0}).acceleration; };
  CHECK(push(1)[1] == doctest::Approx(3));
  CHECK(push(2)[1] == doctest::Approx(6));
  CHECK(push(4)[1] == doctest::Approx(3));
  CHECK(push(0) == Vec3::zero());
  CHECK(push(4)[0] == 0);
}

TEST_CASE("turbulence_has_its_speed_no_mean_and_no_divergence") {
  const Turbulence t = make_turbulence(2, Real(0.5), 1, 0.3, 7, false);
  Vec3d mean = Vec3d::zero();
  double square = 0;
  const int n = 20;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 v = velocity_of(t, Vec3{Real(i), Real(j), Real(k)} * Real(0.37));
        mean += cast<double>(v) / (n * n * n);
        square += double(length_squared(v)) / (n * n * n);
      }
  CHECK(std::sqrt(square) == doctest::Approx(2).epsilon(0.1));  // some 20 waves in a box of 7 m
  CHECK(length(mean) < 0.3);
  // Each wave is across its own direction, to rounding.
  for (int k = 0; k < t.count; ++k)
    CHECK(std::abs(dot(t.wave[k].wave, t.wave[k].along)) <
          1e-5 * length(t.wave[k].wave) * length(t.wave[k].along));
}

TEST_CASE("turbulence_is_a_function_of_place_time_and_seed") {
  const Vec3 x{Real(0.3), Real(-0.2), Real(0.1)};
  const auto at = [&](double time, std::uint32_t seed) {
    return velocity_of(make_turbulence(1, 1, 1, time, seed, false), x);
  };
  CHECK(at(0.5, 1) == at(0.5, 1));
  CHECK_FALSE(at(0.5, 1) == at(0.5, 2));
  CHECK_FALSE(at(0.5, 1) == at(0.9, 1));
  CHECK(length(at(0.5, 1) - at(0.5001, 1)) < 0.01);  // smooth in time
  CHECK(velocity_of(make_turbulence(1, 1, 1, 0, 1, true), x)[2] == 0);
}

TEST_CASE("drag_is_solved_exactly_over_a_step_of_any_length") {
  FieldSum sum;
  sum.rate = 5;
  sum.gain = Vec3{10, 0, 0};
  const Vec3 once = velocity_after(sum, {1, 2, 0}, 1);
  Vec3 parts{1, 2, 0};
  for (int k = 0; k < 10; ++k) parts = velocity_after(sum, parts, Real(0.1));
  CHECK(length(once - parts) < 1e-5);
  CHECK(once[1] == doctest::Approx(2 * std::exp(-5.0)).epsilon(1e-5));
  CHECK(velocity_after({}, {1, 2, 3}, 1) == Vec3{1, 2, 3});
}

namespace {

struct Fan {
  Vec3d point = Vec3d::zero();  // m; moves with the origin that positions are relative to
  Real thrust = 1;
};
void describe(Fields& field, Fan& f) {
  field("point", f.point, "m", any_number, "where it does nothing");
  field("thrust", f.thrust, "1/s^2", any_number, "upwards").changeable = true;
}
FieldEffect blow(const Fan& f, const FieldPoint& at) {
  FieldEffect e;
  e.acceleration = {0, f.thrust * (at.x[0] - Real(f.point[0])), 0};
  return e;
}

const bool added = [] {
  add_field_type(field_type<Fan, blow>("fan", "blows upwards, the more the farther along x"));
  return true;
}();

}  // namespace

TEST_CASE("a_program_adds_a_type_by_one_pure_function") {
  REQUIRE(added);
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World world =
        world_of(field_scene(method, one_particle("[2, 0, 0]", "[0, 0, 0]"),
                             "[field.f]\ntype = \"fan\"\nthrust = 3.0\n[[event]]\ntime = 0.1\nset "
                             "= { \"field.f.thrust\" = 0.0 }"));
    advance_to(world, 0.3);
    // Nodes of a grid are half a cell beside the particle at most, and on both sides of it.
    CHECK(particles_of(world).v[0][1] == doctest::Approx(6 * 0.1).epsilon(1e-3));
  }
  CHECK_THROWS_WITH_AS(add_field_type(field_type<Fan, blow>("late", "")),
                       doctest::Contains("in use already"), Error);
}
