#include <algorithm>
#include <doctest/doctest.h>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// Two bodies, one that yields and one with fibres, fall on a floor and on each other; a part is
/// turned by a pin.
constexpr const char* busy_scene = R"(
fps = 100
[time]
fixed_dt = 2e-4
[material.clay]
method = "mls"
youngs_modulus = 1e5
yield_strain = 0.02
creep = 50.0
damping = 1e-3
[material.gum]
method = "mls"
density = 800.0
youngs_modulus = 5e4
poissons_ratio = 0.45
fibre = [0, 1, 1]
fibre_modulus = 2e5
[body.a]
material = "clay"
shape = { type = "box", centre = [0, 0.31, 0], size = [0.6, 0.4, 0.5] }
spacing = 0.06
velocity = [0, -2, 0]
[body.b]
material = "gum"
shape = { type = "box", centre = [0.05, 0.7, 0], size = [0.5, 0.3, 0.3] }
spacing = 0.06
packing = "jittered"
velocity = [0, -4, 0]
[pin.p]
body = "b"
shape = { type = "box", centre = [0.25, 0.7, 0], size = [0.15, 1, 1] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, -3, 1]], rotations = [[0, 0, 0], [300, 0, 0]] }
[collider.floor]
shape = { type = "plane" }
friction = 0.4
)";

/// Two pieces that flow, meet and set again, with a body that conducts heat and melts.
constexpr const char* flowing_scene = R"(
fps = 50
[world]
air_temperature = 90.0
[material.goo]
method = "mls"
youngs_modulus = 2e4
yield_strain = 0.0
creep = 40.0
flows = true
[material.wax]
method = "mls"
youngs_modulus = 1e5
melted_modulus = 2e4
melted_creep = 60.0
melting_temperature = 40.0
conductivity = 50.0
convection = 2000.0
[body.a]
material = "goo"
shape = { type = "box", centre = [-0.2, 0.2, 0], size = [0.3, 0.3, 0.3] }
spacing = 0.05
velocity = [2, 0, 0]
[body.b]
material = "wax"
shape = { type = "box", centre = [0.2, 0.2, 0], size = [0.3, 0.3, 0.3] }
spacing = 0.05
temperature = 39.5
[collider.floor]
shape = { type = "plane" }
[[event]]
time = 0.1
set = { "material.goo.flows" = false, "material.goo.yield_strain" = 10.0 }
)";

constexpr const char* implicit_scene = R"(
fps = 50
[time]
fixed_dt = 5e-3
[material.m]
method = "mls"
integration = "implicit"
youngs_modulus = 1e7
tolerance = 1e-5
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.4, 0], size = [0.8, 0.1, 0.1] }
spacing = 0.04
[pin.p]
body = "b"
shape = { type = "box", centre = [-0.4, 0.4, 0], size = [0.1, 1, 1] }
[collider.ball]
shape = { type = "sphere", centre = [0.3, 0.25, 0], radius = 0.095 }
)";

double energy(World& world) {
  const Diagnostics d = world.methods.front()->diagnostics(world.environment);
  return d.kinetic_energy + d.potential_energy;
}

/// Largest distance after some frames between the same phyxels on both devices.
double difference_after(int frames, World& cpu, World& gpu) {
  for (int frame = 0; frame < frames; ++frame) {
    advance(cpu);
    advance(gpu);
  }
  return largest_difference(positions_by_id(cpu), positions_by_id(gpu));
}

}  // namespace

TEST_CASE("bodies_with_contact_end_where_the_cpu_leaves_them") {
  World cpu = world_on({}, busy_scene), gpu = world_on(on_gpu, busy_scene);
  // Rounding in float over some hundred steps, which contact multiplies; the spacing is 0.06 m.
  CHECK(difference_after(6, cpu, gpu) < 2e-3 * 0.06);
  CHECK(energy(gpu) == doctest::Approx(energy(cpu)).epsilon(1e-4));
}

TEST_CASE("flowing_and_melting_matter_ends_where_the_cpu_leaves_it") {
  World cpu = world_on({}, flowing_scene), gpu = world_on(on_gpu, flowing_scene);
  CHECK(difference_after(8, cpu, gpu) < 1e-2 * 0.05);
  CHECK(energy(gpu) == doctest::Approx(energy(cpu)).epsilon(1e-3));
}

TEST_CASE("implicit_steps_end_where_the_cpu_leaves_them") {
  World cpu = world_on({}, implicit_scene), gpu = world_on(on_gpu, implicit_scene);
  // Solves end at a thousandth of a percent of the spacing, 0.04 m; some tens of steps follow.
  CHECK(difference_after(5, cpu, gpu) < 1e-3 * 0.04);
}

TEST_CASE("a_free_body_keeps_both_momenta_on_the_gpu") {
  World world = world_on(on_gpu, R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.m]
method = "mls"
youngs_modulus = 1e5
[body.b]
material = "m"
shape = { type = "box", size = [0.5, 0.4, 0.3] }
spacing = 0.05
velocity = [1, 2, 3]
angular_velocity = [300, 200, 100]
)");
  const auto look = [&] { return world.methods.front()->diagnostics(world.environment); };
  const Diagnostics before = look();
  for (int frame = 0; frame < 3; ++frame) advance(world);
  const Diagnostics after = look();
  const double scale = before.mass * before.max_speed;  // some hundred steps of sums in float
  CHECK(length(after.momentum - before.momentum) < 1e-5 * scale);
  CHECK(length(after.angular_momentum - before.angular_momentum) < 1e-5 * scale);
  CHECK(length(before.angular_momentum) > 1e-3 * scale);
}
