#include <doctest/doctest.h>

#include "cuda/both_devices.h"
#include "phyxel/methods/registry.h"
#include "springs/method.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// A block that turns falls on a floor beside a second one that is held.
const std::string falling_blocks = R"(
fps = 100
[time]
fixed_dt = 1e-4
[material.m]
method = "springs"
stiffness = 50.0
damping = 0.01
[body.a]
material = "m"
shape = { type = "box", centre = [0, 0.06, 0], size = [0.1, 0.1, 0.1] }
spacing = 0.01
velocity = [0.3, -1, -0.2]
angular_velocity = [3, 20, 5]
[body.b]
material = "m"
shape = { type = "sphere", centre = [0.14, 0.085, 0], radius = 0.05 }
spacing = 0.01
[pin.p]
body = "b"
shape = { type = "box", centre = [0.2, 0.08, 0], size = [0.06, 0.2, 0.2] }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, 1, 0]] }
[collider.floor]
shape = { type = "plane" }
friction = 0.4
)";

World world_of(const Exec& exec) {
  static const bool added = (add_method(springs::info()), true);
  CHECK(added);
  return world_on(exec, falling_blocks);
}

}  // namespace

TEST_CASE("springs_end_where_the_cpu_leaves_them") {
  World cpu = world_of({}), gpu = world_of(on_gpu);
  const std::vector<Vec3> start = positions_by_id(cpu);
  advance(cpu);
  advance(gpu);
  const std::vector<Vec3> end = positions_by_id(cpu);
  // Rounding in float, which 100 steps multiply.
  CHECK(largest_difference(end, positions_by_id(gpu)) < 1e-2 * 0.01);
  CHECK(largest_difference(end, start) > 0.005);
}

TEST_CASE("a_gpu_gives_the_same_bits_twice") {
  World first = world_of(on_gpu), second = world_of(on_gpu);
  for (int frame = 0; frame < 3; ++frame) {
    advance(first);
    advance(second);
  }
  CHECK(positions_by_id(first) == positions_by_id(second));
}
