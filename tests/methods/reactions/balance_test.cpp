#include <algorithm>
#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

// The change of momentum is the sum of all reactions, to the rounding of the particles' velocities.

using namespace phyxel;

namespace {

/// Wind over all matter, and a sink that opens and takes a corner of the block.
const char* const wind_and_sink = R"(
[field.wind]
type = "wind"
velocity = [3, 1, 0]
rate = 0.5
[sink.corner]
shape = { type = "box", centre = [0.3, 0.6, 0], size = [0.4, 0.4, 4] }
active = false
[[event]]
time = 0.05
set = { "sink.corner.active" = true }
)";

/// The largest force of a frame: rounding is measured against it.
double size_of_forces(const World& world) {
  double sum = 0;
  for (const Reaction& r : reactions(world)) sum += length(r.force);
  return sum;
}

}  // namespace

TEST_CASE("momentum_changes_by_what_is_counted_in_every_frame_of_every_method") {
  for (const int dimensions : {3, 2})
    for (const MethodCase& method : every_method()) {
      CAPTURE(method.name);
      CAPTURE(dimensions);
      World world = world_of(busy_scene(method, dimensions) + wind_and_sink);
      REQUIRE(world.counts_reactions);
      Diagnostics before = diagnose(world);
      double largest = 0, hand = 0, paddle = 0, floor = 0, fields = 0, outflow = 0;
      for (int frame = 0; frame < 7; ++frame) {
        advance(world);
        const Diagnostics now = diagnose(world);
        const Vec3d change = (now.momentum - before.momentum) * world.live.fps;
        // Each step rounds velocities of some m/s: a float keeps six digits of them.
        // Velocities that follow from positions of up to 2 m are rounded with these, each particle
        // by itself, so that the mean over all is better.
        const double of_positions =
            method.step_of_velocities > 0
                ? 2 / method.step_of_velocities / std::sqrt(double(particle_count(world)))
                : 0;
        const double momentum =
            now.mass * (std::max(now.max_speed, 1.0) + of_positions) * world.live.fps;
        const double rounding = sizeof(Real) == 4 ? 2e-6 : 1e-9;
        CAPTURE(frame);
        CHECK(length(change - sum_of_forces(world)) < rounding * momentum);
        largest = std::max(largest, size_of_forces(world) / (9.81 * now.mass));
        hand = std::max(hand, length(reaction_of(world, "hand").force));
        paddle = std::max(paddle, length(reaction_of(world, "paddle").force));
        floor = std::max(floor, reaction_of(world, "floor").force[1]);
        fields = std::max(fields, length(reaction_of(world, "fields").force));
        outflow = std::max(outflow, length(reaction_of(world, "outflow").force));
        before = now;
      }
      CHECK(fields > 0);
      CHECK(outflow > 0);
      CHECK(largest > 1.5);  // more than gravity acts
      CHECK(hand > 0);
      CHECK(paddle > 0);
      CHECK(floor > 0);
    }
}
