#include <doctest/doctest.h>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// A cloth that is swung by a pin onto a ball, a rope and a solid that fall on the floor.
constexpr const char* busy_scene = R"(
fps = 60
[material.cloth]
method = "pbd"
stretch_modulus = 500.0
bend_stiffness = 1e-4
damping = 1e-3
density = 300.0
iterations = 2
[material.cord]
method = "pbd"
youngs_modulus = 1e7
density = 1000.0
iterations = 2
[material.jelly]
method = "pbd"
youngs_modulus = 2e4
density = 1000.0
iterations = 2
[body.cloth]
material = "cloth"
shape = { type = "sheet", width = 1, height = 0.8, centre = [0, 0.7, 0], rotation = [-90, 0, 0] }
spacing = 0.04
thickness = 0.001
[body.rope]
material = "cord"
shape = { type = "polyline", points = [[0, 0, 0], [0.8, 0.2, 0]], centre = [-0.4, 0.1, 1] }
spacing = 0.04
thickness = 0.01
[body.block]
material = "jelly"
shape = { type = "box", size = [0.3, 0.3, 0.3], centre = [1.5, 0.2, 0], rotation = [20, 0, 10] }
spacing = 0.05
velocity = [0, -2, 0]
[pin.edge]
body = "cloth"
shape = { type = "box", size = [0.1, 1, 2], centre = [-0.5, 0.7, 0] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0.4, 0, 0]], rotations = [[0, 0, 0], [0, 90, 0]] }
[collider.ball]
shape = { type = "sphere", centre = [0, 0.4, 0], radius = 0.25 }
friction = 0.3
[collider.floor]
shape = { type = "plane" }
friction = 0.5
)";

double energy(World& world) {
  const Diagnostics d = world.methods.front()->diagnostics(world.environment);
  return d.kinetic_energy + d.potential_energy;
}

}  // namespace

TEST_CASE("cloth_rope_and_solid_end_where_the_cpu_leaves_them") {
  World cpu = world_on({}, busy_scene), gpu = world_on(on_gpu, busy_scene);
  // Rounding in float over 36 steps, 6e-7 m after the first frame, grows fivefold in each; then the
  // cloth buckles, and each device in its own way. The spacing is 0.04 m.
  for (int frame = 0; frame < 3; ++frame) advance(cpu), advance(gpu);
  CHECK(largest_difference(positions_by_id(cpu), positions_by_id(gpu)) < 2e-3 * 0.04);
  CHECK(energy(gpu) == doctest::Approx(energy(cpu)).epsilon(1e-3));
}

TEST_CASE("cloth_has_the_same_bits_in_every_run_on_the_gpu") {
  World a = world_on(on_gpu, busy_scene), b = world_on(on_gpu, busy_scene);
  for (int frame = 0; frame < 20; ++frame) {
    advance(a);
    advance(b);
  }
  CHECK(largest_difference(positions_by_id(a), positions_by_id(b)) == 0);
}

// Spin falls by its square times the step, as on the CPU (docs/methods/pbd.md).
TEST_CASE("a_free_cloth_has_the_momenta_of_the_cpu") {
  const char* const scene = R"(
fps = 60
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
stretch_modulus = 1e3
bend_stiffness = 1e-3
damping = 1e-3
density = 300.0
[body.b]
material = "m"
shape = { type = "sheet", width = 1, height = 1 }
spacing = 0.03
thickness = 0.001
velocity = [1, 2, 3]
angular_velocity = [300, 200, 100]
)";
  World cpu = world_on({}, scene), gpu = world_on(on_gpu, scene);
  const auto look = [](World& world) {
    return world.methods.front()->diagnostics(world.environment);
  };
  const Diagnostics before = look(gpu);
  for (int frame = 0; frame < 10; ++frame) advance(cpu), advance(gpu);
  const Diagnostics after = look(gpu), on_cpu = look(cpu);
  const double scale = before.mass * before.max_speed;  // a hundred steps of sums in float
  CHECK(length(after.momentum - before.momentum) < 1e-5 * scale);
  CHECK(length(after.angular_momentum - on_cpu.angular_momentum) < 2e-5 * scale);
  CHECK(length(before.angular_momentum) > 1e-3 * scale);
}
