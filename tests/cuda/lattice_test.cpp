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
  // Contact lets rounding grow a hundredfold; who melts is drawn by the same numbers.
  CHECK(largest_difference(positions_by_id(cpu), positions_by_id(gpu)) < 1e-2 * 0.04);
  take_steps(cpu, 1000, dt);
  take_steps(gpu, 1000, dt);
  const Diagnostics a = diagnose(cpu), b = diagnose(gpu);
  // Liquids drift apart then; the whole does not.
  CHECK(length(a.mass_moment - b.mass_moment) < 0.04 * a.mass);
  CHECK(b.kinetic_energy == doctest::Approx(a.kinetic_energy).epsilon(0.1));
}
