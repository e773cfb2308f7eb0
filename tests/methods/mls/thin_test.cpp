#include <cmath>
#include <doctest/doctest.h>

#include "methods/mls/mls_scenes.h"

using namespace phyxel;
using namespace phyxel::mls::test;

// Neighbourhoods that lie in a plane, on a line, or have no neighbours at all.

namespace {

constexpr double eps = std::numeric_limits<Real>::epsilon();
constexpr double youngs_modulus = 1e5, spacing = 0.1;

World thin_world(const std::string& shape, const std::string& keys = "") {
  return world_of(fmt::format(R"(
fps = 50
[world]
gravity = [0, 0, 0]
[material.m]
method = "mls"
density = 1000.0
youngs_modulus = {}
{}
[body.b]
material = "m"
spacing = {}
shape = {}
)",
                              youngs_modulus, keys, spacing, shape));
}
const char* const sheet = R"({ type = "sheet", width = 1.0, height = 0.5 })";
const char* const rod = R"({ type = "polyline", points = [[0, 0, 0], [1, 0, 0]] })";
const char* const one_layer = "{ type = \"box\", size = [0.6, 0.4, 0.1] }\npacking = \"cubic\"";
const char* const lonely = "{ type = \"box\", size = [0.1, 0.1, 0.1] }\npacking = \"cubic\"";
const char* const two = R"({ type = "polyline", points = [[0, 0, 0], [0.1, 0, 0]] })";

Mat3d turn(double angle) {
  const Vec3d axis = normalized(Vec3d{1, 2, -1});
  return rotation(axis, angle);
}

}  // namespace

TEST_CASE("sheets_rods_pairs_and_single_phyxels_turn_without_strain") {
  for (const std::string shape : {sheet, rod, one_layer, lonely, two}) {
    CAPTURE(shape);
    World world = thin_world(shape);
    const std::vector<Vec3d> start = places(world);
    for (int k = 1; k <= 20; ++k) {
      put(world, [&](const Vec3d&, ParticleId id) {
        return turn(0.7 * k) * start[id] + Vec3d{0.3, 0, 0};
      });
      // Places are rounded to eps of a metre, ten spacings.
      CHECK(largest(forces(world)) < 100 * eps * youngs_modulus * spacing * spacing);
      CHECK(elastic_energy(world) < 1e4 * eps * eps * youngs_modulus);
    }
  }
}

TEST_CASE("thin_bodies_that_spin_and_tumble_stay_finite_and_keep_their_momenta") {
  for (const std::string shape : {sheet, rod, one_layer, lonely, two}) {
    CAPTURE(shape);
    World world = thin_world(shape);
    const Index n = method_of(world).particles().size();
    CHECK((n == 1) == (shape == lonely));
    CHECK((n == 2) == (shape == two));
    spin(world, {2, 3, 1}, Real(0.2));
    const Diagnostics before = look(world);
    for (int frame = 0; frame < 25; ++frame) advance(world);
    const Diagnostics after = look(world);
    const double scale = before.mass * before.max_speed;
    CHECK(length(after.momentum - before.momentum) < 100 * eps * scale);
    CHECK(length(after.angular_momentum - before.angular_momentum) < 100 * eps * scale);
    CHECK(after.max_speed < 5 * before.max_speed);
  }
}

TEST_CASE("a_sheet_and_a_rod_that_are_stretched_pull_back") {
  for (const std::string shape : {sheet, rod, two}) {
    CAPTURE(shape);
    World world = thin_world(shape);
    put(world, [](const Vec3d& x, ParticleId) { return Vec3d{1.1 * x[0], x[1], x[2]}; });
    const std::vector<Vec3d> x = places(world), f = forces(world);
    double outwards = 0, centre = 0;
    for (const Vec3d& place : x) centre += place[0] / double(x.size());
    for (std::size_t id = 0; id < f.size(); ++id) outwards += f[id][0] * (x[id][0] - centre);
    CHECK(outwards < 0);
    CHECK(elastic_energy(world) > 0);
  }
}

TEST_CASE("a_stretched_rod_has_the_energy_of_youngs_modulus") {
  World world = thin_world(rod);
  const double stretch = 1.01;
  put(world, [&](const Vec3d& x, ParticleId) { return Vec3d{stretch * x[0], x[1], x[2]}; });
  const double volume = look(world).mass / 1000;
  const double strain = (stretch * stretch - 1) / 2;
  CHECK(elastic_energy(world) ==
        doctest::Approx(0.5 * youngs_modulus * strain * strain * volume).epsilon(1e-3));
}

TEST_CASE("a_stretched_sheet_that_keeps_its_width_has_the_energy_of_plane_stress") {
  World world = thin_world(sheet, "poissons_ratio = 0.4");
  put(world, [&](const Vec3d& x, ParticleId) { return Vec3d{1.01 * x[0], x[1], x[2]}; });
  const double volume = look(world).mass / 1000, strain = (1.01 * 1.01 - 1) / 2;
  const double modulus = youngs_modulus / (1 - 0.4 * 0.4);
  CHECK(elastic_energy(world) ==
        doctest::Approx(0.5 * modulus * strain * strain * volume).epsilon(1e-3));
}

TEST_CASE("a_sheet_that_falls_onto_a_ball_drapes_and_stays_finite") {
  World world = world_of(R"(
fps = 50
[material.m]
method = "mls"
youngs_modulus = 1e5
damping = 1e-3
[body.b]
material = "m"
spacing = 0.05
shape = { type = "sheet", width = 0.6, height = 0.6, centre = [0, 0.35, 0], rotation = [90, 0, 0] }
[collider.ball]
shape = { type = "sphere", radius = 0.2, centre = [0, 0, 0] }
friction = 0.5
)");
  for (int frame = 0; frame < 25; ++frame) advance(world);
  for (const Vec3d& x : places(world)) {
    CHECK(std::isfinite(length(x)));
    CHECK(length(x) > 0.2);
  }
  CHECK(count_inside_colliders(world) == 0);
}
