#include <algorithm>
#include <doctest/doctest.h>

#include "cuda/both_devices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// Water and oil, both with surface tension, fall on a floor and past a ball that sticks; a part is
/// held.
constexpr const char* busy_scene = R"(
fps = 100
[time]
fixed_dt = 2e-4
[material.water]
method = "sph"
xsph = 0.4
surface_tension = 5.0
[material.oil]
method = "sph"
density = 900.0
viscosity = 0.1
surface_tension = 2.0
[body.a]
material = "water"
shape = { type = "box", centre = [0, 0.36, 0], size = [0.6, 0.4, 0.5] }
spacing = 0.05
velocity = [0, -1, 0]
[body.b]
material = "oil"
shape = { type = "box", centre = [0, 0.8, 0], size = [0.5, 0.3, 0.3] }
spacing = 0.05
velocity = [1, -3, 1]
[pin.p]
body = "b"
shape = { type = "box", centre = [0.2, 0.8, 0], size = [0.15, 1, 1] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, -3, 1]] }
[collider.floor]
shape = { type = "plane" }
friction = 0.4
[collider.ball]
shape = { type = "sphere", centre = [0.1, 0, 0], radius = 0.1 }
contact = "sticky"
)";

}  // namespace

TEST_CASE("liquids_end_where_the_cpu_leaves_them") {
  World cpu = world_on({}, busy_scene), gpu = world_on(on_gpu, busy_scene);
  for (int frame = 0; frame < 2; ++frame) {
    advance(cpu);
    advance(gpu);
  }
  const std::vector<Vec3> a = positions_by_id(cpu), b = positions_by_id(gpu);
  // Rounding in float, which a hundred steps of a stiff liquid multiply; the spacing is 0.05 m.
  CHECK(largest_difference(a, b) < 1e-3 * 0.05);
  const auto energy = [](World& world) {
    const Diagnostics d = world.methods.front()->diagnostics(world.environment);
    return d.kinetic_energy + d.potential_energy;
  };
  CHECK(energy(gpu) == doctest::Approx(energy(cpu)).epsilon(1e-4));
}

TEST_CASE("a_free_drop_keeps_both_momenta_on_the_gpu") {
  World world = world_on(on_gpu, R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.m]
method = "sph"
xsph = 0.0
surface_tension = 1.0
[body.b]
material = "m"
shape = { type = "box", size = [0.2, 0.15, 0.1] }
spacing = 0.02
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
