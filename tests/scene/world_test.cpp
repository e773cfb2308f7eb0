#include <cmath>
#include <doctest/doctest.h>
#include <fstream>

#include "phyxel/scene/make_collider.h"
#include "phyxel/scene/timeline.h"
#include "render/temporary_folder.h"
#include "scene/ball_world.h"
#include "scene/base_scene.h"

namespace phyxel {
namespace {

Vec3d centre(World& world) {
  return diagnose(world).centre();
}

Vec3 velocity(const Frame& frame, std::size_t i) {
  const FrameColumn& v = *frame.find("velocity");
  return {Real(v.number(i, 0)), Real(v.number(i, 1)), Real(v.number(i, 2))};
}

// A free body moves as a whole: its momentum is known to rounding of a few hundred particles' sums.
constexpr double rounding = sizeof(Real) == 4 ? 1e-4 : 1e-10;

}  // namespace

TEST_CASE("frames_end_exactly_at_their_times") {
  World world = world_of({.top = "fps = 30"});
  for (int k = 1; k <= 7; ++k) {
    advance(world);
    CHECK(world.frame == k);
    CHECK(world.environment.time == k / 30.0);
  }
}

TEST_CASE("the_time_table_limits_steps") {
  World automatic = world_of({});
  const double stable = stable_step(automatic).dt;
  REQUIRE(stable < 0.1);
  World limited = world_of({.more = fmt::format("[time]\nmax_dt = {}", stable / 4)});
  CHECK(stable_step(limited).dt == doctest::Approx(stable / 4));
  CHECK(std::string(stable_step(limited).reason) == "time.max_dt");
  World careful = world_of({.more = "[time]\nsafety = 0.5"});
  CHECK(stable_step(careful).dt == doctest::Approx(stable / 2));
  World fixed = world_of({.more = fmt::format("[time]\nfixed_dt = {}", 0.1 / 64)});
  const AdvanceReport report = advance(fixed);
  CHECK(report.substeps == 64);
  CHECK(report.smallest_dt == doctest::Approx(0.1 / 64));
  CHECK(report.limit == "time.fixed_dt");
}

TEST_CASE("a_frame_has_all_attributes_in_order_of_ids") {
  World world = world_of({.body = "angular_velocity = [0, 200, 0]"});
  advance_to(world, 3);
  const Frame frame = take_frame(world);
  CHECK(frame.index == 3);
  CHECK(frame.time == 3 / 10.0);
  std::vector<std::string> names;
  for (const FrameColumn& column : frame.columns) {
    names.push_back(column.name);
    CHECK(column.data.size() == frame.count * column.element_size());
  }
  CHECK(names == std::vector<std::string>{"position", "velocity", "id", "mass", "temperature",
                                          "material", "body", "pin", "pair_energy"});
  bool in_place = true;
  for (std::size_t i = 0; i < frame.count; ++i)
    in_place = in_place && frame.find("id")->number(i) == double(i);
  CHECK(in_place);
  const HostParticles& p = world.methods.front()->particles();
  for (Index i = 0; i < p.size(); ++i) CHECK(frame.position(p.id[i]) == p.x[i]);
}

TEST_CASE("angular_velocity_spins_a_body_about_its_centre") {
  World world = world_of({.body = "velocity = [1, 0, 0]\nangular_velocity = [0, 0, 90]"});
  const Frame start = take_frame(world);
  const Vec3 c = cast<Real>(centre(world));
  for (std::size_t i = 0; i < start.count; ++i) {
    const Vec3 expected = Vec3{1, 0, 0} + cross(Vec3{0, 0, Real(M_PI / 2)}, start.position(i) - c);
    CHECK(length(velocity(start, i) - expected) < 1e-5);
  }
  const Vec3d momentum = diagnose(world).angular_momentum;
  advance_to(world, 5);
  CHECK(centre(world)[0] - c[0] == doctest::Approx(0.5).epsilon(rounding));
  CHECK(diagnose(world).angular_momentum[2] == doctest::Approx(momentum[2]).epsilon(rounding));
}

TEST_CASE("flat_scenes_stay_in_their_plane_exactly") {
  World world = world_of({.top = "fps = 10\ndimensions = 2",
                          .world = "gravity = [0, -9.81, 0]",
                          .body = "angular_velocity = [0, 0, 100]\ntemperature = 30",
                          .more = R"(
[collider.ground]
shape = { type = "sphere", centre = [0.5, -6, 0.4], radius = 3 }
friction = 1.0
)"});
  advance_to(world, 10);
  for (auto& method : world.methods)
    for (Index i = 0; i < method->particles().size(); ++i) {
      CHECK(method->particles().x[i][2] == 0);
      CHECK(method->particles().v[i][2] == 0);
    }
  CHECK(diagnose(world).kinetic_energy > 0);
}

TEST_CASE("a_turned_flat_body_stays_in_its_plane") {
  for (const char* rotation : {"[0, 0, 30]", "[20, 0, 30]"}) {
    World world = build(parse_scene(fmt::format(R"(dimensions = 2
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
[body.bar]
material = "wax"
shape = {{ type = "box", size = [4, 2, 3], centre = [0, 1, 0.5], rotation = {} }}
spacing = 0.2
)",
                                                rotation),
                                    "scene.toml"));
    for (const Vec3& x : world.methods[0]->particles().x) CHECK(x[2] == 0);
  }
}

TEST_CASE("periodic_bodies_come_back_on_the_other_side") {
  World world = world_of({.world = R"(gravity = [0, 0, 0]
periodic = [true, true, true]
domain = { min = [-4, -4, -4], max = [4, 4, 4] })",
                          .body = "velocity = [20, 0, 0]"});
  const Frame start = take_frame(world);
  advance_to(world, 4);  // 8 m: once around
  const Frame end = take_frame(world);
  Vec3 mean = Vec3::zero();
  for (std::size_t i = 0; i < end.count; ++i) {
    for (int k = 0; k < 3; ++k) CHECK(std::abs(end.position(i)[k]) <= 4);
    mean += minimum_image(world.environment.box, end.position(i) - start.position(i));
  }
  CHECK(length(mean) / Real(end.count) < 1e-3);
}

TEST_CASE("a_crystal_that_fills_a_periodic_box_is_at_rest") {
  World world = build(parse_scene(R"(fps = 10
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = { min = [0, 0, 0], max = [8.485281374, 8.485281374, 8.485281374] }
[material.wax]
method = "lennard_jones"
particle_mass = 1.0
dissociation_energy = 1.0
[body.all]
material = "wax"
shape = { type = "box", centre = [4.242640687, 4.242640687, 4.242640687], size = [8.485281374, 8.485281374, 8.485281374] }
spacing = 1.0
)",
                                  "scene.toml"));
  CHECK(world.methods[0]->particles().size() == 4 * 6 * 6 * 6);  // cubic cells of edge sqrt 2
  advance(world);
  CHECK(diagnose(world).max_speed < 1e-2);
}

TEST_CASE("closed_walls_keep_everything_inside_for_long") {
  World world = world_of({.world = R"(gravity = [0, -9.81, 0]
walls = "closed"
domain = { min = [-4, -3, -4], max = [4, 5, 4] })",
                          .material = "obstacle_beta = 50",
                          .body = "velocity = [3, 1, 2]",
                          .more = "[time]\nsafety = 0.25"});
  const auto energy = [&] {
    const Diagnostics d = diagnose(world);
    return d.kinetic_energy + d.potential_energy;
  };
  const double before = energy();
  for (int k = 0; k < 100; ++k) {
    advance(world);
    for (const Vec3& x : world.methods[0]->particles().x)
      for (int c = 0; c < 3; ++c) {
        REQUIRE(x[c] > world.live.world.domain_min[c]);
        REQUIRE(x[c] < world.live.world.domain_max[c]);
      }
  }
  // Walls give back all they take; steps that change their size let a thousand impacts add 1 %.
  CHECK(std::abs(energy() - before) < 0.01 * diagnose(world).kinetic_energy);
}

TEST_CASE("colliders_and_walls_have_the_contact_of_the_scene") {
  const auto colliders = [](const std::string& walls) {
    return make_colliders(
        parse_scene(with_line(2, walls) +
                        "contact = \"slip\"\n[collider.plain]\nshape = { type = \"plane\" }\n",
                    "scene.toml"));
  };
  const std::string domain = "domain = { min = [-1, -1, -1], max = [1, 2, 1] }\n";
  const std::vector<Collider> sticky = colliders(domain + "walls = \"sticky\"");
  REQUIRE(sticky.size() == 8);
  CHECK(sticky[0].contact == ContactKind::slip);
  CHECK(sticky[1].contact == ContactKind::separate);
  for (std::size_t k = 2; k < 8; ++k) CHECK(sticky[k].contact == ContactKind::sticky);
  for (const Collider& wall : sticky) CHECK(contact_at(wall, {0, 1, 0}).distance > 0);
  const std::vector<Collider> closed = colliders(domain + "walls = \"closed\"");
  REQUIRE(closed.size() == 8);
  for (std::size_t k = 1; k < 8; ++k) CHECK(closed[k].contact == ContactKind::separate);
  CHECK(colliders(domain).size() == 2);
}

TEST_CASE("an_event_may_change_the_contact_of_a_collider") {
  World world = build(parse_scene(base_scene, "scene.toml"));
  CHECK(world.environment.colliders[0].contact == ContactKind::separate);
  apply(world.live, "collider.ground.contact", std::string("sticky"));
  refresh(world);
  CHECK(world.environment.colliders[0].contact == ContactKind::sticky);
}

TEST_CASE("bodies_from_meshes_and_particle_files") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "tetrahedron.obj")
      << "v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder.path / "points.csv") << "x,y,z\n0,0,0\n1,0,0\n0,2,0\n";
  World world = build(parse_scene(R"(
[material.wax]
method = "lennard_jones"
dissociation_energy = 1.0
density = 1.0
[body.mesh]
material = "wax"
shape = { mesh = "tetrahedron.obj", centre = [10, 0, 0], scale = 2.0 }
spacing = 1.0
[body.file]
material = "wax"
shape = { particles = "points.csv", centre = [0, 5, 0], rotation = [0, 0, 90], scale = 2.0 }
spacing = 1.0
)",
                                  "scene.toml", folder.path));
  const Frame frame = take_frame(world);
  REQUIRE(frame.count > 200);
  double volume = 0;
  for (std::size_t i = 0; i + 3 < frame.count; ++i) {
    const Vec3d x = frame.world_position(i) - Vec3d{10, 0, 0};
    CHECK((x[0] > 0 && x[1] > 0 && x[2] > 0 && x[0] + x[1] + x[2] < 12));
    volume += frame.find("mass")->number(i);
  }
  // Density 1: mass is volume, 12^3/6. The layer at the surface is what a lattice cannot fill.
  CHECK(volume == doctest::Approx(288).epsilon(0.25));
  const std::size_t n = frame.count;
  CHECK(length(frame.world_position(n - 3) - Vec3d{0, 5, 0}) < 1e-5);
  CHECK(length(frame.world_position(n - 2) - Vec3d{0, 7, 0}) < 1e-5);
  CHECK(length(frame.world_position(n - 1) - Vec3d{-4, 5, 0}) < 1e-5);
  CHECK(frame.find("body")->number(n - 1) == 1);
}

TEST_CASE("velocities_of_a_particle_file_come_on_top_of_those_of_the_body") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "points.csv") << "x,y,z,vx,vy,vz\n0,0,0,1,0,0\n1,0,0,0,0,3\n";
  World world = build(parse_scene(R"(
[material.wax]
method = "lennard_jones"
dissociation_energy = 1.0
[body.file]
material = "wax"
shape = { particles = "points.csv", rotation = [0, 0, 90], scale = 2.0 }
spacing = 1.0
velocity = [10, 0, 0]
)",
                                  "scene.toml", folder.path));
  const Frame frame = take_frame(world);
  REQUIRE(frame.count == 2);
  const auto velocity = [&](std::size_t i) {
    const FrameColumn& v = *frame.find("velocity");
    return Vec3{Real(v.number(i, 0)), Real(v.number(i, 1)), Real(v.number(i, 2))};
  };
  CHECK(length(velocity(0) - Vec3{10, 2, 0}) < 1e-5);  // rounding of the turn
  CHECK(length(velocity(1) - Vec3{10, 0, 6}) < 1e-5);
}

namespace {

/// A cube of 8 m^3 that many particles fill. Frames are short, as a random packing is tight.
World world_of_cube(int dimensions, const std::string& packing, const std::string& material) {
  return build(parse_scene(fmt::format(R"(dimensions = {}
fps = 1000
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
{}
[body.cube]
material = "wax"
shape = {{ type = "box", size = [2, 2, 2] }}
spacing = 0.1
packing = "{}"
)",
                                       dimensions, material, packing),
                           "scene.toml"));
}

}  // namespace

TEST_CASE("a_body_weighs_the_same_in_every_packing") {
  // Lattices end within half a spacing of the border, at a twentieth of the edge; Poisson samples
  // crowd there.
  for (const char* packing : {"closest", "cubic", "jittered", "poisson", "random"}) {
    CAPTURE(packing);
    World solid = world_of_cube(3, packing, "density = 500.0");
    CHECK(diagnose(solid).mass == doctest::Approx(8 * 500.0).epsilon(0.12));
    World flat = world_of_cube(2, packing, "");
    CHECK(diagnose(flat).mass == doctest::Approx(4 * 1000.0).epsilon(0.12));
  }
  World cubic = world_of_cube(3, "cubic", "density = 500.0");
  CHECK(diagnose(cubic).mass == doctest::Approx(8 * 500.0).epsilon(1e-4));
}

TEST_CASE("every_material_knows_its_density") {
  const auto material = [](int dimensions, const char* packing, const char* said) {
    return world_of_cube(dimensions, packing, said).environment.materials.at(0);
  };
  CHECK(material(3, "cubic", "density = 500.0").density == 500);
  CHECK(material(3, "cubic", "").density == 1000);
  CHECK(material(3, "cubic", "particle_mass = 2.0").density == doctest::Approx(2000));
  CHECK(material(2, "cubic", "particle_mass = 2.0").density == doctest::Approx(200));
  const Material closest = material(3, "closest", "particle_mass = 2.0");
  CHECK(closest.density == doctest::Approx(2000 * std::sqrt(2.0)));
  CHECK(rest_volume(closest, closest.particle_mass) ==
        doctest::Approx(1e-3 / std::sqrt(2.0)).epsilon(1e-5));
}

TEST_CASE("the_same_scene_gives_the_same_bits") {
  for (const char* packing : {"closest", "jittered", "poisson"}) {
    const Ball ball{
        .world = "gravity = [0, -9.81, 0]",
        .body = fmt::format("packing = \"{}\"\nangular_velocity = [90, 0, 45]", packing)};
    World one = world_of(ball), two = world_of(ball);
    advance_to(one, 3);
    advance_to(two, 3);
    const Frame f = take_frame(one), g = take_frame(two);
    for (std::size_t k = 0; k < f.columns.size(); ++k)
      CHECK(f.columns[k].data == g.columns[k].data);
  }
}

TEST_CASE("a_state_that_is_not_finite_stops_with_particle_time_and_remedy") {
  // Bonds pressed so hard that their energy is beyond the largest number: (1e9)^40.
  World world = world_of({.more = R"(
[time]
fixed_dt = 0.05
[[event]]
time = 0.25
set = { "material.wax.equilibrium_distance" = 1e9, "material.wax.repulsive_exponent" = 40 }
)"});
  std::string message;
  try {
    advance_to(world, 20);
  } catch (const Error& error) {
    message = error.what();
  }
  INFO(message);
  CHECK(message.find("frame 3, t = 0.") == 0);
  CHECK(message.find("particle ") != message.npos);
  CHECK(message.find("non-finite") != message.npos);
  CHECK(message.find("dt = 0.05 s, stable up to ") != message.npos);
  CHECK(message.find("lower time.fixed_dt") != message.npos);
}

TEST_CASE("particles_whose_forces_are_not_finite_are_refused_at_the_start") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "twice.xyz") << "0 0 0\n1 0 0\n1 1e-30 0\n";
  const Ball ball{.more = R"(
[body.twice]
material = "wax"
spacing = 1.0
shape = { particles = "twice.xyz", centre = [9, 0, 0] }
)"};
  CHECK_THROWS_WITH_AS(world_of(ball, folder.path), doctest::Contains("at the start: "),
                       InputError);
}

}  // namespace phyxel
