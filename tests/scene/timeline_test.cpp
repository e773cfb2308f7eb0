#include <cmath>
#include <doctest/doctest.h>

#include "scene/ball_world.h"

// What changes while a world runs: events, keyframes, pins and moving colliders.

namespace phyxel {
namespace {

// A free body moves as a whole: its momentum is known to rounding of a few hundred particles' sums.
constexpr double rounding = sizeof(Real) == 4 ? 1e-4 : 1e-10;

}  // namespace

TEST_CASE("events_inside_a_frame_are_hit_exactly") {
  // Gravity from 0.25 s on: after 0.4 s the speed is g * 0.15 s, and an event fired a step late or
  // early would show.
  World world = world_of({.more = R"(
[[event]]
time = 0.25
set = { "world.gravity" = [0, -10, 0] }
)"});
  advance_to(world, 2);
  CHECK(diagnose(world).momentum[1] == doctest::Approx(0).epsilon(rounding));
  advance_to(world, 4);
  const Diagnostics d = diagnose(world);
  CHECK(d.momentum[1] / d.mass == doctest::Approx(-1.5).epsilon(rounding));
  CHECK(d.centre()[1] == doctest::Approx(-0.5 * 10 * 0.15 * 0.15).epsilon(10 * rounding));
}

TEST_CASE("events_at_the_end_of_a_frame_belong_to_the_next") {
  World world = world_of({.more = R"(
[[event]]
time = 0.2
set = { "body.ball.temperature" = 90 }
)"});
  advance_to(world, 2);
  CHECK(diagnose(world).max_temperature == 20);
  advance_to(world, 3);
  CHECK(diagnose(world).min_temperature == 90);
}

TEST_CASE("events_hold_until_another_comes") {
  World world = world_of({.more = R"(
[[event]]
time = 0.0
set = { "world.gravity" = [1, 0, 0] }
[[event]]
time = 0.3
set = { "world.gravity" = [0, 0, 0], "material.wax.damping" = 0.0 }
)"});
  advance_to(world, 6);
  const Diagnostics d = diagnose(world);
  CHECK(d.momentum[0] / d.mass == doctest::Approx(0.3).epsilon(rounding));
}

TEST_CASE("keyframes_are_followed_and_held") {
  // The integral of a gravity that rises from 0 to 4 in 0.2 s is 0.4 m/s; steps of 0.02 s that take
  // it at their start fall behind by half a step.
  World world = world_of({.more = R"(
[time]
fixed_dt = 0.0025
[[keyframe]]
path = "world.gravity"
times = [0.0, 0.2]
values = [[0, 0, 0], [0, 4, 0]]
)"});
  advance_to(world, 2);
  Diagnostics d = diagnose(world);
  CHECK(d.momentum[1] / d.mass == doctest::Approx(0.4).epsilon(0.0125 + rounding));
  advance_to(world, 5);
  d = diagnose(world);
  CHECK(d.momentum[1] / d.mass == doctest::Approx(0.4 + 0.3 * 4).epsilon(0.005));
}

TEST_CASE("an_event_may_change_the_material") {
  World world = world_of({.body = "velocity = [3, 0, 0]", .more = R"(
[[event]]
time = 0.1
set = { "material.wax.damping" = 5 }
)"});
  advance_to(world, 1);
  CHECK(diagnose(world).momentum[0] / diagnose(world).mass == doctest::Approx(3).epsilon(rounding));
  advance_to(world, 3);
  CHECK(diagnose(world).momentum[0] / diagnose(world).mass ==
        doctest::Approx(3 * std::exp(-5 * 0.2)).epsilon(rounding));
}

TEST_CASE("pins_hold_move_and_let_go") {
  World world = world_of({.world = "gravity = [0, -2, 0]", .material = "damping = 0.5", .more = R"(
[pin.top]
body = "ball"
shape = { type = "plane", point = [0, 1.2, 0], normal = [0, -1, 0] }
motion = { times = [0.0, 0.2, 0.6], positions = [[0, 0, 0], [0, 0, 0], [0.4, 0, 0]], rotations = [[0, 0, 0], [0, 0, 0], [0, 90, 0]] }
[[event]]
time = 0.8
set = { "pin.top.active" = false }
)"});
  const Frame start = take_frame(world);
  const auto pinned = [&](std::size_t i) { return start.find("pin")->number(i) == 0; };
  std::size_t held = 0;
  for (std::size_t i = 0; i < start.count; ++i) {
    CHECK(pinned(i) == (start.position(i)[1] > Real(1.2)));
    held += pinned(i);
  }
  REQUIRE(held > 3);
  advance_to(world, 2);
  Frame now = take_frame(world);
  for (std::size_t i = 0; i < now.count; ++i)
    if (pinned(i)) CHECK(now.position(i) == start.position(i));
  advance_to(world, 7);
  now = take_frame(world);
  for (std::size_t i = 0; i < now.count; ++i) {  // a quarter turn about y, and 0.4 along x
    const Vec3 x = start.position(i);
    if (pinned(i)) CHECK(length(now.position(i) - Vec3{x[2] + Real(0.4), x[1], -x[0]}) < 2e-4);
  }
  advance_to(world, 8);
  const double held_at = diagnose(world).centre()[1];
  advance_to(world, 16);
  CHECK(diagnose(world).centre()[1] <
        held_at - 0.3);  // without the pin it falls: 0.64 m less damping
}

TEST_CASE("heat_softens_a_body") {
  const Ball ball{.material = "softening_start = 40\nsoftening_end = 60\nsoftened_strength = 0.01",
                  .more = R"(
[[event]]
time = 0.1
set = { "body.ball.temperature" = 80 }
)"};
  World world = world_of(ball);
  advance_to(world, 1);
  const double cold = diagnose(world).potential_energy;
  advance_to(world, 2);
  CHECK(diagnose(world).potential_energy == doctest::Approx(0.01 * cold).epsilon(0.2));
  CHECK(diagnose(world).min_temperature == 80);
}

TEST_CASE("moving_colliders_push") {
  World world = world_of({.top = "fps = 2", .more = R"(
[collider.piston]
shape = { type = "plane", point = [-3.2, 0, 0], normal = [1, 0, 0] }
restitution = 0.0
motion = { times = [0, 4], positions = [[0, 0, 0], [4, 0, 0]] }
)"});
  advance_to(world, 8);
  for (const Vec3& x : world.methods[0]->particles().x) CHECK(x[0] > Real(0.8));
}

}  // namespace phyxel
