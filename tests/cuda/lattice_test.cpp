#include <algorithm>
#include <doctest/doctest.h>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// A block that flies, turns and rings.
constexpr const char* flying_scene = R"(
[world]
gravity = [0, 0, 0]
[material.jelly]
method = "lattice"
youngs_modulus = 1e5
damping = 2.0
[body.b]
material = "jelly"
shape = { type = "box", size = [0.5, 0.4, 0.3] }
spacing = 0.03
velocity = [1, 2, 3]
angular_velocity = [5, -8, 3]
)";

/// Two bodies that meet above a floor; one is warm, conducts heat and melts, the other is held at a
/// corner.
constexpr const char* busy_scene = R"(
[material.rubber]
method = "lattice"
youngs_modulus = 1e5
[material.butter]
method = "lattice"
law = "stiffness"
youngs_modulus = 5e4
conductivity = 10.0
melting_temperature = 15.0
melting_rate = 1.0
freezing_rate = 1.0
[body.a]
material = "rubber"
shape = { type = "box", centre = [0, 0.2, 0], size = [0.4, 0.3, 0.4] }
spacing = 0.04
velocity = [0, -1, 0]
[body.b]
material = "butter"
shape = { type = "box", centre = [0.1, 0.53, 0], size = [0.3, 0.2, 0.3] }
spacing = 0.04
velocity = [0, -2, 0]
temperature = 40.0
[pin.p]
body = "a"
shape = { type = "box", centre = [0.2, 0.2, 0.2], size = [0.1, 0.4, 0.1] }
[collider.floor]
shape = { type = "plane" }
friction = 0.4
)";

/// A block that melts as it falls onto a floor, and freezes once it is cold.
constexpr const char* freezing_scene = R"(
[material.wax]
method = "lattice"
youngs_modulus = 1e5
damping = 50.0
melting_temperature = 30.0
melting_rate = 0.8
freezing_rate = 2.0
viscosity = 2.0
[body.a]
material = "wax"
shape = { type = "box", centre = [0, 0.16, 0], size = [0.3, 0.3, 0.3] }
spacing = 0.03
velocity = [0, -1, 0]
temperature = 40.0
[collider.floor]
shape = { type = "plane" }
friction = 0.5
)";

void set_temperature(World& world, Real temperature) {
  for (Real& t : world.methods.front()->particles().temperature) t = temperature;
  world.methods.front()->begin(world.environment);
}

int liquid_particles(World& world) {
  int count = 0;
  for (const ColumnView& view : world.methods.front()->columns())
    if (view.name == "phase")
      for (std::size_t i = 0; i < view.count; ++i)
        count += static_cast<const std::uint8_t*>(view.data)[i];
  return count;
}

}  // namespace

TEST_CASE("a_block_on_the_gpu_flies_as_on_the_cpu") {
  World cpu = begun_world_on({}, flying_scene), gpu = begun_world_on(on_gpu, flying_scene);
  const double dt = 0.9 * stable_step(cpu).dt;
  CHECK(stable_step(gpu).dt == doctest::Approx(stable_step(cpu).dt).epsilon(1e-3));
  const Vec3d momentum = diagnose(gpu).momentum, turning = diagnose(gpu).angular_momentum;
  take_steps(cpu, 300, dt);
  take_steps(gpu, 300, dt);
  // Rounding, of positions up to a metre, moves an elastic body by little more than itself.
  CHECK(largest_difference(positions_by_id(cpu), positions_by_id(gpu)) < 1e-3 * 0.03);
  CHECK(diagnose(gpu).potential_energy ==
        doctest::Approx(diagnose(cpu).potential_energy).epsilon(1e-3));
  // 300 steps of sums in float.
  CHECK(length(diagnose(gpu).momentum - momentum) < 1e-5 * length(momentum));
  CHECK(length(diagnose(gpu).angular_momentum - turning) < 1e-4 * length(turning));
}

TEST_CASE("bodies_that_meet_and_melt_on_the_gpu_do_as_on_the_cpu") {
  World cpu = begun_world_on({}, busy_scene), gpu = begun_world_on(on_gpu, busy_scene);
  const double dt = 0.5 * std::min(stable_step(cpu).dt, stable_step(gpu).dt);
  take_steps(cpu, 100, dt);
  take_steps(gpu, 100, dt);
  // Contact lets rounding grow a hundredfold; melting is drawn by the same random numbers.
  CHECK(largest_difference(positions_by_id(cpu), positions_by_id(gpu)) < 1e-2 * 0.04);
  take_steps(cpu, 1000, dt);
  take_steps(gpu, 1000, dt);
  const Diagnostics a = diagnose(cpu), b = diagnose(gpu);
  // Liquids drift apart then; the whole does not.
  CHECK(length(a.mass_moment - b.mass_moment) < 0.04 * a.mass);
  CHECK(b.kinetic_energy == doctest::Approx(a.kinetic_energy).epsilon(0.1));
}

TEST_CASE("matter_that_has_flowed_freezes_on_the_gpu_where_it_is") {
  World cpu = begun_world_on({}, freezing_scene), gpu = begun_world_on(on_gpu, freezing_scene);
  const double dt = 0.5 * stable_step(cpu).dt;
  for (World* world : {&cpu, &gpu}) {
    take_steps(*world, 1500, dt);
    const Diagnostics liquid = diagnose(*world);
    CHECK(liquid_particles(*world) > 0.8 * double(liquid.particles));
    set_temperature(*world, 10);
    take_steps(*world, 1500, dt);
    const Diagnostics solid = diagnose(*world);
    // Some have splashed away from all that is solid.
    CHECK(liquid_particles(*world) < 0.1 * double(solid.particles));
    CHECK(solid.kinetic_energy < liquid.kinetic_energy);
  }
  const Diagnostics a = diagnose(cpu), b = diagnose(gpu);
  // Liquids drift apart before they freeze; the whole does not.
  CHECK(length(a.mass_moment - b.mass_moment) < 0.03 * a.mass);
}
