#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {
namespace {

/// A block at rest in empty space, and a ball that is put into its side after a tenth of a second.
std::string block(const std::string& material, const std::string& keys) {
  return fmt::format(R"(fps = 40
duration = 0.5
[world]
gravity = [0, 0, 0]
[material.m]
{}
[body.block]
material = "m"
spacing = 0.08
shape = {{ type = "box", size = [0.3, 0.3, 0.3] }}
[collider.ball]
shape = {{ type = "sphere", centre = [-0.6, 0, 0], radius = 0.15 }}
motion = {{ {} }}
)",
                     material, keys);
}

double largest_speed(World& world) {
  double speed = 0;
  for (auto& method : world.methods)
    for (const Vec3& v : method->particles().v) speed = std::max(speed, double(length(v)));
  return speed;
}

/// Depth of the deepest particle inside the ball, m.
double deepest(World& world) {
  double depth = 0;
  for (auto& method : world.methods)
    for (const Vec3& x : method->particles().x)
      depth = std::max(depth, -double(contact_at(world.environment.colliders[0], x).distance));
  return depth;
}

const std::vector<std::string> materials = {
    "method = \"lennard_jones\"\npreset = \"putty\"", "method = \"sph\"\npreset = \"water\"",
    "method = \"lattice\"\npreset = \"rubber\"",
    "method = \"mass_interaction\"\npreset = \"plasticine\"",
    "method = \"mpm\"\npreset = \"jelly\""};

}  // namespace

TEST_CASE("a_collider_that_jumps_into_matter_pushes_it_out_slowly") {
  for (const std::string& material : materials)
    for (const char* keys :
         {R"(times = [0, 0.1], positions = [[0, 0, 0], [0.4, 0, 0]], interpolation = "step")",
          R"(times = [0, 0.1, 0.1000001], positions = [[0, 0, 0], [0, 0, 0], [0.4, 0, 0]])"}) {
      CAPTURE(material);
      CAPTURE(keys);
      World world = build(parse_scene(block(material, keys), "scene.toml"));
      REQUIRE(world.notes.size() == 1);
      CHECK(world.notes[0].find("scene.toml:12:1: collider.ball") == 0);
      CHECK(world.notes[0].find("0.4 m (5 spacings)") != world.notes[0].npos);
      const Jump jump = world.environment.colliders[0].jumps.at(0);
      const double push = jump.speed, out = jump.to + jump.depth / push;
      double speed = 0;
      while (world.environment.time < out + 0.05) {
        advance(world);
        speed = std::max(speed, largest_speed(world));
      }
      // A surface that comes out at v throws what it meets to 2 v at most; waves that meet at the
      // far side may double that again. Without the withdrawal speeds are thousands of times this.
      CHECK(speed > 0);
      CHECK(speed < 8 * push);
      CHECK(deepest(world) < 0.08);
    }
}

TEST_CASE("a_pin_that_jumps_is_refused_with_its_place") {
  const std::string text = block(materials[2], "times = [0], positions = [[0, 0, 0]]") +
                           R"([pin.end]
body = "block"
shape = { type = "box", size = [0.1, 0.4, 0.4], centre = [0.15, 0, 0] }
motion = { times = [0, 0.1], positions = [[0, 0, 0], [0.3, 0, 0]], interpolation = "step" }
)";
  std::string message;
  try {
    build(parse_scene(text, "scene.toml"));
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK_MESSAGE(message.starts_with("scene.toml:18:"), message);
  CHECK(message.find("pin.end jumps by 0.3 m (3.75 spacings) at t = 0.1 s") != message.npos);
}

TEST_CASE("an_emitter_that_jumps_is_refused_with_its_place") {
  const auto message = [](const std::string& material, const std::string& keys) -> std::string {
    const std::string text = block(material, "times = [0], positions = [[0, 0, 0]]") +
                             R"([emitter.tap]
material = "m"
speed = 1
spacing = 0.08
shape = { type = "sphere", centre = [2, 0.8, 0], radius = 0.15 }
motion = { )" + keys + " }\n";
    try {
      build(parse_scene(text, "scene.toml"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  for (const std::string& material : materials) {
    CAPTURE(material);
    const std::string step = message(
        material,
        R"(times = [0, 0.05], positions = [[0, 0, 0], [-2, -0.5, 0]], interpolation = "step")");
    CHECK_MESSAGE(step.starts_with("scene.toml:20:"), step);
    CHECK(step.find("emitter.tap jumps by 2.06 m (25.8 spacings) at t = 0.05 s") != step.npos);
    CHECK(step.find("give its motion more time") != step.npos);
    const std::string within_a_step = message(
        material, "times = [0, 0.05, 0.0500001], positions = [[0, 0, 0], [0, 0, 0], [-2, 0, 0]]");
    CHECK_MESSAGE(within_a_step.find("emitter.tap moves by 2 m") != within_a_step.npos,
                  within_a_step);
    // A nozzle of a printer, at 2 m/s.
    CHECK(message(material, "times = [0, 1], positions = [[0, 0, 0], [-2, 0, 0]]") == "");
  }
}

TEST_CASE("a_collider_that_moves_at_a_speed_of_this_world_is_no_jump") {
  const World world = build(parse_scene(
      block(materials[0], "times = [0, 0.1], positions = [[0, 0, 0], [0.4, 0, 0]]"), "scene.toml"));
  CHECK(world.notes.empty());
  CHECK(world.environment.colliders[0].jumps.empty());
}

}  // namespace phyxel
