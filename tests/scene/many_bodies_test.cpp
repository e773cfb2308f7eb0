#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>

#include "geometry/meshes.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/read_shape.h"

using namespace phyxel;

namespace {

constexpr const char* material = R"(
[material.jelly]
method = "mpm"
youngs_modulus = 1e4
)";

std::string body(const std::string& name, const std::string& shape) {
  return fmt::format("[body.{}]\nmaterial = \"jelly\"\nspacing = 0.02\nshape = {}\n", name, shape);
}

std::string ball(double x, double y, double z, double radius) {
  return fmt::format("{{ type = \"sphere\", radius = {}, centre = [{}, {}, {}] }}", radius, x, y,
                     z);
}

/// n^3 balls in rows, each with a collider between it and the next: balls and colliders are so near
/// that their boxes meet, and none is inside another.
std::string crowd(int n) {
  std::string text = material;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double x = 0.1 * i, y = 0.1 * j, z = 0.1 * k;
        text += body(fmt::format("b{}_{}_{}", i, j, k), ball(x, y, z, 0.0499));
        text += fmt::format("[collider.c{}_{}_{}]\nshape = {}\n", i, j, k,
                            ball(x + 0.05, y + 0.05, z + 0.05, 0.036));
      }
  return text;
}

std::string error_of(const std::string& text) {
  try {
    plan(parse_scene(text, "scene.toml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::filesystem::path fresh_folder(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace

TEST_CASE("solids_are_compared_with_their_neighbours_only") {
  const std::size_t few = plan(parse_scene(crowd(4), "few")).compared;
  const std::size_t many = plan(parse_scene(crowd(8), "many")).compared;
  CHECK(few > 64);
  // Eight times the bodies: inner ones have more neighbours than those at the border, at most 8
  // colliders each.
  CHECK(many < 2 * 8 * few);
  CHECK(many <= 512 * 8);
}

TEST_CASE("colliders_far_from_matter_change_no_bit_of_it_in_any_method") {
  const std::string near = R"(duration = 0.1
fps = 50
[body.ball]
material = "m"
shape = { type = "sphere", centre = [0, 0.3, 0], radius = 0.12 }
spacing = 0.03
velocity = [0.3, -2, 0.1]
[collider.floor]
shape = { type = "plane" }
[collider.edge]
shape = { type = "box", centre = [0.1, 0.05, 0], size = [0.1, 0.1, 1], rotation = [0, 20, 30] }
[collider.ball]
shape = { type = "sphere", centre = [-0.1, 0.1, 0], radius = 0.08 }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, 0.5, 0]] }
)";
  std::string far;
  for (int k = 0; k < 60; ++k)
    far += fmt::format("[collider.far{}]\nshape = {}\n", k,
                       ball(2 + 0.3 * (k % 8), 0.3 * (k / 8), 3, 0.1));
  for (const char* m :
       {"preset = \"jelly\"\nmethod = \"mpm\"", "preset = \"water\"\nmethod = \"sph\"",
        "preset = \"jelly\"\nmethod = \"lattice\"", "preset = \"granules\"",
        "method = \"lennard_jones\"\nyoungs_modulus = 1e4"}) {
    CAPTURE(m);
    const std::string scene = fmt::format("{}[material.m]\n{}\n", near, m);
    World few = build(parse_scene(scene, "scene.toml")),
          many = build(parse_scene(scene + far, "scene.toml"));
    for (int frame = 0; frame < 4; ++frame) advance(few), advance(many);
    const HostParticles &a = few.methods[0]->particles(), &b = many.methods[0]->particles();
    REQUIRE(a.x.size() == b.x.size());
    CHECK(std::memcmp(a.x.data(), b.x.data(), a.x.size() * sizeof(Vec3)) == 0);
    CHECK(std::memcmp(a.v.data(), b.v.data(), a.x.size() * sizeof(Vec3)) == 0);
  }
}

TEST_CASE("one_overlap_among_many_bodies_is_found") {
  CHECK(error_of(crowd(6)) == "");
  const std::string two = error_of(crowd(6) + body("late", ball(0.33, 0.3, 0.3, 0.03)));
  CHECK(two.find("b3_3_3 and body.late overlap") != two.npos);
  const std::string floor =
      error_of(crowd(6) + "[collider.floor]\nshape = { type = \"plane\", point = [0, 0, 0] }\n");
  CHECK(floor.find("body.b0_0_0: ") != floor.npos);
  CHECK(floor.find("of it is inside collider.floor") != floor.npos);
  const std::string leaning =
      error_of(crowd(6) +
               "[collider.roof]\nshape = { type = \"plane\", point = [0.52, 0.52, 0.52], normal "
               "= [-1, -1, -1] }\n");
  CHECK(leaning.find("body.b5_5_5") != leaning.npos);
  CHECK(leaning.find("inside collider.roof") != leaning.npos);
}

TEST_CASE("an_overlap_below_a_percent_is_tolerated_among_many_bodies_as_among_few") {
  // Two balls of radius 1 whose centres are 1.86 apart: each is to 0.7 % inside the other.
  const auto pair = body("one", ball(0, 0, 0, 1)) + body("two", ball(1.86, 0, 0, 1));
  std::string many = material;
  for (int k = 0; k < 1500; ++k)
    many += body(fmt::format("b{}", k), ball(k % 40, 9 + k / 40, 0, 0.1));
  CHECK(error_of(std::string(material) + pair) == "");
  CHECK(error_of(many + pair) == "");
}

TEST_CASE("a_collider_is_where_its_motion_begins") {
  const std::string far =
      "[collider.stamp]\nshape = { type = \"sphere\", radius = 0.1 }\n"
      "motion = { times = [0, 1], positions = [[5, 0, 0], [0, 0, 0]] }\n";
  CHECK(error_of(std::string(material) + body("here", ball(0, 0, 0, 0.1)) + far) == "");
  const std::string hit = error_of(std::string(material) + body("there", ball(5, 0, 0, 0.1)) + far);
  CHECK(hit.find("inside collider.stamp") != hit.npos);
}

TEST_CASE("a_mesh_that_many_bodies_name_is_read_once") {
  const auto folder = fresh_folder("phyxel_many_meshes");
  write_obj(folder / "ball.obj", {mesh_icosphere(1, 2), {}, {}, {}});
  std::string text = material;
  for (int k = 0; k < 3; ++k)
    text += body(fmt::format("b{}", k),
                 fmt::format("{{ mesh = \"ball.obj\", scale = 0.1, centre = [{}, 0, 0] }}", k));
  const Scene scene = parse_scene(text, "scene.toml", folder);
  ShapeFiles files{folder};
  const Shape first = make_shape(scene.bodies[0].shape, files);
  const Shape last = make_shape(scene.bodies[2].shape, files);
  CHECK(first.meshes[0] == last.meshes[0]);
  CHECK(plan(scene).files->meshes.size() == 1);
}

TEST_CASE("things_are_found_by_name_in_scenes_that_were_put_together_by_hand") {
  Scene scene = parse_scene(crowd(2), "scene.toml");
  CHECK(body_index(scene, "b1_1_1") == 7);
  CHECK(collider_index(scene, "c0_0_1") == 1);
  CHECK(material_index(scene, "jelly") == 0);
  CHECK(body_index(scene, "nothing") == -1);
  std::swap(scene.bodies[0], scene.bodies[7]);
  CHECK(body_index(scene, "b1_1_1") == 0);
  scene.bodies.resize(2);
  CHECK(body_index(scene, "b0_1_0") == -1);
}

TEST_CASE("more_materials_than_pairs_of_them_can_be_kept_are_refused") {
  std::string text = std::string(material) + body("ball", ball(0, 0, 0, 0.1));
  for (int k = 0; k < 1000; ++k)
    text += fmt::format("[material.m{}]\nmethod = \"mpm\"\nyoungs_modulus = 1e4\n", k);
  const std::string error = error_of(text);
  CHECK(error.find("scene.toml:") == 0);
  CHECK(error.find("the scene has 1001 materials, must be at most 1000") != error.npos);
}

TEST_CASE("events_that_repeat_each_other_cost_no_rehearsal") {
  std::string text = std::string(material) + body("ball", ball(0, 1, 0, 0.1));
  for (int k = 0; k < 20000; ++k)
    text +=
        fmt::format("[[event]]\ntime = {}\nset = {{ \"material.jelly.youngs_modulus\" = {} }}\n",
                    0.001 * k, k % 2 ? 1e4 : 2e4);
  const Scene scene = parse_scene(text, "scene.toml");
  CHECK(scene.events.size() == 20000);
  const World world = build(scene);  // each event tried anew took minutes
  CHECK(world.live.materials[0].material.name == "jelly");
}

TEST_CASE("memory_counts_what_events_and_keys_make_of_a_material") {
  const auto bytes = [](const std::string& in_material, const std::string& later) {
    return plan(parse_scene("[material.jelly]\nmethod = \"lattice\"\nyoungs_modulus = 1e4\n"
                            "melting_rate = 1\n" +
                                in_material + body("ball", ball(0, 0, 0, 0.1)) + later,
                            "scene.toml"))
        .bytes;
  };
  const double solid = bytes("", ""), freezing = bytes("freezing_rate = 5.0\n", "");
  CHECK(freezing > 1.4 * solid);
  CHECK(bytes("", "[[event]]\ntime = 1.0\nset = { \"material.jelly.freezing_rate\" = 5.0 }\n") ==
        freezing);
  CHECK(bytes("",
              "[[keyframe]]\npath = \"material.jelly.freezing_rate\"\ntimes = [0.0, 1.0]\n"
              "values = [0.0, 5.0]\n") == freezing);
}
