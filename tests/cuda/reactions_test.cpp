#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

#include "cuda/both_devices.h"
#include "methods/reactions/reaction_scenes.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

/// The methods that a GPU has: flip and implicit steps of mpm run on the CPU only.
std::vector<MethodCase> methods_of_gpu() {
  std::vector<MethodCase> methods = every_method();
  std::erase_if(methods, [](const MethodCase& m) {
    return m.name == "mpm by flip" || m.name == "implicit mpm";
  });
  return methods;
}

}  // namespace

TEST_CASE("momentum_on_a_gpu_changes_by_what_is_counted_there") {
  for (const MethodCase& method : methods_of_gpu()) {
    CAPTURE(method.name);
    World world = world_on(on_gpu, busy_scene(method, 3));
    REQUIRE(world.counts_reactions);
    Diagnostics before = diagnose(world);
    for (int frame = 0; frame < 5; ++frame) {
      CAPTURE(frame);
      advance(world);
      const Diagnostics now = diagnose(world);
      const Vec3d change = (now.momentum - before.momentum) * world.live.fps;
      // Each step rounds velocities of some m/s: a float keeps six digits of them.
      const double momentum = now.mass * std::max(now.max_speed, 1.0) * world.live.fps;
      // pbd takes them from positions, whose rounding over the step is some times as large.
      const double rounding = method.name == "pbd" ? 1.2e-5 : 4e-6;
      CHECK(length(change - sum_of_forces(world)) < rounding * momentum);
      before = now;
    }
  }
}

TEST_CASE("a_gpu_counts_the_reactions_of_the_cpu_and_always_the_same") {
  for (const MethodCase& method : methods_of_gpu()) {
    CAPTURE(method.name);
    World cpu = world_on({}, busy_scene(method, 3)), gpu = world_on(on_gpu, busy_scene(method, 3)),
          again = world_on(on_gpu, busy_scene(method, 3));
    for (World* world : {&cpu, &gpu, &again}) advance(*world);
    const double weight = 9.81 * diagnose(cpu).mass;
    for (const Reaction& r : reactions(cpu)) {
      if (r.kind == ReactionKind::inflow) continue;
      CAPTURE(r.name);
      const Reaction &on = reaction_of(gpu, r.name), &twice = reaction_of(again, r.name);
      // Impacts multiply the rounding of a frame's steps.
      CHECK(length(on.force - r.force) < 0.02 * std::max(weight, length(r.force)));
      CHECK(std::memcmp(&on.force, &twice.force, sizeof on.force) == 0);
      CHECK(std::memcmp(&on.torque, &twice.torque, sizeof on.torque) == 0);
    }
  }
}
