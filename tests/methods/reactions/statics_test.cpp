#include <cmath>
#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

using namespace phyxel;

namespace {

/// A block at rest on a floor.
std::string block_on_floor(const MethodCase& method) {
  return fmt::format(R"(
fps = 20
dimensions = 2
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.25, 0], size = [0.5, 0.5, 0.5] }}
{2}
spacing = {1}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.5
[world]
domain = {{ min = [-0.3, -1, -1], max = [0.3, 2, 1] }}
walls = "closed"
)",
                     method.material, method.spacing, method.packing);
}

}  // namespace

TEST_CASE("a_floor_carries_the_weight_of_a_settled_body_of_every_method") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    World world = world_of(block_on_floor(method));
    for (int frame = 0; frame < 20; ++frame) advance(world);
    // What still swings averages out over some frames.
    double force = 0;
    for (int frame = 0; frame < 10; ++frame) {
      advance(world);
      for (const Reaction& r : reactions(world))
        if (r.kind == ReactionKind::collider) force += r.force[1] / 10;
    }
    CHECK(force == doctest::Approx(9.81 * diagnose(world).mass).epsilon(0.01).scale(0));
  }
}

TEST_CASE("a_slope_holds_a_block_by_its_normal_force_and_by_friction") {
  // Gravity leans by 20 degrees instead of the floor: that is the same.
  const double angle = 20 * M_PI / 180;
  for (const MethodCase& method : every_method()) {
    if (method.name != "lattice" && method.name != "mpm") continue;
    for (const double friction : {0.6, 0.1}) {
      CAPTURE(method.name);
      CAPTURE(friction);
      World world = world_of(fmt::format(R"(
fps = 20
dimensions = 2
[world]
gravity = [{2}, {3}, 0]
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.2, 0], size = [0.8, 0.4, 0.5] }}
{5}
spacing = {1}
[collider.slope]
shape = {{ type = "plane" }}
friction = {4}
)",
                                         method.material, method.spacing, 9.81 * std::sin(angle),
                                         -9.81 * std::cos(angle), friction, method.packing));
      for (int frame = 0; frame < 40; ++frame) advance(world);
      double normal = 0, along = 0;
      for (int frame = 0; frame < 40; ++frame) {
        advance(world);
        const Reaction& slope = reaction_of(world, "slope");
        normal += slope.normal_force / 40;
        along += slope.friction[0] / 40;
        // Of a plane both parts together are the force.
        CHECK(slope.force[1] == doctest::Approx(slope.normal_force).epsilon(1e-6).scale(1));
        CHECK(slope.force[0] == doctest::Approx(slope.friction[0]).epsilon(1e-6).scale(1));
      }
      const double weight = 9.81 * diagnose(world).mass;
      CHECK(normal == doctest::Approx(weight * std::cos(angle)).epsilon(0.02).scale(0));
      // It rests on the rough slope, and slides down the smooth one.
      const double expected = friction > std::tan(angle) ? weight * std::sin(angle)
                                                         : friction * weight * std::cos(angle);
      CHECK(along == doctest::Approx(-expected).epsilon(0.03).scale(0));
    }
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
