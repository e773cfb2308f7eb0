#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <span>

#include "io/write_csv.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/pictures/pictures.h"
#include "phyxel/app/pictures/render_frames.h"
#include "phyxel/app/run.h"
#include "phyxel/core/error.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/points.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

/// A place of the scene, moved: written as a user would write it, in decimals.
struct Moved {
  long long by[3];  // thousandths of m

  std::string operator()(double x, double y, double z) const {
    const double place[] = {x, y, z};
    std::string text[3];
    for (int k = 0; k < 3; ++k) {
      const long long thousandths = by[k] + std::llround(place[k] * 1000);
      text[k] = fmt::format("{}{}.{:03}", thousandths < 0 ? "-" : "", std::abs(thousandths) / 1000,
                            std::abs(thousandths) % 1000);
    }
    return fmt::format("[{}, {}, {}]", text[0], text[1], text[2]);
  }
};

const std::map<std::string, std::string> materials = {
    {"mpm", "preset = \"jelly\"\nmethod = \"mpm\"\ncell = 0.1"},
    {"lennard_jones", "method = \"lennard_jones\"\nyoungs_modulus = 1e4"},
    {"sph", "preset = \"water\"\nmethod = \"sph\""},
    {"mls", "preset = \"jelly\"\nmethod = \"mls\""},
    {"lattice", "preset = \"jelly\"\nmethod = \"lattice\""},
    {"mass_interaction", "preset = \"gel\"\nmethod = \"mass_interaction\""}};

/// A body off the middle that falls beside a turning paddle onto a sphere and a floor, another that
/// is held by a pin and cut out of two shapes.
std::string scene_text(const std::string& method, const Moved& at) {
  std::string text =
      fmt::format(R"(duration = 0.1
fps = 50
[world]
domain = {{ min = {}, max = {} }}
walls = "closed"
[material.m]
{}
[body.box]
material = "m"
shape = {{ type = "box", centre = {}, size = [0.3, 0.2, 0.25], rotation = [10, 20, 0] }}
spacing = 0.05
velocity = [0.4, -1, 0.1]
[body.cut]
material = "m"
shape = {{ type = "difference", of = [
  {{ type = "box", centre = {}, size = [0.3, 0.3, 0.3] }},
  {{ type = "sphere", centre = {}, radius = 0.1 }} ] }}
spacing = 0.05
[collider.floor]
shape = {{ type = "plane", point = {} }}
[collider.ball]
shape = {{ type = "sphere", centre = {}, radius = 0.12 }}
[collider.slope]
shape = {{ type = "plane", point = {}, normal = [0.6, 0.8, 0] }}
[collider.paddle]
shape = {{ type = "union", centre = {}, rotation = [0, 30, 0], of = [
  {{ type = "box", size = [0.3, 0.05, 0.3] }},
  {{ type = "sphere", centre = [0.1, 0, 0], radius = 0.06 }} ] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0.2, 0.3, 0]], rotations = [[0, 0, 0], [0, 0, 90]], pivot = {} }}
[pin.hold]
body = "cut"
shape = {{ type = "box", centre = {}, size = [0.4, 0.12, 0.4] }}
motion = {{ times = [0, 1], rotations = [[0, 0, 0], [0, 60, 0]], pivot = {} }}
[surface.m]
method = "zhu_bridson"
[light.lamp]
position = {}
target = {}
[render]
width = 48
height = 32
samples = 2
)",
                  at(-1, -0.1, -1), at(1.2, 1.5, 1), materials.at(method), at(0.15, 0.44, 0.05),
                  at(-0.4, 0.8, -0.1), at(-0.32, 0.88, -0.1), at(0, 0, 0), at(0.1, 0.1, 0),
                  at(-0.9, 0, 0), at(0.6, 0.3, 0.1), at(0.6, 0.3, 0.1), at(-0.4, 0.95, -0.1),
                  at(-0.4, 0.8, -0.1), at(1, 2, 1), at(0, 0.3, 0));
  return text;
}

Scene scene_of(const std::string& text) {
  return parse_scene(text, "scene.toml", ".");
}

/// What of a world must not depend on where it is.
struct Outcome {
  Vec3d origin;
  std::vector<std::vector<std::byte>> columns;  // as in checkpoints
  double kinetic_energy;
  Frame frame;
  std::vector<Vec3> vertices;
  std::vector<float> pixels;
};

Outcome outcome_of(const Scene& scene, int frames, bool picture = true) {
  World world = build(scene);
  for (int k = 0; k < frames; ++k) advance(world);
  Outcome out;
  out.origin = world.environment.origin;
  for (auto& method : world.methods)
    for (const ColumnView& view : method->columns()) {
      const auto* bytes = static_cast<const std::byte*>(view.data);
      out.columns.emplace_back(bytes, bytes + view.count * view.element_size());
    }
  out.kinetic_energy = diagnose(world).kinetic_energy;
  out.frame = take_frame(world);
  if (!picture) return out;
  const std::vector<MatterPart> parts = SurfaceMaker(scene).make({}, out.frame);
  out.vertices = joined(parts).mesh.vertices;
  const render::Image image = Photographer(scene).picture({}, out.frame, parts);
  for (const render::Colour& c : image.pixels)
    for (int k = 0; k < 3; ++k) out.pixels.push_back(c[k]);
  return out;
}

void check_same(const Outcome& here, const Outcome& there) {
  CHECK(here.columns == there.columns);
  CHECK(here.kinetic_energy == there.kinetic_energy);
  CHECK(std::ranges::equal(std::as_bytes(std::span(here.vertices)),
                           std::as_bytes(std::span(there.vertices))));
  CHECK(here.pixels == there.pixels);
}

std::string refusal(const std::string& text) {
  try {
    build(scene_of(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

constexpr long long km = 1000 * 1000;
constexpr double rounding = std::numeric_limits<Real>::epsilon() / 2;

}  // namespace

TEST_CASE("a_moved_scene_is_the_same_bits_in_all_methods") {
  for (const auto& [method, material] : materials) {
    CAPTURE(method);
    const Outcome here = outcome_of(scene_of(scene_text(method, {{0, 0, 0}})), 3);
    REQUIRE(!here.vertices.empty());
    // Three cells, and a kilometre to a thousand in all directions.
    for (const Moved& moved : {Moved{{300, -500, 700}}, Moved{{km, 0, 0}}, Moved{{0, -100 * km, 0}},
                               Moved{{-1000 * km, 1000 * km, 1000 * km}}}) {
      CAPTURE(moved.by[0]);
      CAPTURE(moved.by[1]);
      const Outcome there = outcome_of(scene_of(scene_text(method, moved)), 3);
      for (int k = 0; k < 3; ++k)
        CHECK(there.origin[k] - here.origin[k] ==
              doctest::Approx(moved.by[k] / 1000.0).epsilon(1e-15));
      check_same(here, there);
    }
  }
}

namespace {

std::string emitter_text(const Moved& at) {
  return fmt::format(R"(duration = 0.1
fps = 50
[material.m]
preset = "water"
method = "sph"
[emitter.tap]
material = "m"
shape = {{ type = "cylinder", centre = {}, radius = 0.1, height = 0.1 }}
direction = [0.2, -1, 0.1]
spacing = 0.05
speed = 2
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0.3, 0, 0]] }}
[collider.floor]
shape = {{ type = "plane", point = {} }}
)",
                     at(0.2, 0.5, -0.1), at(0, 0, 0));
}

std::string periodic_text(const Moved& at) {
  return fmt::format(R"(duration = 0.1
fps = 50
[world]
gravity = [0, 0, 0]
periodic = [true, true, true]
domain = {{ min = {}, max = {} }}
[material.m]
method = "lennard_jones"
youngs_modulus = 1e4
[body.box]
material = "m"
shape = {{ type = "box", centre = {}, size = [0.4, 0.4, 0.4] }}
spacing = 0.08
velocity = [3, 0, 0]
)",
                     at(0, 0, 0), at(0.8, 0.8, 0.8), at(0.5, 0.3, 0.4));
}

}  // namespace

TEST_CASE("streams_and_periodic_domains_do_not_depend_on_where_they_are") {
  for (const auto& text : {emitter_text, periodic_text}) {
    const Outcome here = outcome_of(scene_of(text({{0, 0, 0}})), 4, false);
    for (const Moved& moved : {Moved{{50, 100, -150}}, Moved{{-1000 * km, 3 * km, 1000 * km}}})
      check_same(here, outcome_of(scene_of(text(moved)), 4, false));
  }
}

TEST_CASE("a_floor_that_stays_behind_is_the_same_floor") {
  const auto text = [](const std::string& x) {
    return "[material.m]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1e4\n[body.b]\n"
           "material = \"m\"\nspacing = 0.05\nshape = { type = \"sphere\", radius = 0.12, centre = "
           "[" +
           x + ", 0.15, 0] }\n[collider.floor]\nshape = { type = \"plane\" }\n";
  };
  const Outcome here = outcome_of(scene_of(text("0.2")), 2, false);
  CHECK(here.columns == outcome_of(scene_of(text("1000000.2")), 2, false).columns);
}

TEST_CASE("centred_scenes_on_a_floor_at_zero_keep_zero_as_origin") {
  const Scene scene = scene_of(
      "[material.m]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1e4\n[body.b]\nmaterial = "
      "\"m\"\nspacing = 0.05\n"
      "shape = { type = \"sphere\", radius = 0.12, centre = [0, 0.45, 0] }\n"
      "[collider.floor]\nshape = { type = \"plane\" }\n");
  CHECK(scene.origin == Vec3d::zero());
  CHECK(scene.bodies[0].shape.centre == Vec3d{0, 0.45, 0});
}

TEST_CASE("flat_scenes_stay_in_their_plane") {
  const Scene scene = scene_of(
      "dimensions = 2\n[material.m]\nmethod = \"lennard_jones\"\n[body.b]\nmaterial = \"m\"\n"
      "spacing = 0.05\nshape = { type = \"sphere\", radius = 0.12, centre = [1e5, 7, 0.02] }\n");
  CHECK(scene.origin == Vec3d{1e5, 7, 0});
}

TEST_CASE("momenta_and_energies_are_those_of_the_world") {
  const auto text = [](const Moved& at) { return scene_text("lennard_jones", at); };
  World here = build(scene_of(text({{0, 0, 0}}))),
        there = build(scene_of(text({{2 * km, 5 * km, 0}})));
  const Diagnostics a = diagnose(here), b = diagnose(there);
  const Vec3d by{2000, 5000, 0};
  CHECK(length(b.centre() - a.centre() - by) < 1e-9);
  CHECK(length(b.angular_momentum - a.angular_momentum - cross(by, a.momentum)) <
        1e-12 * length(cross(by, a.momentum)));
  const double lift = a.mass * 9.81 * 5000;
  CHECK(b.potential_energy - a.potential_energy == doctest::Approx(lift).epsilon(1e-6));
}

TEST_CASE("files_hold_places_of_the_world") {
  const TemporaryFolder folder;
  const std::string text = scene_text("lennard_jones", {{1000 * km, 0, -1000 * km}});
  Scene scene = scene_of(text);
  scene.output.particles = "both";
  RunOptions options;
  options.out = folder.path / "run";
  options.frames = 1;
  run(scene, options);
  World world = build(scene);
  advance(world);
  const Frame exact = take_frame(world);
  for (const char* file : {"run/particles/frame_0001.ply", "run/particles/frame_0001.vtp"}) {
    const Frame read = read_points(folder.path / file);
    REQUIRE(read.count == exact.count);
    CHECK(read.origin != Vec3d::zero());          // of all builds: pictures are traced in float
    for (std::size_t i = 0; i < read.count; ++i)  // a double of a million has steps of 1.2e-10
      REQUIRE(length(read.world_position(i) - exact.world_position(i)) < 3e-10);
  }
  write_csv(folder.path / "points.csv", exact);
  const Frame csv = read_points(folder.path / "points.csv");
  for (std::size_t i = 0; i < csv.count; ++i)
    REQUIRE(length(csv.world_position(i) - exact.world_position(i)) < 3e-10);
  const SurfaceMesh surface = read_surface(folder.path / "run/surface/frame_0001.ply");
  const SurfaceMesh made = joined(SurfaceMaker(scene).make({}, exact));
  REQUIRE(surface.mesh.vertices.size() == made.mesh.vertices.size());
  const auto a = world_vertices(surface), b = world_vertices(made);
  for (std::size_t i = 0; i < a.size(); ++i) REQUIRE(length(a[i] - b[i]) < 1e-7);  // kept as float
  write_obj(folder.path / "surface.obj", made);
  const Frame c = read_points(folder.path / "surface.obj");
  REQUIRE(c.count == b.size());
  for (std::size_t i = 0; i < c.count; ++i) REQUIRE(length(c.world_position(i) - b[i]) < 3e-10);
  const SurfaceMesh obj = read_surface(folder.path / "surface.obj");  // in the order of its faces
  const auto d = world_vertices(obj);
  for (std::size_t k = 0; k < obj.mesh.triangles.size(); ++k)
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3d at = d[obj.mesh.triangles[k][corner]];
      REQUIRE(length(at - b[made.mesh.triangles[k][corner]]) < 1e-7);
    }
}

TEST_CASE("a_particle_file_far_away_is_read_where_it_lies") {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& x) {
    std::ofstream file(folder.path / name);
    file << "x,y,z\n";
    for (int k = 0; k < 18; ++k) file << x << 10 + 5 * k << ",0." << 20 + 5 * (k % 3) << ",0.05\n";
  };
  write("near.csv", "0.");
  write("far.csv", "1000000.");
  const auto points = [&](const char* file, const std::string& centre) {
    World world = build(parse_scene(
        fmt::format("[material.m]\nmethod = \"lennard_jones\"\nyoungs_modulus = "
                    "1e4\n[body.b]\nmaterial = \"m\"\n"
                    "spacing = 0.05\nshape = {{ type = \"particles\", file = \"{}\", centre = {} "
                    "}}\n[collider.floor]\nshape = {{ type = \"plane\" }}\n",
                    file, centre),
        "scene.toml", folder.path));
    CHECK(world.environment.origin[1] == 0);
    return take_frame(world);
  };
  const Frame near = points("near.csv", "[0, 0, 0]"), far = points("far.csv", "[0, 0, 0]");
  CHECK(far.origin[0] - near.origin[0] == 1e6);
  REQUIRE(near.count == far.count);
  for (std::size_t i = 0; i < near.count; ++i)  // half a step of a double of a million
    CHECK(length(near.position(i) - far.position(i)) < 1.2e-10 + 2 * rounding * 0.5);
}

TEST_CASE("a_run_far_away_resumes_and_is_drawn_again") {
  const TemporaryFolder folder;
  Scene scene = scene_of(scene_text("mpm", {{1000 * km, 0, 0}}));
  RunOptions options;
  options.out = folder.path / "run";
  options.frames = 1;
  run(scene, options);
  options.frames = 2;
  options.resume = true;
  run(scene, options);
  World straight = build(scene), resumed = build(scene);
  for (int k = 0; k < 2; ++k) advance(straight);
  load_checkpoint({options.out}, resumed);
  CHECK(take_frame(straight).columns[0].data == take_frame(resumed).columns[0].data);
  resumed.environment.origin[0] += 1;
  CHECK_THROWS_WITH_AS(load_checkpoint({options.out}, resumed), doctest::Contains("relative to"),
                       InputError);
  RenderJob job;
  job.places = {options.out.string()};
  job.out = folder.path / "again";
  CHECK(render_frames({}, job, [](const RenderProgress&) {}).pictures == 3);
}

TEST_CASE("points_of_others_far_away_are_drawn_as_near_ones") {
  const TemporaryFolder folder;
  const auto draw = [&](const std::string& name, double x) {
    std::ofstream file(folder.path / (name + ".xyz"));
    for (int k = 0; k < 64; ++k)
      file << fmt::format("{:.2f} {:.2f} {:.2f}\n", x + 0.25 * (k % 4), 0.25 * (k / 4 % 4),
                          0.25 * (k / 16));
    file.close();
    RenderJob job;
    job.places = {(folder.path / (name + ".xyz")).string()};
    job.out = folder.path / name;
    job.overrides = {parse_override("render.width=32"), parse_override("render.height=24")};
    render_frames({}, job, [](const RenderProgress&) {});
    return render::read_picture(folder.path / name / "images" / "frame_0000.png");
  };
  const render::Image near = draw("near", 0), far = draw("far", 1e6);
  double difference = 0;
  for (std::size_t k = 0; k < near.pixels.size(); ++k)
    for (int c = 0; c < 3; ++c)
      difference = std::max<double>(difference, std::abs(near.pixels[k][c] - far.pixels[k][c]));
  CHECK(difference < 0.05);  // two codes of 255 in a lit pixel: rounding of other coordinates
}

TEST_CASE("bodies_too_far_apart_for_one_origin_are_refused_by_all_methods") {
  for (const auto& [method, material] : materials) {
    CAPTURE(method);
    const auto two = [&, &material = material](const std::string& x) {
      return "[world]\ngravity = [0, 0, 0]\n[material.m]\n" + material +
             "\n[body.a]\nmaterial = \"m\"\nspacing = 0.05\nshape = { type = \"sphere\", radius = "
             "0.1 }\n[body.b]\nmaterial = \"m\"\nspacing = 0.05\nshape = { type = \"sphere\", "
             "radius = 0.1, centre = [" +
             x + ", 0, 0] }\n";
    };
    CHECK(refusal(two("1")) == "none");
    if (sizeof(Real) == 8) continue;
    const std::string message = refusal(two("5000"));
    CHECK(says(message, "scene.toml:"));
    CHECK(says(message, "body."));
    CHECK(says(message, "2500"));
    CHECK(says(message, "within 204.8 m"));
    CHECK(says(message, "PHYXEL_DOUBLE"));
  }
}

TEST_CASE("places_where_double_is_too_coarse_are_refused_by_all_methods") {
  for (const auto& [method, material] : materials) {
    CAPTURE(method);
    const std::string message =
        refusal("[material.m]\n" + material +
                "\n[body.a]\nmaterial = \"m\"\nspacing = 0.05\nshape = { type = \"sphere\", radius "
                "= 0.1, centre = [0, 1e9, 0] }\n");
    CHECK(says(message, "scene.toml:"));
    CHECK(says(message, "y = 1e+09 m, where"));
    CHECK(says(message, "within 5e+08 m of zero"));
  }
}

TEST_CASE("a_mesh_far_from_its_own_origin_is_refused_with_a_remedy") {
  if (sizeof(Real) == 8) return;
  const TemporaryFolder folder;
  std::ofstream(folder.path / "far.obj")
      << "v 1000000 0 0\nv 1000001 0 0\nv 1000000 1 0\nv 1000000 0 1\n"
         "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const Scene scene = parse_scene(
      "[material.m]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1e4\n[body.b]\nmaterial = "
      "\"m\"\nspacing "
      "= 0.1\nshape = { type = \"mesh\", file = \"far.obj\" }\n",
      "scene.toml", folder.path);
  CHECK_THROWS_WITH_AS(build(scene), doctest::Contains("centre = [x, y, z]"), InputError);
}

TEST_CASE("motions_that_bring_things_from_far_away_are_refused") {
  if (std::is_same_v<Real, double>) return;  // double reaches as far as anything makes sense
  const auto scene = [](const std::string& table) {
    return refusal(R"(
[material.m]
preset = "water"
method = "sph"
[body.ball]
material = "m"
shape = { type = "sphere", centre = [0, 1, 0], radius = 0.15 }
spacing = 0.05
)" + table);
  };
  const std::string plate =
      "[collider.p]\nshape = {{ type = \"box\", centre = [{}, 0.8, 0], size = [0.1, 0.1, 0.1] }}\n"
      "motion = {{ times = [0, 1], positions = [[{}, 0, 0], [{}, 0.2, 0]] }}\n";
  const auto with_plate = [&](double centre, double from, double to) {
    return scene(fmt::format(fmt::runtime(plate), centre, from, to));
  };
  const std::string bad = with_plate(-1e6, 1e6, 1000000.2);
  CHECK_MESSAGE(says(bad, "collider.p.motion.positions has an offset of 1000000 m"), bad);
  CHECK(says(bad, "give the shape a centre where it is near matter"));
  // Away from matter nothing has to be precise; some hundred metres are.
  CHECK(with_plate(-1, 0, 1e6) == "none");
  CHECK(with_plate(-100, 0, 100) == "none");
  const std::string emitter =
      "[emitter.e]\nmaterial = \"m\"\nspeed = 1\nspacing = 0.05\nshape = {{ type = \"sphere\", "
      "centre = [2, 0.8, 0], radius = 0.1 }}\nmotion = {{ times = [0], positions = [[{}, 0, 0]] "
      "}}\n";
  const std::string far = scene(fmt::format(fmt::runtime(emitter), 1e6));
  CHECK_MESSAGE(says(far, "emitter.e.motion.positions has an offset of 1000000 m"), far);
  CHECK(scene(fmt::format(fmt::runtime(emitter), 10.0)) == "none");
}

}  // namespace phyxel
