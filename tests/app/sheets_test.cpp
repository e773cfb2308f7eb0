#include <doctest/doctest.h>

#include "app/folder_files.h"
#include "phyxel/app/pictures/render_frames.h"
#include "phyxel/app/run.h"
#include "phyxel/app/surfaces/scene_surfaces.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/set_write.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

// Around zero: files of particles then have all bits of a double, and what is made again of them is
// the same.
const char* const flag = R"(duration = 0.2
fps = 20
[world]
origin = [0, 0, 0]
[material.cloth]
method = "mass_interaction"
automaton = "brittle"
strength = 1e6
youngs_modulus = 1e4
[body.ball]
material = "cloth"
shape = { type = "sphere", centre = [0, 3, 0], radius = 0.15 }
spacing = 0.1
[body.flag]
material = "cloth"
shape = { type = "sheet", width = 1, height = 0.6, centre = [0, 1, 0], rotation = [80, 0, 0] }
spacing = 0.1
[body.rope]
material = "cloth"
shape = { type = "polyline", points = [[0, 0, 0], [0.5, 0, 0]], centre = [0, 5, 0] }
spacing = 0.1
thickness = 0.0948834
[pin.edge]
body = "flag"
shape = { type = "box", centre = [0.5, 1, 0], size = [0.1, 2, 2] }
[render]
width = 64
height = 36
samples = 1
[output]
sets = true
video = false
)";

Scene scene_of(const std::vector<Override>& set = {}) {
  return parse_scene(flag, "flag.toml", ".", set);
}

RunResult run_until(const fs::path& out, int last, bool resume = false) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.out = out;
  options.resume = resume;
  options.stop = &stop;
  options.on_frame = [&](const FrameReport& report) { stop = report.frame == last; };
  return run(scene_of(), options);
}

}  // namespace

TEST_CASE("a_sheet_without_a_table_of_its_own_is_shown_as_its_mesh") {
  const Scene scene = scene_of();
  REQUIRE(scene.surfaces.size() == 2);
  CHECK(scene.surfaces[0].of == "flag");
  CHECK(scene.surfaces[0].method == "body");
  World world = build(scene);
  SurfaceMaker maker(scene);
  const Frame frame = take_frame(world);
  const std::vector<MatterPart> parts = maker.make({}, frame);
  const SurfaceMesh& mesh = parts.at(0).surface;
  const FrameSet& set = *frame.find_set("flag");
  CHECK(mesh.mesh.triangles == set.triangles);
  REQUIRE(mesh.mesh.vertices.size() == set.count);
  for (std::size_t v = 0; v < set.count; ++v)
    for (int c = 0; c < 3; ++c)
      CHECK(mesh.mesh.vertices[v][c] == Real(set.columns.front().number(v, c)));
  CHECK(mesh.texture.size() == set.count);
  CHECK(scene_of({{"surface.flag.method", "particles"}}).surfaces[0].method == "particles");
}

TEST_CASE("a_line_without_a_table_of_its_own_is_shown_as_a_tube") {
  const Scene scene = scene_of();
  CHECK(scene.surfaces[1].of == "rope");
  World world = build(scene);
  SurfaceMaker maker(scene);
  const SurfaceMesh tube = maker.make({}, take_frame(world)).at(1).surface;
  REQUIRE(!tube.mesh.triangles.empty());
  for (const Vec3& v : tube.mesh.vertices) {
    const Real along = std::clamp(v[0], Real(0), Real(0.5));  // half balls beyond the ends
    CHECK(length(v - Vec3{along, 5, 0}) == doctest::Approx(0.0948834 / 2).epsilon(1e-4));
  }
}

TEST_CASE("runs_write_sheets_as_surfaces_and_all_sets_where_asked") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  run_until(out, -1);
  const SurfaceMesh surface = read_surface(out / "surface/frame_0004.ply");
  CHECK(surface.mesh.triangles.size() > 50);
  CHECK(bytes_of(out / "surface/frame_0004.ply").find(" s\nproperty") != std::string::npos);
  const SurfaceMesh set = read_surface(out / "sets/flag/frame_0004.ply");
  REQUIRE(surface.mesh.vertices.size() > set.mesh.vertices.size());  // and a tube
  for (std::size_t v = 0; v < set.mesh.vertices.size(); ++v)
    CHECK(set.mesh.vertices[v] == surface.mesh.vertices[v]);
  CHECK(read_points(out / "sets/rope/frame_0004.vtp").count == 6);
  CHECK(fs::exists(out / "images/frame_0004.png"));
  // The same picture from the files.
  const std::string picture = bytes_of(out / "images/frame_0004.png");
  RenderJob job;
  job.places = {out.string()};
  job.out = folder.path / "again";
  render_frames({}, job, [](const RenderProgress&) {});
  CHECK(bytes_of(folder.path / "again/images/frame_0004.png") == picture);
}

TEST_CASE("a_run_with_sheets_that_was_stopped_goes_on_to_the_same_bits") {
  const TemporaryFolder folder;
  const fs::path whole = folder.path / "whole", parts = folder.path / "parts";
  run_until(whole, -1);
  run_until(parts, 2);
  fs::remove(parts / "sets/flag/frame_0001.ply");  // made again
  run_until(parts, -1, true);
  for (const char* file :
       {"particles/frame_0004.ply", "surface/frame_0004.ply", "sets/flag/frame_0001.ply",
        "sets/flag/frame_0004.ply", "sets/rope/frame_0003.vtp"}) {
    CHECK_MESSAGE(!bytes_of(whole / file).empty(), file);
    CHECK_MESSAGE(bytes_of(whole / file) == bytes_of(parts / file), file);
  }
}

TEST_CASE("a_run_is_repeated_in_a_folder_with_sets") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  run_until(out, -1);
  run_until(out, -1);  // moves the first one to out.previous
  CHECK(fs::exists(folder.path / "out.previous/sets/flag/frame_0004.ply"));
  run_until(out, -1);  // and removes it
  CHECK(fs::exists(out / "sets/flag/frame_0004.ply"));
}

}  // namespace phyxel
