#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

constexpr double dx = 0.1, density = 1000, bulk_modulus = 1e5;

/// A puddle between walls, with steps of dt; 0: automatic ones.
World puddle(double viscosity, const std::string& transfer, double dt) {
  return build(parse_scene(fmt::format(R"(
dimensions = 2
fps = 50
{}
[material.m]
method = "mpm"
law = "liquid"
cell = {}
density = {}
bulk_modulus = {}
viscosity = {}
transfer = "{}"
[body.b]
material = "m"
shape = {{ type = "box", centre = [0.5, 0.3, 0], size = [1, 0.6, 1] }}
packing = "cubic"
spacing = {}
[collider.floor]
shape = {{ type = "plane" }}
[collider.left]
shape = {{ type = "plane", normal = [1, 0, 0] }}
[collider.right]
shape = {{ type = "plane", point = [1, 0, 0], normal = [-1, 0, 0] }}
)",
                                       dt > 0 ? fmt::format("[time]\nfixed_dt = {}", dt) : "", dx,
                                       density, bulk_modulus, viscosity, transfer, dx / 2),
                           "test"),
               {});
}

/// Random velocities, a thousand steps: whether their energy has grown.
bool blows_up(World world, double dt) {
  HostParticles& p = world.methods.front()->particles();
  std::uint32_t state = 1;
  for (Vec3& v : p.v)
    for (int k = 0; k < 2; ++k) {
      state = state * 1664525u + 1013904223u;
      v[k] = Real(0.1) * (static_cast<Real>(state >> 8) / Real(1 << 23) - 1);
    }
  const double speed = 1;  // a fall of 0.05 m, far more than it settles by
  try {
    while (world.environment.time < 1000 * dt) {
      advance(world);
      if (!(diagnose(world).max_speed < speed)) return true;
    }
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a_thick_liquid_says_that_viscosity_limits_its_steps") {
  World thin = puddle(0.001, "apic", 0), thick = puddle(1e5, "apic", 0);
  for (World* world : {&thin, &thick}) world->methods.front()->begin(world->environment);
  CHECK(stable_step(thin).dt == doctest::Approx(0.4 * dx / std::sqrt(bulk_modulus / density)));
  CHECK(stable_step(thick).dt == doctest::Approx(0.25 * dx * dx / (4.0 / 3 * 1e5 / density)));
  CHECK(std::string(stable_step(thick).reason).starts_with("viscosity"));
}

TEST_CASE("automatic_steps_of_thick_liquids_hold_and_eight_times_as_long_ones_do_not") {
  for (const std::string transfer : {"apic", "flip"})
    for (const double viscosity : {1e3, 1e5}) {
      CAPTURE(transfer);
      CAPTURE(viscosity);
      World world = puddle(viscosity, transfer, 0);
      world.methods.front()->begin(world.environment);
      const double dt = stable_step(world).dt;
      CHECK_FALSE(blows_up(puddle(viscosity, transfer, dt), dt));
      CHECK(blows_up(puddle(viscosity, transfer, 8 * dt), 8 * dt));
    }
}
