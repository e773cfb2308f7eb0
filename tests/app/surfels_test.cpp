#include <doctest/doctest.h>
#include <fstream>

#include "app/folder_files.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/pictures/render_frames.h"
#include "phyxel/app/run.h"
#include "phyxel/app/surfaces/scene_surfels.h"
#include "phyxel/core/error.h"
#include "phyxel/core/threads.h"
#include "phyxel/io/surfels_read.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/surfaces/surfels/surfel_set.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

// Around zero: files of particles then have all bits of a double, and what is made again of them is
// the same.
const char* const cubes = R"(duration = 0.2
fps = 20
[world]
origin = [0, 0, 0]
[material.jelly]
method = "lattice"
youngs_modulus = 1e4
[body.left]
material = "jelly"
shape = { type = "box", size = [0.4, 0.4, 0.4], centre = [0, 0.3, 0] }
spacing = 0.1
angular_velocity = [0, 200, 0]
[body.right]
material = "jelly"
shape = { type = "box", size = [0.4, 0.4, 0.4], centre = [0.6, 0.3, 0] }
spacing = 0.1
[collider.ground]
shape = { type = "plane" }
[surface.jelly]
method = "surfels"
[render]
width = 64
height = 36
samples = 1
[output]
video = false
)";

// A block that flows, falls onto the ground and is turned.
const char* const dough = R"(duration = 0.2
fps = 20
[material.dough]
method = "mls"
youngs_modulus = 2e4
yield_strain = 0.0
creep = 40.0
flows = true
[body.block]
material = "dough"
shape = { type = "box", size = [0.4, 0.4, 0.4], centre = [0, 0.25, 0], rounding = 0.05 }
spacing = 0.1
velocity = [0, -1, 0]
angular_velocity = [0, 100, 0]
[collider.ground]
shape = { type = "plane" }
[surface.dough]
method = "surfels"
paint = "checker"
[render]
enabled = false
)";

Scene scene_of(const std::vector<Override>& set = {}) {
  return parse_scene(cubes, "cubes.toml", ".", set);
}

RunResult run_until(const Scene& scene, const fs::path& out, int last, bool resume = false) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.out = out;
  options.resume = resume;
  options.stop = &stop;
  options.on_frame = [&](const FrameReport& report) { stop = report.frame == last; };
  return run(scene, options);
}

std::string mistake_in(const std::vector<Override>& set, const fs::path& folder = ".") {
  try {
    const Scene scene = parse_scene(cubes, "cubes.toml", folder, set);
    World world = build(scene);
    Frame frame = take_frame(world);
    SurfelMaker(scene).add_sets({}, frame);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// A frame of one cube of phyxels of a method with a reference shape, sheared and moved; those in
/// its upper half flow from frame 2 on.
Frame remembered_frame(const Scene& scene, int index) {
  World world = build(scene);
  Frame frame = take_frame(world);
  const std::size_t n = frame.count;
  const Real shear = Real(0.05) * Real(index);
  Mat3 f = Mat3::identity();
  f[0][1] = shear;
  std::vector<Vec3> reference(n), x(n);
  std::vector<Mat3> deformation(n, f), absorbed(n, Mat3::identity());
  std::vector<std::uint8_t> absorbs(n, 0);
  std::vector<Real> support(n, Real(0.25));
  for (std::size_t i = 0; i < n; ++i) {
    reference[i] = frame.position(i);
    x[i] = f * reference[i] + Vec3{0, Real(-0.01) * Real(index), 0};
    absorbs[i] = index >= 2 && reference[i][1] > Real(0.3);
  }
  frame.columns.front() = make_frame_column("position", "m", x.data(), n);
  frame.columns.push_back(make_frame_column("reference", "m", reference.data(), n));
  std::erase_if(frame.columns, [](const FrameColumn& c) { return c.name == "deformation"; });
  frame.columns.push_back(make_frame_column("deformation", "", deformation.data(), n));
  frame.columns.push_back(make_frame_column("absorbed", "", absorbed.data(), n));
  frame.columns.push_back(make_frame_column("absorbs", "", absorbs.data(), n));
  frame.columns.push_back(make_frame_column("support", "m", support.data(), n));
  frame.index = index;
  return frame;
}

std::vector<std::byte> bytes_in(const Frame& frame) {
  std::vector<std::byte> bytes;
  for (const FrameColumn& c : frame.find_set("jelly")->columns)
    bytes.insert(bytes.end(), c.data.begin(), c.data.end());
  return bytes;
}

}  // namespace

TEST_CASE("surfels_of_a_scene_lie_on_its_bodies_and_turn_with_them") {
  const Scene scene = scene_of({{"world.gravity", "[0, 0, 0]"}});
  World world = build(scene);
  SurfelMaker maker(scene);
  Frame first = take_frame(world);
  maker.add_sets({}, first);
  REQUIRE(first.find_set("jelly"));
  const Surfels start = surfels_of(first.find_set("jelly")->columns);
  CHECK(start.size() > 2000);  // two cubes of 0.96 m^2 in squares of 0.025 m
  const auto off_face = [](const Vec3& x, Real middle) {
    const Vec3 d = x - Vec3{middle, Real(0.3), 0};
    return std::abs(std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])}) - Real(0.2));
  };
  for (const Vec3& x : start.x) CHECK(std::min(off_face(x, 0), off_face(x, Real(0.6))) < 1e-4);
  for (int k = 0; k < 4; ++k) advance(world);
  Frame last = take_frame(world);
  maker.add_sets({}, last);
  const Surfels end = surfels_of(last.find_set("jelly")->columns);
  REQUIRE(end.size() == start.size());
  double turned = 0, stayed = 0;
  for (Index s = 0; s < end.size(); ++s) {
    CHECK(end.id[s] == start.id[s]);
    const double moved = length(end.x[s] - start.x[s]);
    (start.x[s][0] < Real(0.3) ? turned : stayed) += moved / double(end.size());
  }
  CHECK(turned > 0.02);  // 40 degrees, some 0.2 m from the axis: 0.14 m of half of them
  CHECK(stayed < 1e-4);
}

TEST_CASE("a_run_with_surfels_goes_on_to_the_same_bits_and_its_files_give_the_same_picture") {
  const TemporaryFolder folder;
  const Scene scene = scene_of();
  const fs::path whole = folder.path / "whole", parts = folder.path / "parts";
  run_until(scene, whole, -1);
  run_until(scene, parts, 2);
  fs::remove(parts / "surface/jelly/frame_0001.ply");  // made again
  run_until(scene, parts, -1, true);
  for (const char* file : {"particles/frame_0004.ply", "surface/jelly/frame_0001.ply",
                           "surface/jelly/frame_0004.ply", "images/frame_0004.png"}) {
    CHECK_MESSAGE(!bytes_of(whole / file).empty(), file);
    CHECK_MESSAGE(bytes_of(whole / file) == bytes_of(parts / file), file);
  }
  RenderJob job;
  job.places = {whole.string()};
  job.out = folder.path / "again";
  render_frames({}, job, [](const RenderProgress&) {});
  CHECK(bytes_of(folder.path / "again/images/frame_0004.png") ==
        bytes_of(whole / "images/frame_0004.png"));
  job.places = {(whole / "surface/jelly/frame_0004.ply").string()};
  job.out = folder.path / "file";
  CHECK(render_frames({}, job, [](const RenderProgress&) {}).pictures == 1);
}

TEST_CASE("surfels_that_remember_go_on_from_a_checkpoint_with_the_same_bits_on_any_threads") {
  const Scene scene = scene_of();
  std::vector<std::byte> wanted;
  for (int threads = 1; threads <= 4; ++threads) {
    const ThreadLimit limit(threads);
    SurfelMaker maker(scene), resumed(scene);
    Frame frame;
    for (int k = 0; k <= 5; ++k) {
      frame = remembered_frame(scene, k);
      maker.add_sets({}, frame);
      CHECK(maker.remembers());
      if (k == 3) resumed.load(maker.save(), remembered_frame(scene, 3));
    }
    if (threads == 1) wanted = bytes_in(frame);
    CHECK(bytes_in(frame) == wanted);
    Frame again;
    for (int k = 4; k <= 5; ++k) {
      again = remembered_frame(scene, k);
      resumed.add_sets({}, again);
    }
    CHECK(bytes_in(again) == wanted);
  }
}

TEST_CASE("a_run_of_flowing_matter_with_painted_surfels_goes_on_to_the_same_bits") {
  const TemporaryFolder folder;
  const Scene scene = parse_scene(dough, "dough.toml", ".", {});
  const fs::path whole = folder.path / "whole", parts = folder.path / "parts";
  run_until(scene, whole, -1);
  run_until(scene, parts, 2);
  run_until(scene, parts, -1, true);
  for (const char* file : {"surface/dough/frame_0003.ply", "surface/dough/frame_0004.ply"})
    CHECK((bytes_of(whole / file) == bytes_of(parts / file)));
}

TEST_CASE("the_state_of_surfels_is_in_checkpoints") {
  const TemporaryFolder folder;
  const Scene scene = scene_of();
  World world = build(scene);
  SurfelMaker maker(scene), other(scene);
  Frame frame = remembered_frame(scene, 0);
  maker.add_sets({}, frame);
  const OutputFolder out{folder.path};
  fs::create_directories(out.checkpoints());
  save_checkpoint(out, world, {}, {}, maker.save());
  std::vector<SurfelColumns> saved;
  load_checkpoint(out, world, &saved);
  REQUIRE(saved.size() == maker.save().size());
  other.load(saved, frame);
  CHECK(other.save().size() == saved.size());
  CHECK_THROWS_AS(SurfelMaker(scene).load({}, remembered_frame(scene, 0)), InputError);
}

TEST_CASE("parts_of_a_body_that_are_too_thin_for_particles_are_named") {
  const auto warnings = [](const std::string& shape) {
    const Scene scene = scene_of({{"body.left.shape", shape}});
    World world = build(scene);
    Frame frame = take_frame(world);
    SurfelMaker maker(scene);
    maker.add_sets({}, frame);
    return maker.warnings();
  };
  CHECK(warnings("{ type = \"box\", size = [0.4, 0.4, 0.4], centre = [0, 0.3, 0] }").empty());
  // A cube with a whisker of a fifth of a spacing, six spacings long.
  const auto thin = warnings(
      "{ type = \"union\", of = [ { type = \"box\", size = [0.4, 0.4, 0.4], centre = [0, 0.3, 0] },"
      " { type = \"capsule\", centre = [0.033, 0.8, 0.017], radius = 0.02, height = 0.6 } ] }");
  REQUIRE(thin.size() == 1);
  CHECK(thin[0].starts_with("surface.jelly: "));
  CHECK(thin[0].find("lower body.left.spacing = 0.1") != std::string::npos);
}

TEST_CASE("surfels_that_cannot_be_are_refused_with_place_and_remedy") {
  const auto says = [](const std::vector<Override>& set, const std::string& text) {
    const std::string message = mistake_in(set);
    CAPTURE(message);
    CHECK(message.find(text) != std::string::npos);
  };
  CHECK(mistake_in({}) == "");
  says({{"surface.jelly.surfel_spacing", "0.5"}}, "too coarse");
  says({{"surface.jelly.surfel_spacing", "0.5"}}, "surface.jelly.surfel_spacing");
  says({{"surface.jelly.show", "zombies"}}, "surface.jelly.show: there is no such set");
  says({{"surface.jelly.surfel_detail", "false"}}, "no reference shape");
  says({{"surface.jelly.show", "sets"}}, "surface.jelly.show: there is no such set");
  says({{"surface.jelly.show", "edges"}}, "surface.jelly.show");
  says({{"surface.jelly.cell", "0.1"}}, "is not used by method = \"surfels\"");
  says({{"surface.jelly.phase", "solid"}}, "surface.jelly.phase");
  says({{"surface.jelly.paint", "stripes"}, {"surface.jelly.paint_direction", "[0, 0, 0]"}},
       "surface.jelly.paint_direction = [0, 0, 0] has no direction");
  says({{"surface.jelly.paint", "stripes"}, {"surface.jelly.paint_colours", "[]"}},
       "surface.jelly.paint_colours = [] must be a list");
  says({{"surface.jelly.paint", "dots"}}, "surface.jelly.paint");
  says({{"world.periodic", "[true, false, false]"},
        {"world.domain", "{ min = [-2, -2, -2], max = [2, 2, 2] }"}},
       "torn at the faces of a periodic domain");
  says({{"body.left.shape", "{ type = \"sheet\", width = 1, height = 1 }"},
        {"material.jelly.method", "mass_interaction"}},
       "surface.jelly");
}

namespace {

/// A cube around the origin as an OBJ file, with its last `left_out` triangles missing.
void write_cube(const fs::path& path, double width, std::size_t left_out) {
  std::ofstream file(path);
  for (int k = 0; k < 8; ++k)
    file << "v " << (k & 1 ? 0.5 : -0.5) * width << ' ' << (k & 2 ? 0.5 : -0.5) * width << ' '
         << (k & 4 ? 0.5 : -0.5) * width << '\n';
  const char* const faces[] = {"1 5 7", "1 7 3", "2 4 8", "2 8 6", "1 2 6", "1 6 5",
                               "3 7 8", "3 8 4", "1 3 4", "1 4 2", "5 6 8", "5 8 7"};
  for (std::size_t k = 0; k + left_out < std::size(faces); ++k) file << "f " << faces[k] << '\n';
}

}  // namespace

TEST_CASE("meshes_that_surfels_cannot_lie_on_are_refused_with_place_value_limit_and_remedy") {
  const TemporaryFolder folder;
  write_cube(folder.path / "cube.obj", 0.4, 0);
  write_cube(folder.path / "open.obj", 0.4, 2);
  write_cube(folder.path / "large.obj", 4, 0);
  const auto says = [&](const std::string& mesh, const std::vector<std::string>& words,
                        std::vector<Override> more = {}) {
    more.push_back({"surface.jelly.mesh", mesh});
    const std::string message = mistake_in(more, folder.path);
    CAPTURE(message);
    if (words.empty()) CHECK(message.empty());
    for (const std::string& word : words) CHECK(message.find(word) != std::string::npos);
  };
  says("cube.obj", {});
  says("open.obj",
       {"surface.jelly.mesh: body.left", "4 edges in 1 hole", "0.566 m across", "close the holes"});
  says("large.obj",
       {"surface.jelly.mesh: body.left", "0.3 m (three spacings)", "4 x 4 x 4 m", "same shape"});
  says("none.obj", {"none.obj"});
  says("cube.obj", {"surface.jelly.surfel_spacing: body.left", "(limit 2e+07)", "take at least"},
       {{"surface.jelly.surfel_spacing", "1e-5"}});
}

TEST_CASE("surfels_that_are_too_fine_or_not_above_zero_are_refused") {
  const auto says = [](const char* spacing, const std::string& text) {
    const std::string message = mistake_in({{"surface.jelly.surfel_spacing", spacing}});
    CAPTURE(message);
    CHECK(message.find("surface.jelly.surfel_spacing") != std::string::npos);
    CHECK(message.find(text) != std::string::npos);
  };
  says("1e-5", "take at least");
  says("0", "surfel_spacing");
  says("-1", "leave it out for a good value");
}

}  // namespace phyxel
