#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>

#include "geometry/meshes.h"
#include "phyxel/geometry/mesh.h"
#include "phyxel/geometry/models.h"
#include "phyxel/geometry/thickness.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/plan_checks.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/scene/world.h"

namespace phyxel {

namespace {

/// A block with cells of 0.1 m above a collider.
Scene scene_with(const std::string& collider, const std::string& method = "mpm") {
  return parse_scene(
      fmt::format(R"(
[material.m]
method = "{}"
{}
[body.b]
material = "m"
shape = {{ type = "box", centre = [0, 1.5, 0], size = [0.3, 0.3, 0.3] }}
packing = "cubic"
spacing = 0.05
[collider.c]
{}
)",
                  method, method == "mpm" ? "cell = 0.1" : "youngs_modulus = 1e5", collider),
      "scene.toml");
}

double inside(World& world) {
  for (const auto& [name, value] : diagnose(world).extra)
    if (name == "inside_colliders") return value;
  return -1;
}

}  // namespace

TEST_CASE("the_thickness_of_solids_is_found_where_it_is_below_a_limit") {
  CHECK(thickness_below(shape_box({1, Real(0.02), 1}), 0.1) == doctest::Approx(0.02));
  CHECK(thickness_below(shape_box({1, Real(0.2), 1}), 0.1) > 1e9);
  CHECK(thickness_below(shape_plane({0, 0, 0}, {0, 1, 0}), 0.1) > 1e9);
  CHECK(thickness_below(transformed(shape_sphere(1), {}, Real(0.04)), 0.1) ==
        doctest::Approx(0.08));
  const Transform up{Mat3::identity(), {0, Real(0.1), 0}};
  for (const double wall : {0.03, 0.08}) {
    const Shape cup =
        subtract(shape_cylinder(1, 1), transformed(shape_cylinder(Real(1 - wall), 1), up));
    CHECK(thickness_below(cup, 0.09) == doctest::Approx(wall).epsilon(0.1));
  }
  CHECK(thickness_below(unite(shape_sphere(1), shape_box({3, 1, 3})), 0.1) > 1e9);
}

TEST_CASE("check_warns_of_colliders_thinner_than_a_cell") {
  const std::string thin = "shape = { type = \"box\", size = [2, 0.02, 2] }",
                    solid = "shape = { type = \"box\", size = [2, 0.5, 2] }";
  const ScenePlan planned = plan(scene_with(thin));
  REQUIRE(planned.warnings.size() == 1);
  for (const char* part : {"scene.toml:11", "collider.c is 0.02 m thick", "a cell of 0.1 m",
                           "two cells thick", "body.b.spacing"}) {
    CAPTURE(part);
    CHECK(planned.warnings[0].find(part) != std::string::npos);
  }
  CHECK(plan(scene_with(solid)).warnings.empty());
  CHECK(plan(scene_with("shape = { type = \"plane\" }")).warnings.empty());
  CHECK(plan(scene_with(thin, "lattice")).warnings.empty());
}

TEST_CASE("check_warns_of_mesh_sequences_thinner_than_a_cell") {
  const auto folder = std::filesystem::temp_directory_path() / "phyxel_thin_sequence";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const double thickness : {0.05, 0.3}) {
    const Vec3 size{1, static_cast<Real>(thickness), 1};
    for (int k = 0; k < 2; ++k)
      write_obj(folder / fmt::format("plate_{}.obj", k), {mesh_box(size), {}, {}, {}});
    Scene scene =
        scene_with("shape = { type = \"mesh_sequence\", file = \"plate_{}.obj\", fps = 24 }");
    scene.folder = folder;
    ShapeFiles files{folder};
    const std::vector<std::string> warnings = thin_colliders(scene, files);
    REQUIRE(warnings.size() == (thickness < 0.1 ? 1 : 0));
    if (thickness < 0.1) CHECK(warnings[0].find("collider.c is 0.05 m thick") != std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("particles_inside_colliders_are_counted_for_all_methods") {
  // A block that jumps onto matter after the first frame.
  const std::string jumps = R"(shape = { type = "box", size = [0.6, 0.6, 0.6] }
motion = { times = [0, 0.05], positions = [[0, 0, 0], [0, 1.5, 0]], interpolation = "step" })";
  for (const std::string method : {"mpm", "lattice"}) {
    CAPTURE(method);
    World world = build(scene_with(jumps, method));
    CHECK(inside(world) == 0);
    move_to(world.environment, 0.06);
    const double all = static_cast<double>(world.methods.front()->particles().size());
    CHECK(inside(world) == all);
    // Less than half a spacing is the size of a particle.
    world.environment.colliders[0].pose.transform.translation[1] =
        Real(1.5 - 0.3 + 0.15 - 0.3 - 0.02);
    CHECK(inside(world) == 0);
    CHECK(count_inside_colliders(world) == 0);
  }
}

TEST_CASE("no_method_lets_a_thin_plate_through_that_moves_fast") {
  for (const auto& [method, stiffness] :
       {std::pair{"lennard_jones", "youngs_modulus = 1e6"}, std::pair{"sph", ""},
        std::pair{"lattice", "youngs_modulus = 1e5"},
        std::pair{"mass_interaction", "youngs_modulus = 1e4"}}) {
    CAPTURE(method);
    World world = build(parse_scene(fmt::format(R"(
fps = 200
[world]
gravity = [0, 0, 0]
[material.m]
method = "{}"
{}
[body.b]
material = "m"
shape = {{ type = "box", size = [0.3, 0.3, 0.3] }}
spacing = 0.04
[collider.plate]
shape = {{ type = "box", centre = [0, -0.3, 0], size = [3, 0.004, 3] }}
motion = {{ times = [0, 0.02, 0.04], positions = [[0, 0, 0], [0, 0.1, 0], [0, 0.7, 0]] }}
)",
                                                method, stiffness),
                                    "test"));
    for (int frame = 0; frame < 9; ++frame) advance(world);
    int behind = 0;
    for (const Vec3& x : world.methods.front()->particles().x) behind += x[1] < Real(0.4);
    CHECK(behind == 0);
  }
}

}  // namespace phyxel
