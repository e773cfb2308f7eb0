#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

using namespace phyxel;

TEST_CASE("a_floor_carries_the_weight_of_a_settled_body_of_every_method") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    CHECK(settled_weight(method) == doctest::Approx(1).epsilon(0.01));
  }
}

TEST_CASE("a_slope_holds_a_block_by_its_normal_force_and_by_friction") {
  for (const MethodCase& method : every_method()) {
    if (method.name != "lattice" && method.name != "mpm") continue;
    for (const double friction : {0.6, 0.1}) {
      CAPTURE(method.name);
      CAPTURE(friction);
      const Incline found = lean_block(method, friction);
      // The block still swings a little, and rocks as it slides.
      CHECK(found.normal == doctest::Approx(1).epsilon(0.02));
      CHECK(found.friction == doctest::Approx(1).epsilon(0.03));
      // Of a plane both parts together are the force, of some thousand N.
      CHECK(found.mixed < 1e-3);
    }
  }
}

TEST_CASE("a_pin_holds_its_matter_against_the_wind") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    World world = world_of(fmt::format(R"(
fps = 20
dimensions = 2
[world]
gravity = [0, 0, 0]
[material.m]
{}
[body.held]
material = "m"
shape = {{ type = "box", centre = [2, 1, 0], size = [0.4, 0.4, 0.4] }}
{}
spacing = {}
[pin.hand]
body = "held"
shape = {{ type = "box", centre = [2, 1, 0], size = [1, 1, 1] }}
[field.wind]
type = "wind"
velocity = [0, 3, 0]
rate = 0.5
)",
                                       method.material, method.packing, method.spacing));
    for (int frame = 0; frame < 3; ++frame) advance(world);
    const Diagnostics d = diagnose(world);
    CHECK(d.max_speed < 1e-6);
    const Reaction &hand = reaction_of(world, "hand"), &wind = reaction_of(world, "fields");
    // The wind's force on matter at rest, m k u. It falls by k dt / 2 within a step, of at most a
    // frame (implicit steps).
    const double expected = d.mass * 0.5 * 3, slack = 0.5 * (0.5 * 0.05) * 1.05;
    CHECK(wind.force[1] == doctest::Approx(expected).epsilon(slack).scale(0));
    // Forces between the particles cancel to rounding; they are larger than those of the wind.
    CHECK(hand.force[1] == doctest::Approx(-wind.force[1]).epsilon(1e-4).scale(0));
    // It acts at the middle of the block.
    CHECK(hand.origin_torque[2] ==
          doctest::Approx(d.centre()[0] * hand.force[1]).epsilon(1e-4).scale(0));
  }
}

TEST_CASE("the_torque_of_a_clamped_beam_is_that_of_its_weight") {
  World world = world_of(R"(
fps = 20
[material.m]
method = "mpm"
preset = "jelly"
youngs_modulus = 2.0e6
[body.beam]
material = "m"
shape = { type = "box", centre = [3.5, 5, 0], size = [1.0, 0.3, 0.3] }
packing = "cubic"
spacing = 0.1
[pin.clamp]
body = "beam"
shape = { type = "box", centre = [3.05, 5, 0], size = [0.2, 1, 1] }
motion = { times = [0, 0.1], rotations = [[0, 0, 1], [0, 0, 0]], pivot = [3, 5, 0] }
)");
  for (int frame = 0; frame < 20; ++frame) advance(world);
  Vec3d torque = Vec3d::zero(), at_origin = Vec3d::zero();
  for (int frame = 0; frame < 40; ++frame) {
    advance(world);
    torque += reaction_of(world, "clamp").torque / 40;
    at_origin += reaction_of(world, "clamp").origin_torque / 40;
  }
  const Diagnostics d = diagnose(world);
  const double weight = 9.81 * d.mass, centre = d.centre()[0];
  CHECK(torque[2] == doctest::Approx(weight * (centre - 3)).epsilon(0.01).scale(0));
  CHECK(at_origin[2] == doctest::Approx(weight * centre).epsilon(0.01).scale(0));
  CHECK(reaction_of(world, "clamp").pivot[0] == doctest::Approx(3).epsilon(1e-6));
}
