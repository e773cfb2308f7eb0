#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

using namespace phyxel;

namespace {

World world_of(const std::string& text) {
  return build(parse_scene(text, "test"));
}

/// A side of a cup as a thin box that is shaken.
std::string side(const char* name, const char* centre, const char* size) {
  return fmt::format(R"(
[collider.{}]
shape = {{ type = "box", centre = {}, size = {} }}
motion.times = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
motion.positions = [[0, 0, 0], [0.06, 0, 0], [0, 0.04, 0], [-0.06, 0, 0.03], [0, 0, 0],
                        [0.06, 0, 0], [0, 0.04, 0], [-0.06, 0, 0.03], [0, 0, 0]]
)",
                     name, centre, size);
}

double path_on_slope(const std::string& contact) {
  World world = world_of(fmt::format(R"(
dimensions = 2
fps = 50
[material.m]
method = "sph"
viscosity = 5.0
sound_speed = 15.0
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 0.025, 0], size = [0.2, 0.05, 1] }}
spacing = 0.01
packing = "cubic"
[world]
gravity = [8, -9.81, 0]
[collider.ground]
shape = {{ type = "plane" }}
{}
)",
                                     contact));
  const auto centre = [&] {
    return world.methods.front()->diagnostics(world.environment).centre()[0];
  };
  const double from = centre();
  for (int frame = 0; frame < 20; ++frame) advance(world);
  return centre() - from;
}

}  // namespace

TEST_CASE("nothing_leaks_from_a_shaken_cup_with_thin_walls") {
  World world = world_of(R"(
fps = 20
[material.m]
method = "sph"
[body.b]
material = "m"
shape = { type = "box", centre = [0, 0.06, 0], size = [0.16, 0.12, 0.16] }
spacing = 0.02
packing = "cubic"
)" + side("bottom", "[0, -0.01, 0]", "[0.2, 0.02, 0.2]") +
                         side("top", "[0, 0.21, 0]", "[0.2, 0.02, 0.2]") +
                         side("left", "[-0.09, 0.1, 0]", "[0.02, 0.22, 0.2]") +
                         side("right", "[0.09, 0.1, 0]", "[0.02, 0.22, 0.2]") +
                         side("front", "[0, 0.1, 0.09]", "[0.2, 0.22, 0.02]") +
                         side("back", "[0, 0.1, -0.09]", "[0.2, 0.22, 0.02]"));
  for (int frame = 0; frame < 20; ++frame) advance(world);
  const Vec3 cup = world.environment.colliders.front().pose.transform.translation;
  for (const Vec3& x : world.methods.front()->particles().x) {
    const Vec3 inside = x + cast<Real>(world.environment.origin) - cup;
    CHECK(std::abs(inside[0]) < Real(0.08));
    CHECK(std::abs(inside[2]) < Real(0.08));
    CHECK(inside[1] > 0);
    CHECK(inside[1] < Real(0.2));
  }
}

TEST_CASE("liquid_slides_freely_rubs_or_sticks_as_the_wall_says") {
  // Steep, so that no part of it spreads against the slope.
  const double fallen = 0.5 * 8 * 0.4 * 0.4;
  // Without friction nothing holds it: no wall takes a tangential momentum.
  const double free = path_on_slope("friction = 0.0");
  CHECK(std::abs(free / fallen - 1) < 0.02);
  // Coulomb: 0.1 * 9.81 is lost, as far as all of the weight presses.
  const double lost = free - path_on_slope("friction = 0.1");
  CHECK(std::abs(lost / (0.5 * 0.981 * 0.4 * 0.4) - 1) < 0.15);
  CHECK(path_on_slope("contact = \"sticky\"") < 0.5 * fallen);
}
