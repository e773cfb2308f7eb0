#include <doctest/doctest.h>

#include "cuda/both_devices.h"
#include "methods/force_fields/field_scenes.h"

// All force fields at once on a GPU and on the CPU, for every method.

using namespace phyxel;
using namespace phyxel::test;

namespace {

constexpr const char* all_fields = R"([time]
max_dt = 2e-4
[field.wind]
type = "wind"
velocity = [3, 0, 1]
quadratic = 0.5
turbulence = 2.0
eddy_size = 0.3
region = { type = "difference", of = [ { type = "box", size = [2, 2, 2] }, { type = "sphere", radius = 0.3 } ] }
edge = 0.1
[field.drag]
type = "drag"
linear = 0.5
[field.pull]
type = "attractor"
point = [1, 1, 0]
softening = 0.1
[field.turn]
type = "vortex"
axis = [0, 1, 0]
strength = 20.0
[collider.floor]
shape = { type = "plane" }
)";

std::string busy_scene(const PushedMethod& method) {
  return field_scene(
      method,
      "shape = { type = \"box\", centre = [0, 0.4, 0], size = [0.5, 0.6, 0.5] }\nspacing = 0.05\n",
      all_fields, "[0, -9.81, 0]", "fps = 100");
}

}  // namespace

TEST_CASE("fields_push_matter_where_the_cpu_pushes_it") {
  for (const PushedMethod& method : pushed_methods()) {
    CAPTURE(method.name);
    World cpu = world_on({}, busy_scene(method)), gpu = world_on(on_gpu, busy_scene(method));
    for (int frame = 0; frame < 2; ++frame) {
      advance(cpu);
      advance(gpu);
    }
    const std::vector<Vec3> a = positions_by_id(cpu), b = positions_by_id(gpu);
    // Rounding in float, which a hundred steps multiply; the spacing is 0.05 m.
    CHECK(largest_difference(a, b) < 2e-3 * 0.05);
    const Diagnostics on_cpu = diagnose(cpu), gpu_now = diagnose(gpu);
    CHECK(length(on_cpu.field_impulse) > 0.01 * on_cpu.mass);
    CHECK(length(on_cpu.field_impulse - gpu_now.field_impulse) <
          1e-3 * length(on_cpu.field_impulse));
  }
}

TEST_CASE("a_sheet_of_mpm_ends_where_the_cpu_leaves_it") {
  for (const std::string law : {"corotated", "neo_hookean"}) {
    CAPTURE(law);
    const std::string text = R"(dimensions = 2
fps = 100
[world]
plane = "stress"
[material.m]
method = "mpm"
youngs_modulus = 1e4
law = ")" + law + R"("
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.3, 0], size = [0.5, 0.4, 1] }
spacing = 0.02
velocity = [0, -2, 0]
[collider.floor]
shape = { type = "plane" }
)";
    World cpu = world_on({}, text), gpu = world_on(on_gpu, text);
    for (int frame = 0; frame < 5; ++frame) {
      advance(cpu);
      advance(gpu);
    }
    CHECK(largest_difference(positions_by_id(cpu), positions_by_id(gpu)) < 2e-3 * 0.02);
  }
}
