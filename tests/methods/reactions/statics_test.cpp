#include <cmath>
#include <doctest/doctest.h>

#include "reactions/reaction_scenes.h"

using namespace phyxel;

namespace {

/// A block at rest on a floor.
std::string block_on_floor(const MethodCase& method) {
  return fmt::format(R"(
fps = 10
[material.m]
{0}
[body.block]
material = "m"
shape = {{ type = "box", centre = [0, 0.26, 0], size = [0.5, 0.5, 0.5] }}
spacing = {1}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.5
[world]
domain = {{ min = [-0.3, -1, -0.3], max = [0.3, 2, 0.3] }}
walls = "closed"
)",
                     method.material, method.spacing);
}

}  // namespace

TEST_CASE("a_floor_carries_the_weight_of_a_settled_body_of_every_method") {
  for (const MethodCase& method : every_method()) {
    CAPTURE(method.name);
    World world = world_of(block_on_floor(method));
    for (int frame = 0; frame < 30; ++frame) advance(world);
    // What still swings averages out over some frames.
    double force = 0;
    for (int frame = 0; frame < 20; ++frame) {
      advance(world);
      for (const Reaction& r : reactions(world))
        if (r.kind == ReactionKind::collider) force += r.force[1] / 20;
    }
    CHECK(force == doctest::Approx(9.81 * diagnose(world).mass).epsilon(0.01).scale(0));
  }
}
