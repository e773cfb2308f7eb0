#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/world.h"

using namespace phyxel;

namespace {

/// A block of some hundred particles, cells of 0.08 m.
struct Block {
  std::string material = "law = \"corotated\"\nyoungs_modulus = 1e5";
  std::string gravity = "[0, -9.81, 0]";
  Real y = Real(0.25), speed = 0;  // m, m/s down
  std::string collider;
};

World world_of(const Block& b) {
  return build(parse_scene(fmt::format(R"(
fps = 200
[world]
gravity = {}
[material.m]
method = "mpm"
density = 1000.0
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, {}, 0], size = [0.3, 0.3, 0.3] }}
spacing = 0.04
velocity = [0, {}, 0]
[collider.thin]
{}
)",
                                       b.gravity, b.material, b.y, -b.speed, b.collider),
                           "test"),
               {});
}

const std::vector<std::string> materials = {
    "law = \"corotated\"\nyoungs_modulus = 1e5",
    "law = \"corotated\"\nyoungs_modulus = 1e5\nintegration = \"implicit\"",
    "law = \"liquid\"\nbulk_modulus = 1e5",
    "law = \"liquid\"\nbulk_modulus = 1e5\ntransfer = \"flip\"",
    "law = \"snow\"",
    "law = \"sand\""};

/// Between two planes of nodes, and a twentieth of a cell thick.
const std::string plate =
    "shape = { type = \"box\", centre = [0, 0.035, 0], size = [3, 0.004, 3] }";

template <class Test>
int count(World& world, Test test) {
  const HostParticles& p = world.methods.front()->particles();
  const Vec3 origin = cast<Real>(world.environment.origin);
  return static_cast<int>(
      std::count_if(p.x.begin(), p.x.end(), [&](const Vec3& x) { return test(origin + x); }));
}

}  // namespace

TEST_CASE("no_particle_falls_through_a_plate_much_thinner_than_a_cell") {
  for (const std::string& material : materials)
    for (const Real speed : {Real(10), Real(50)}) {
      CAPTURE(material);
      CAPTURE(speed);
      World world = world_of({.material = material, .speed = speed, .collider = plate});
      for (int frame = 0; frame < 8; ++frame) advance(world);
      CHECK(count(world, [](const Vec3& x) { return x[1] < Real(0.035); }) == 0);
      CHECK(count_inside_colliders(world) == 0);
    }
}

TEST_CASE("a_thin_plate_that_moves_fast_takes_all_matter_along") {
  const std::string rises = R"(
shape = { type = "box", centre = [0, -0.3, 0], size = [3, 0.004, 3] }
motion = { times = [0, 0.02, 0.04], positions = [[0, 0, 0], [0, 0.1, 0], [0, 0.7, 0]] })";
  for (const std::string& material : materials) {
    CAPTURE(material);
    World world =
        world_of({.material = material, .gravity = "[0, 0, 0]", .y = 0, .collider = rises});
    for (int frame = 0; frame < 9; ++frame) advance(world);
    CHECK(count(world, [](const Vec3& x) { return x[1] < Real(0.4); }) == 0);
  }
}

TEST_CASE("a_blade_that_turns_pushes_matter_to_one_side") {
  const std::string turns = R"(
shape = { type = "box", centre = [0, -0.3, 0], size = [3, 0.004, 3] }
motion = { times = [0, 0.1], rotations = [[0, 0, 0], [0, 0, 120]], pivot = [-0.6, -0.3, 0] })";
  for (const std::string& material : {materials[0], materials[2]}) {
    CAPTURE(material);
    World world =
        world_of({.material = material, .gravity = "[0, 0, 0]", .y = 0, .collider = turns});
    for (int frame = 0; frame < 15; ++frame) advance(world);
    const Transform pose = world.environment.colliders[0].pose.transform;
    CHECK(count(world, [&](const Vec3& x) { return apply_inverse(pose, x)[1] < Real(-0.3); }) == 0);
  }
}

TEST_CASE("a_cup_with_thin_walls_holds_what_splashes_into_it") {
  // Walls of a tenth of a cell, as a difference of two cylinders.
  const std::string cup = R"(
shape = { type = "difference", of = [{ type = "cylinder", centre = [0, 0.4, 0], radius = 0.35, height = 1.0 },
  { type = "cylinder", centre = [0, 0.51, 0], radius = 0.342, height = 1.2 }] })";
  for (const std::string& material : {materials[2], materials[5]}) {
    CAPTURE(material);
    World world = world_of({.material = material, .speed = 10, .collider = cup});
    for (int frame = 0; frame < 30; ++frame) advance(world);
    CHECK(count(world, [](const Vec3& x) {
            return x[1] < Real(0.85) &&
                   (x[0] * x[0] + x[2] * x[2] > Real(0.35 * 0.35) || x[1] < Real(-0.1));
          }) == 0);
    CHECK(count_inside_colliders(world) == 0);
  }
}
