#include "phyxel/scene/to_toml.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/toml_value.h"
#include "scene/ball_world.h"
#include "scene/base_scene.h"

namespace phyxel {
namespace {

Scene again(const Scene& scene) {
  return parse_scene(to_toml(scene), "copy.toml", "/nowhere");
}

bool same_bits(const Vec3d& a, const Vec3d& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// A scene that no file has described.
Scene made_scene() {
  Scene scene;
  scene.name = "made";
  MaterialSpec wax;
  wax.material.name = "wax";
  wax.material.method = "mpm";
  wax.material.parameters = find_method("mpm")->default_parameters();
  wax.material.density = Real(0.1) + 3;
  scene.materials.push_back(wax);
  BodySpec ball;
  ball.name = "ball";
  ball.material = "wax";
  ball.shape.type = "sphere";
  ball.shape.centre = {0.1, 1.0 / 3, -0.0};
  ball.shape.radius = Real(M_PI / 10);
  ball.spacing = Real(0.1);
  scene.bodies.push_back(ball);
  return scene;
}

}  // namespace

TEST_CASE("numbers_are_written_with_the_digits_that_give_the_same_bits") {
  Real number = 0;
  Parameter parameter{"x", &number, "", any_number, ""};
  for (const Real value : {Real(0.1), Real(1) / 3, Real(-0.0), Real(1e20), Real(16777217),
                           std::nextafter(Real(1), Real(2)), std::numeric_limits<Real>::min()}) {
    number = value;
    const Real read = static_cast<Real>(std::stod(toml_text(parameter)));
    CHECK_MESSAGE(std::memcmp(&read, &value, sizeof read) == 0, toml_text(parameter));
  }
  number = Real(0.1);
  CHECK(toml_text(parameter) == "0.1");
  number = not_given;
  CHECK(toml_text(parameter).empty());
  CHECK(toml_text(std::string("a \"b\\\n")) == "\"a \\\"b\\\\\\u000a\"");
  CHECK(toml_text(ParameterValue(std::vector<double>{1, 0.5})) == "[1.0, 0.5]");
  CHECK_THROWS_AS(toml_text(infinity), InputError);
}

TEST_CASE("ends_of_ranges_can_be_written_also_where_float_rounds_them_outwards") {
  // 0.49 is 0.49000001 as float.
  for (const double end : {0.49, 0.3, 0.7}) {
    Real number = static_cast<Real>(end);
    CHECK(toml_text(Parameter{"x", &number, "", {0, end, true, true, ""}, ""}) ==
          fmt::format("{}", end));
    number = static_cast<Real>(1.01 * end);
    CHECK(toml_text(Parameter{"x", &number, "", {0, end, true, true, ""}, ""}).empty());
  }
}

TEST_CASE("a_scene_made_in_memory_is_written_and_read") {
  const Scene scene = made_scene();
  const Scene copy = again(scene);
  CHECK(copy.name == "made");
  CHECK(same_bits(copy.bodies.at(0).shape.centre, scene.bodies[0].shape.centre));
  CHECK(copy.bodies[0].shape.radius == scene.bodies[0].shape.radius);
  CHECK(copy.materials.at(0).material.density == scene.materials[0].material.density);
  CHECK(same_bits(copy.origin, Vec3d::zero()));  // a file would have got another
  CHECK(to_toml(copy) == to_toml(scene));
  World one = build(scene), other = build(copy);
  advance(one, 20);
  advance(other, 20);
  CHECK(take_frame(one).columns.front().data == take_frame(other).columns.front().data);
}

TEST_CASE("what_a_scene_file_cannot_say_is_refused") {
  Scene scene = made_scene();
  scene.bodies[0].temperature = not_given;
  CHECK_THROWS_WITH_AS(to_toml(scene),
                       doctest::Contains("body.ball.temperature is not given, which a scene file "
                                         "cannot say: it would mean 20.0"),
                       InputError);
}

TEST_CASE("places_are_those_of_the_world_and_read_back_to_the_same_bits") {
  const std::string text = R"(
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e5
[body.ball]
material = "wax"
spacing = 0.1
shape = { type = "union", centre = [1000000.05, 0, 0], rotation = [0, 30, 0], of = [
  { type = "sphere", centre = [0, 0.3, 0], radius = 0.2 },
  { type = "sphere", centre = [0.1, 0.7, 0], radius = 0.2 } ] }
[collider.ground]
shape = { type = "plane", point = [1000000, -1, 0] }
motion = { times = [0, 1], rotations = [[0, 0, 0], [0, 9, 0]], pivot = [1000000.5, 0.1, 0] }
[light.lamp]
position = [1000001, 3, 0.7]
target = [1000000, 0, 0]
)";
  const Scene scene = parse_scene(text, "far.toml");
  REQUIRE(scene.origin[0] > 9e5);
  const Scene copy = again(scene);
  CHECK(copy.world.positions == Positions::world);
  CHECK(to_toml(scene).find("centre = [1000000.05, 0.0, 0.0]") != std::string::npos);
  CHECK(same_bits(copy.origin, scene.origin));
  CHECK(same_bits(copy.bodies[0].shape.centre, scene.bodies[0].shape.centre));
  CHECK(same_bits(copy.bodies[0].shape.of[1].centre, scene.bodies[0].shape.of[1].centre));
  CHECK(same_bits(copy.colliders[0].shape.point, scene.colliders[0].shape.point));
  CHECK(same_bits(copy.colliders[0].motion.pivot, scene.colliders[0].motion.pivot));
  CHECK(same_bits(copy.lights[0].position, scene.lights[0].position));
  CHECK(to_toml(copy) == to_toml(scene));
}

// A third of a metre beside a million has no double that is read as the same number.
TEST_CASE("places_that_the_world_cannot_hold_are_written_relative_to_the_origin") {
  Scene scene = parse_scene(base_scene, "base.toml");
  set_origin(scene, {1e6, 0, 0});
  scene.bodies[0].shape.centre = {1.0 / 3, 1, 0};
  const std::string text = to_toml(scene);
  CHECK(text.find("positions = \"origin\"") != std::string::npos);
  const Scene copy = again(scene);
  CHECK(same_bits(copy.bodies[0].shape.centre, scene.bodies[0].shape.centre));
  CHECK(same_bits(copy.origin, scene.origin));
  CHECK(to_toml(copy) == text);
}

TEST_CASE("a_given_origin_is_used_and_positions_may_count_from_it") {
  const std::string world = "gravity = [0, -9.81, 0]\norigin = [0.5, 0, 0]";
  CHECK(same_bits(parse_scene(with_line(2, world), "base.toml").origin, {0.5, 0, 0}));
  const Scene local = parse_scene(with_line(2, world + "\npositions = \"origin\""), "base.toml");
  CHECK(same_bits(local.bodies[0].shape.centre, {0, 1, 0}));
  CHECK(same_bits(local.origin, {0.5, 0, 0}));
  CHECK_THROWS_WITH_AS(
      parse_scene(with_line(2, "positions = \"origin\""), "base.toml"),
      doctest::Contains("base.toml:2:1: world.positions = \"origin\" needs one; add origin"),
      InputError);
}

TEST_CASE("numbers_of_presets_are_written_out") {
  const Scene scene = parse_scene(with_line(4, "preset = \"putty\""), "base.toml");
  const std::string text = to_toml(scene);
  CHECK(text.find("density = 1600.0\n") != std::string::npos);
  CHECK(text.find("preset = \"putty\"\n") != std::string::npos);
  Scene copy = again(scene);
  CHECK(copy.materials[0].preset == "putty");
  Scene before = scene;
  const Fields read = described_whole(copy.materials[0].material),
               wanted = described_whole(before.materials[0].material);
  for (std::size_t k = 0; k < wanted.list.size(); ++k)
    CHECK_MESSAGE(toml_text(read.list[k]) == toml_text(wanted.list[k]), wanted.list[k].name);
}

TEST_CASE("values_at_their_defaults_that_the_file_has_are_kept") {
  // That a conductivity is given makes the temperature of a collider meaningful, also at 0.
  const std::string text =
      with_line(5, "youngs_modulus = 1e5\nconductivity = 0") + "temperature = 50\n";
  const Scene scene = parse_scene(text, "warm.toml");
  CHECK(to_toml(scene).find("conductivity = 0.0") != std::string::npos);
  CHECK(to_toml(again(scene)) == to_toml(scene));
}

TEST_CASE("every_preset_of_every_method_survives_the_text") {
  for (const KnownMaterial& preset : known_materials()) {
    CAPTURE(preset.name);
    CAPTURE(preset.method);
    std::string text = with_line(5, "preset = \"" + preset.name + "\"");
    const std::string method = "lennard_jones";
    text.replace(text.find(method), method.size(), preset.method);
    Scene scene = parse_scene(text, "base.toml"), copy = again(scene);
    const Fields read = described_whole(copy.materials[0].material),
                 wanted = described_whole(scene.materials[0].material);
    for (std::size_t k = 0; k < wanted.list.size(); ++k)
      CHECK_MESSAGE(toml_text(read.list[k]) == toml_text(wanted.list[k]), wanted.list[k].name);
    CHECK(to_toml(copy) == to_toml(scene));
  }
}

}  // namespace phyxel
