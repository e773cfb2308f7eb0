#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

/// A free drop, or whatever `more` makes of it.
std::string drop(const std::string& keys = "", const std::string& more = "",
                 const std::string& gravity = "[0, 0, 0]") {
  return fmt::format(R"(
fps = 50
[world]
gravity = {}
[material.m]
method = "sph"
density = 1000.0
sound_speed = 20.0
{}
[body.b]
material = "m"
shape = {{ type = "sphere", centre = [0, 0.3, 0], radius = 0.1 }}
spacing = 0.02
{}
)",
                     gravity, keys, more);
}

void stir(World& world) {
  HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i)
    p.v[i] += Random{3, 0}.uniform3(p.id[i]) * 2 + cross(Vec3{0, 0, 5}, p.x[i]);
  world.methods.front()->begin(world.environment);
}

Diagnostics look(World& world) {
  return world.methods.front()->diagnostics(world.environment);
}

}  // namespace

TEST_CASE("a_free_spinning_drop_keeps_both_momenta_to_rounding") {
  for (const char* keys : {"xsph = 0.0", "xsph = 0.5\nviscosity = 2.0"}) {
    World world = world_of(drop(keys));
    stir(world);
    const Diagnostics before = look(world);
    for (int frame = 0; frame < 3; ++frame) advance(world);
    const Diagnostics after = look(world);
    const double scale = before.mass * before.max_speed;
    // Positions and velocities are rounded in every of some hundred steps.
    const double rounding = sizeof(Real) == 4 ? 2e-6 : 1e-13;
    CHECK(length(after.momentum - before.momentum) < rounding * scale);
    CHECK(length(after.angular_momentum - before.angular_momentum) < rounding * scale);
    CHECK(length(after.angular_momentum) > 1e-3 * scale);
    CHECK(after.kinetic_energy + after.potential_energy <
          before.kinetic_energy + before.potential_energy);
  }
}

TEST_CASE("a_drop_at_rest_stays_at_rest") {
  World world = world_of(drop());
  for (int frame = 0; frame < 3; ++frame) advance(world);
  // Closest packing has a density ratio of one: nothing pushes.
  CHECK(look(world).max_speed < 1e-2);
}

TEST_CASE("liquid_falls_as_everything_does") {
  World world = world_of(drop("", "", "[0, -10, 0]"));
  const double y = look(world).centre()[1];
  for (int frame = 0; frame < 5; ++frame) advance(world);
  // Symplectic Euler is off by half a step of g t.
  CHECK(look(world).centre()[1] == doctest::Approx(y - 0.05).epsilon(2e-3).scale(0));
}

TEST_CASE("two_liquids_of_different_weight_rest_in_a_periodic_box") {
  World world = world_of(R"(
fps = 50
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = { min = [0, 0, 0], max = [0.2, 0.2, 0.2] }
[material.water]
method = "sph"
[material.oil]
method = "sph"
density = 800.0
[body.a]
material = "water"
shape = { type = "box", centre = [0.05, 0.1, 0.1], size = [0.1, 0.2, 0.2] }
spacing = 0.02
packing = "cubic"
[body.b]
material = "oil"
shape = { type = "box", centre = [0.15, 0.1, 0.1], size = [0.1, 0.2, 0.2] }
spacing = 0.02
packing = "cubic"
)");
  CHECK(look(world).particles == 1000);
  for (int frame = 0; frame < 2; ++frame) advance(world);
  // No force where all see the same; rounding of densities is a pressure of density c^2 1e-7, and
  // the cubic lattice is not stable.
  CHECK(look(world).max_speed < 3e-2);
}

TEST_CASE("a_flat_drop_stays_flat") {
  World world = world_of(R"(
dimensions = 2
fps = 50
[material.m]
method = "sph"
[body.b]
material = "m"
shape = { type = "sphere", centre = [0, 0.15, 0], radius = 0.1 }
spacing = 0.01
velocity = [1, 0, 0]
[collider.ground]
shape = { type = "plane" }
)");
  for (int frame = 0; frame < 15; ++frame) advance(world);
  const HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i) {
    CHECK(p.x[i][2] == 0);
    CHECK(p.x[i][1] > 0);
  }
  CHECK(look(world).centre()[1] < 0.1);  // it has spread
}

TEST_CASE("the_stable_step_follows_sound_and_viscosity_and_says_so") {
  const auto step = [](const std::string& keys) {
    World world = world_of(drop(keys));
    return world.methods.front()->stable_dt(world.environment);
  };
  const StableStep plain = step("artificial_viscosity = 0.0");
  const double h = 0.02 / std::cbrt(std::sqrt(2.0));
  CHECK(plain.dt == doctest::Approx(0.4 * h / 20).epsilon(0.05).scale(0));
  CHECK(std::string(plain.reason).find("sound") != std::string::npos);
  const StableStep thick = step("viscosity = 1000.0");
  CHECK(thick.dt == doctest::Approx(0.125 * h * h).scale(0));
  CHECK(std::string(thick.reason).find("viscosity") != std::string::npos);
}

TEST_CASE("an_event_changes_the_viscosity") {
  World world = world_of(drop("", R"(
[[event]]
time = 0.03
set = { "material.m.viscosity" = 500.0 }
)"));
  stir(world);
  advance(world);
  const double before = world.methods.front()->stable_dt(world.environment).dt;
  advance(world);
  advance(world);
  CHECK(world.methods.front()->stable_dt(world.environment).dt < before / 2);
}

TEST_CASE("bulk_modulus_and_speed_of_sound_determine_each_other") {
  World by_speed = world_of(drop());
  const std::string text = drop();
  std::string other = text;
  other.replace(other.find("sound_speed = 20.0"), 18, "bulk_modulus = 4e5");
  World by_modulus = world_of(other);
  CHECK(by_speed.methods.front()->stable_dt(by_speed.environment).dt ==
        doctest::Approx(by_modulus.methods.front()->stable_dt(by_modulus.environment).dt).scale(0));
  CHECK_THROWS_AS(world_of(drop("bulk_modulus = 4e5")), InputError);
}

TEST_CASE("bad_parameters_are_refused") {
  CHECK_THROWS_AS(world_of(drop("viscosity = -1.0")), InputError);
  CHECK_THROWS_AS(world_of(drop("gamma = 0.5")), InputError);
  CHECK_THROWS_AS(world_of(drop("xsph = 2.0")), InputError);
  CHECK_THROWS_AS(world_of(drop("youngs_modulus = 2.0")), InputError);
  CHECK_THROWS_AS(world_of(drop("", R"(
[material.other]
method = "sph"
smoothing_ratio = 1.5
[body.c]
material = "other"
shape = { type = "sphere", centre = [0, 0.6, 0], radius = 0.1 }
spacing = 0.02
)")),
                  InputError);
}
