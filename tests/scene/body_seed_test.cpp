#include "phyxel/scene/body_seed.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>

#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

namespace phyxel {

namespace {

using doctest::Approx;

struct NoParameters {};
void describe(Fields&, NoParameters&) {}

/// A method whose particles never move; it keeps what it is told of bodies.
class WithSeeds final : public Method {
 public:
  HostParticles& particles() override { return particles_; }
  void add_body(const BodySeed& seed) override {
    CHECK(particles_.x.size() == seed.first_id + seed.points.size());  // they are there already
    seeds.push_back(seed);
  }
  void keep(const Exec& exec, const HostColumn<Index>& order) override {
    ReorderScratch scratch;
    reorder(exec, particles_, order, scratch);
  }
  void begin(const Environment&) override {}
  StableStep stable_dt(const Environment&) override { return {0.01, "nothing moves"}; }
  void step(const Environment&, Real) override {}
  std::vector<ColumnView> columns() override { return columns_of(particles_); }
  std::vector<FrameSet> sets(const Environment&) override {
    FrameSet grid;
    grid.name = "grid";
    grid.kind = SetKind::grid;
    return {grid};
  }
  Diagnostics diagnostics(const Environment&) override { return {}; }
  std::map<std::string, double> save() override { return {}; }
  void load(const std::map<std::string, double>&) override {}

  std::vector<BodySeed> seeds;

 private:
  HostParticles particles_;
};

// The list of methods is closed when the first scene is read.
const bool added = [] {
  MethodInfo info = info_of<NoParameters>("probe", "particles that never move");
  info.report = [](const Material&) { return std::vector<std::string>(); };
  info.bytes_per_particle = [](const Material&) { return 100.0; };
  info.make = []() -> std::unique_ptr<Method> { return std::make_unique<WithSeeds>(); };
  add_method(info);
  return true;
}();

/// A material and what follows it.
std::string with_material(const std::string& method, const std::string& text) {
  return "[material.cloth]\nmethod = \"" + method + "\"\ndensity = 1000\n" +
         (method == "mass_interaction" || method == "lennard_jones" || method == "mpm"
              ? "youngs_modulus = 1e4\n"
              : "") +
         text;
}

const char* const sheet =
    "[body.flag]\nmaterial = \"cloth\"\nspacing = 0.1\n"
    "shape = { type = \"sheet\", width = 1, height = 0.5, centre = [0, 1, 0], rotation = [90, 0, "
    "0] }\n";
const char* const rope =
    "[body.rope]\nmaterial = \"cloth\"\nspacing = 0.1\n"
    "shape = { type = \"polyline\", points = [[0, 0, 0], [1, 0, 0]], centre = [0, 3, 0] }\n";

Scene scene_of(const std::string& text, const std::string& method = "lennard_jones") {
  return parse_scene(with_material(method, text), "cloth.toml");
}

void check_refused(const std::string& text, const std::string& message,
                   const std::string& method = "lennard_jones") {
  CHECK_THROWS_WITH_AS(build(scene_of(text, method)), doctest::Contains(message.c_str()),
                       InputError);
}

double length_of(const Vec<Index, 2>& edge, const FrameSet& set) {
  Vec3d d;
  for (int c = 0; c < 3; ++c)
    d[c] = set.columns.front().number(edge[1], c) - set.columns.front().number(edge[0], c);
  return length(d);
}

double total_mass(World& world) {
  double sum = 0;
  for (const Real m : world.methods[0]->particles().mass) sum += m;
  return sum;
}

}  // namespace

TEST_CASE("a_method_gets_points_mesh_frame_and_sampling_of_each_body") {
  REQUIRE(added);
  const std::string ball =
      "[body.ball]\nmaterial = \"cloth\"\nspacing = 0.1\n"
      "shape = { type = \"sphere\", radius = 0.3, centre = [0, -2, 0] }\n";
  World world = build(scene_of(ball + sheet + rope, "probe"));
  const auto& seeds = static_cast<WithSeeds&>(*world.methods[0]).seeds;
  REQUIRE(seeds.size() == 3);
  const BodySeed &first = seeds[0], &flag = seeds[1], &line = seeds[2];
  CHECK(first.kind == BodyKind::volume);
  CHECK(first.mesh.surface.vertices.empty());
  CHECK(flag.kind == BodyKind::sheet);
  CHECK(flag.first_id == first.points.size());
  CHECK(flag.material == 0);
  CHECK(flag.body == 1);
  CHECK(flag.spacing == Real(0.1));
  CHECK(flag.mesh.texture.size() == flag.points.size());
  CHECK(flag.frame.translation[1] == Approx(1 - world.environment.origin[1]));
  CHECK(rotate(flag.frame, Vec3{0, 0, 1})[1] == Approx(-1));  // it lies level, turned about x
  CHECK(line.kind == BodyKind::line);
  CHECK(line.points.size() == 11);
  CHECK(line.mesh.edges.size() == 10);
  const HostParticles& p = world.methods[0]->particles();
  for (std::size_t k = 0; k < flag.points.size(); ++k) {
    CHECK(p.x[flag.first_id + k] == flag.points[k]);
    CHECK(flag.mesh.surface.vertices[k] == flag.points[k]);
    CHECK(flag.points[k][1] == Approx(1 - world.environment.origin[1]));
  }
}

TEST_CASE("the_mesh_of_a_filled_body_comes_along") {
  REQUIRE(added);
  const TemporaryFolder folder;
  std::ofstream(folder.path / "tent.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\n"
         "f 1/1 3/3 2/2\nf 1/1 2/2 4/3\nf 1/1 4/3 3/2\nf 2/1 3/2 4/3\n";
  const Scene scene =
      parse_scene(with_material("probe",
                                "[body.tent]\nmaterial = \"cloth\"\nspacing = 0.05\n"
                                "shape = { mesh = \"tent.obj\", centre = [5, 0, 0], scale = 2 }\n"),
                  "cloth.toml", folder.path);
  World world = build(scene);
  const BodySeed& seed = static_cast<WithSeeds&>(*world.methods[0]).seeds.at(0);
  CHECK_FALSE(seed.mesh.is_bound());
  CHECK(seed.mesh.surface.triangles.size() == 4);
  CHECK(seed.mesh.texture.size() == seed.mesh.surface.vertices.size());
  CHECK(bounds_of(seed.mesh.surface).max[0] == Approx(7 - world.environment.origin[0]));
  CHECK(world.seeds.empty());
}

TEST_CASE("thickness_gives_the_mass_of_sheets_and_lines") {
  World thick = build(scene_of(std::string(sheet) + "thickness = 0.002\n"));
  const double n = double(particle_count(thick));
  CHECK(total_mass(thick) == Approx(1000 * n * 0.01 * std::sqrt(0.75) * 0.002).epsilon(1e-5));
  World line = build(scene_of(std::string(rope) + "thickness = 0.01\n"));
  CHECK(total_mass(line) == Approx(1000 * 11 * 0.1 * M_PI / 4 * 1e-4).epsilon(1e-5));
  // As of a filled body: sqrt(1/2) spacing^3 each.
  World plain = build(scene_of(sheet));
  CHECK(total_mass(plain) == Approx(1000 * n * 1e-3 * std::sqrt(0.5)).epsilon(1e-5));
}

TEST_CASE("meshes_are_sets_of_frames_and_lose_what_is_gone") {
  World world = build(scene_of(std::string(sheet) + rope));
  Frame frame = take_frame(world);
  REQUIRE(frame.sets.size() == 2);
  const FrameSet& flag = *frame.find_set("flag");
  CHECK(flag.kind == SetKind::mesh);
  CHECK(flag.columns.front().name == "position");
  CHECK(flag.find("texture")->components == 2);
  CHECK(flag.find("velocity"));
  CHECK(flag.triangles.size() == world.seeds[0].mesh.surface.triangles.size());
  CHECK(frame.find_set("rope")->edges.size() == 10);
  CHECK(!frame.find_set("nothing"));
  // Without the particle of id 0 its triangles are gone, and nothing else.
  std::size_t with_first = 0;
  for (const Int3& t : flag.triangles) with_first += t[0] == 0 || t[1] == 0 || t[2] == 0;
  Frame fewer = frame;
  fewer.sets.clear();
  --fewer.count;
  for (FrameColumn& column : fewer.columns)
    column.data.erase(column.data.begin(),
                      column.data.begin() + static_cast<std::ptrdiff_t>(column.element_size()));
  add_sets(world, fewer);
  CHECK(fewer.sets[0].count + 1 == flag.count);
  CHECK(fewer.sets[0].triangles.size() + with_first == flag.triangles.size());
  CHECK(fewer.sets[1].count == 11);
}

TEST_CASE("methods_show_sets_of_their_own") {
  REQUIRE(added);
  World world = build(scene_of(sheet, "probe"));
  const Frame frame = take_frame(world);
  REQUIRE(frame.find_set("grid"));
  CHECK(frame.find_set("grid")->kind == SetKind::grid);
}

TEST_CASE("a_sheet_and_a_rope_keep_together_with_methods_that_take_them") {
  for (const char* method : {"lennard_jones", "mass_interaction", "mpm"}) {
    CAPTURE(method);
    World world = build(
        parse_scene("fps = 50\n" + with_material(method, std::string(sheet) + rope), "cloth.toml"));
    const Frame start = take_frame(world);
    for (int k = 0; k < 5; ++k) advance(world);
    // It falls freely, as one: 0.05 m in 0.1 s, and no edge has changed by a tenth.
    const Frame frame = take_frame(world);
    for (const FrameSet& set : frame.sets)
      for (const auto& e : set.edges)
        CHECK(length_of(e, set) == Approx(length_of(e, *start.find_set(set.name))).epsilon(0.1));
    CHECK(diagnose(world).max_speed == Approx(9.81 * 0.1).epsilon(0.05));
  }
}

TEST_CASE("methods_that_need_neighbours_on_all_sides_refuse_thin_bodies") {
  const std::string place = "cloth.toml:7:1: ";
  for (const char* method : {"lattice", "sph"})
    check_refused(sheet,
                  std::string("body.flag: the method of material.cloth, ") + method +
                      ", needs neighbours on all sides",
                  method);
  // In a flat scene a sheet fills the plane.
  const Scene flat = parse_scene(
      "dimensions = 2\n" + with_material("sph",
                                         "[body.flag]\nmaterial = \"cloth\"\nspacing = 0.1\n"
                                         "shape = { type = \"sheet\", width = 1, height = 1 }\n"),
      "flat.toml");
  CHECK(build(flat).seeds.size() == 1);
}

TEST_CASE("bad_sheets_and_lines_are_refused_with_place_value_and_remedy") {
  const std::string head = "[body.flag]\nmaterial = \"cloth\"\nspacing = 0.1\nshape = ";
  check_refused(head + "{ type = \"sheet\", width = 0.02, height = 1 }\n",
                "cloth.toml:8:9: body.flag: width = 0.02 m holds a single row of points");
  check_refused(head + "{ type = \"polyline\", points = [[0, 0, 0]] }\n",
                "body.flag: points has 1 of them, must be at least 2");
  check_refused(head + "{ type = \"sheet\", width = 1 }\n", "a sheet needs height");
  check_refused(head + "{ type = \"polyline\" }\n", "a polyline needs points");
  check_refused(head + "{ type = \"sheet\", width = 1, height = 1 }\npacking = \"random\"\n",
                "a sheet is regular");
  check_refused(head + "{ type = \"sphere\", radius = 1 }\nthickness = 0.1\n",
                "body.flag.thickness is of a sheet");
  check_refused(head + "{ type = \"sphere\", radius = 1 }\nfill = \"surface\"\n",
                "body.flag.fill = \"surface\" is for a mesh");
  check_refused(std::string(sheet) +
                    "[collider.wall]\nshape = { type = \"sheet\", width = 1, "
                    "height = 1 }\n",
                "a sheet is not a solid; it cannot be used here, only as the shape of a body");
  check_refused(std::string(sheet) + "thickness = 0.001\n" + rope,
                "give them thicknesses that agree, or two materials");
}

TEST_CASE("vertices_of_a_mesh_are_the_particles_of_a_shell") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "strip.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 2 0\nv 1 2 0\n"
         "f 1 2 3\nf 2 4 3\nf 3 4 5\nf 4 6 5\n";
  const std::string text = with_material(
      "lennard_jones",
      "[body.strip]\nmaterial = \"cloth\"\nspacing = 1.1\nfill = \"surface\"\nthickness = 0.01\n"
      "shape = { mesh = \"strip.obj\", centre = [0, 3, 0] }\n");
  World world = build(parse_scene(text, "cloth.toml", folder.path));
  CHECK(particle_count(world) == 6);
  CHECK(total_mass(world) == Approx(1000 * 2 * 0.01).epsilon(1e-5));  // of 2 m^2
  const Frame frame = take_frame(world);
  CHECK(frame.find_set("strip")->triangles.size() == 4);
  CHECK_THROWS_WITH_AS(build(parse_scene("resolution = 2\n" + text, "cloth.toml", folder.path)),
                       doctest::Contains("the particles of body.strip are the vertices of a mesh"),
                       InputError);
}

}  // namespace phyxel
