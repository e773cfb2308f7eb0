#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "methods/pbd/pbd_scenes.h"
#include "phyxel/app/scenes.h"
#include "phyxel/methods/pbd/material.h"

// Contact that lasts, and contact that is fast.

using namespace phyxel;
using namespace phyxel::pbd::test;

namespace {

/// A sheet falls on a cube; a hand takes one of its corners across to the other side and lets go.
std::string folded_sheet(const std::string& keys) {
  return fmt::format(R"(
fps = 10
[world]
gravity = [0, -9.81, 0]
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 1000.0
bend_stiffness = 2e-6
damping = 5e-4
friction = 0.2
contact_thickness = 0.005
{}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.7, height = 0.7, centre = [0, 0.37, 0], rotation = [-90, 20, 0] }}
spacing = 0.035
thickness = 0.001
[pin.hand]
body = "b"
shape = {{ type = "box", centre = [0.449, 0.37, 0.209], size = [0.12, 0.1, 0.12] }}
active = false
motion = {{ times = [1, 1.2, 1.4, 1.6], positions = [[0, 0, 0], [-0.3, 0.5, -0.15], [-0.8, 0.3, -0.3], [-0.8, 0.1, -0.3]] }}
[[event]]
time = 1.0
set = {{ "pin.hand.active" = true }}
[[event]]
time = 1.6
set = {{ "pin.hand.active" = false }}
[collider.cube]
shape = {{ type = "box", size = [0.3, 0.3, 0.3], centre = [0, 0.15, 0], rounding = 0.02 }}
friction = 0.3
[collider.ground]
shape = {{ type = "plane" }}
friction = 0.5
)",
                     keys);
}

/// A shell of gas flies at 50 m/s against a sheet that is held at two sides.
std::string shot_sheet(const std::string& keys) {
  return fmt::format(R"(
fps = 500
[world]
gravity = [0, 0, 0]
[material.m]
method = "pbd"
density = 900.0
stretch_modulus = 2.0e4
contact_thickness = 0.01
friction = 0.2
substeps = 24
{0}
[material.shell]
method = "pbd"
density = 900.0
stretch_modulus = 2.0e4
pressure = 1.2e5
contact_thickness = 0.01
friction = 0.2
substeps = 24
{0}
[body.sheet]
material = "m"
shape = {{ type = "sheet", width = 0.6, height = 0.6 }}
spacing = 0.03
thickness = 0.002
[body.ball]
material = "shell"
shape = {{ type = "mesh", file = "models/ball.obj", centre = [0.02, 0.03, 0.17] }}
fill = "surface"
spacing = 0.0226
thickness = 0.002
velocity = [0, 0, -50]
[pin.left]
body = "sheet"
shape = {{ type = "box", centre = [-0.3, 0, 0], size = [0.08, 1, 0.1] }}
[pin.right]
body = "sheet"
shape = {{ type = "box", centre = [0.3, 0, 0], size = [0.08, 1, 0.1] }}
)",
                     keys);
}

World world_with_ball(const std::string& text) {
  Scene scene = parse_scene(text, "test", find_scene("balloons").parent_path());
  set_origin(scene, Vec3d::zero());
  return build(scene);
}

/// How far the ball is in front of the part of the sheet that it meets, m.
double height_of_ball(World& world) {
  const std::vector<Vec3d> x = places(world);
  const std::size_t first = world.seeds[1].first_id;
  double ball = 0, sheet = 0, count = 0;
  for (std::size_t i = first; i < x.size(); ++i) ball += x[i][2] / double(x.size() - first);
  for (std::size_t i = 0; i < first; ++i)
    if (std::hypot(x[i][0], x[i][1]) < 0.06) {
      sheet += x[i][2];
      ++count;
    }
  return ball - sheet / count;
}

}  // namespace

TEST_CASE("a_sheet_dropped_on_a_cube_and_folded_on_itself_does_not_intersect_in_10_s") {
  for (const bool contact : {true, false}) {
    CAPTURE(contact);
    World world = world_of(folded_sheet(contact ? "" : "continuous = false"));
    int most = 0;
    double contacts = 0;
    for (int frame = 0; frame < (contact ? 100 : 40); ++frame) {
      advance(world);
      most = std::max(most, crossings_of(world));
      for (const auto& [name, value] : look(world).extra)
        if (name == "contacts") contacts = std::max(contacts, value);
    }
    CHECK(contacts > 30);
    CHECK((most == 0) == contact);  // by the ends of steps alone it does
  }
}

TEST_CASE("a_sheet_hit_by_a_ball_at_50_m_per_s_is_not_passed") {
  for (const bool contact : {true, false}) {
    CAPTURE(contact);
    World world = world_with_ball(shot_sheet(contact ? "" : "continuous = false"));
    REQUIRE(world.seeds[0].first_id == 0);
    int most = 0;
    double lowest = 1, fastest = 0;
    for (int frame = 0; frame < 20; ++frame) {
      advance(world);
      most = std::max(most, crossings_of(world));
      lowest = std::min(lowest, height_of_ball(world));
      fastest = std::max(fastest, look(world).max_speed);
    }
    CHECK((most == 0) == contact);
    CHECK((lowest > 0.05) == contact);
    CHECK(fastest < 75);  // nothing is thrown about
  }
}

TEST_CASE("sharp_edges_of_colliders_look_out_by_no_more_than_check_says") {
  const auto depth = [](double thickness, double& said) {
    World world = world_of(fmt::format(R"(
fps = 10
[material.m]
method = "pbd"
density = 300.0
stretch_modulus = 1000.0
contact_thickness = {}
[body.b]
material = "m"
shape = {{ type = "sheet", width = 0.6, height = 0.6, centre = [0, 0.35, 0], rotation = [-90, 33, 0] }}
spacing = 0.04
thickness = 0.001
[collider.cube]
shape = {{ type = "box", size = [0.3, 0.3, 0.3], centre = [0, 0.15, 0] }}
friction = 0.5
)",
                                       thickness));
    said = pbd::depth_of_edges(world.environment.materials[0]);
    for (int frame = 0; frame < 15; ++frame) advance(world);
    const std::vector<Vec3d> x = places(world);
    double deepest = 0;
    for (const Vec<Index, 2>& e : world.seeds[0].mesh.edges) {
      const Vec3d middle = (x[e[0]] + x[e[1]]) * 0.5 - Vec3d{0, 0.15, 0};
      deepest = std::max(deepest, 0.15 - std::max({std::abs(middle[0]), std::abs(middle[1]),
                                                   std::abs(middle[2])}));
    }
    return deepest;
  };
  double said = 0;
  const double thin = depth(0.01, said);
  CHECK(said == doctest::Approx(0.02 - 0.00707).epsilon(1e-3));
  CHECK(thin > 0.2 * said / std::sqrt(2.0));  // the depth below a face is less than below the edge
  CHECK(thin < 1.1 * said / std::sqrt(2.0));
  CHECK(depth(0.0283, said) < 0.001);
  CHECK(said < 1e-4);
}
