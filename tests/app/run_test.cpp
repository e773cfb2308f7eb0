#include "phyxel/app/run.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <regex>

#include "app/eventful_scene.h"
#include "app/folder_files.h"
#include "phyxel/app/checkpoints.h"
#include "phyxel/app/pictures/pictures.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/vdb.h"
#include "phyxel/render/image.h"
#include "phyxel/scene/read_scene.h"
#include "phyxel/surfaces/decimate.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

const char* const small_scene = R"(duration = 0.2
fps = 20
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
[body.ball]
material = "wax"
shape = { type = "sphere", centre = [0, 0.3, 0], radius = 0.2 }
spacing = 0.1
[collider.ground]
shape = { type = "plane" }
[render]
width = 64
height = 36
samples = 1
)";

Scene scene_of(const char* text, const std::vector<std::string>& set = {}) {
  std::vector<Override> overrides;
  for (const std::string& s : set) overrides.push_back(parse_override(s));
  return parse_scene(text, "scene.toml", ".", overrides);
}

/// A run that stops on request after `last` frames; -1: never.
RunResult run_until(const Scene& scene, const fs::path& out, int last, bool resume = false) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.out = out;
  options.resume = resume;
  options.stop = &stop;
  options.on_frame = [&](const FrameReport& report) { stop = report.frame == last; };
  return run(scene, options);
}

RunResult run_all(const Scene& scene, const fs::path& out, bool resume = false) {
  return run_until(scene, out, -1, resume);
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

std::string message_of(const Scene& scene, const fs::path& out, bool resume = false) {
  try {
    run_all(scene, out, resume);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a_run_leaves_the_files_of_the_contract") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out" / "small";
  const RunResult result = run_all(scene_of(small_scene), out);
  CHECK(result.finished);
  CHECK(result.last_frame == 4);
  CHECK(result.pictures == 5);
  CHECK(result.video);
  std::vector<std::string> expected = {"checkpoint/frame_0003.h5",
                                       "checkpoint/frame_0004.h5",
                                       "phyxel_run.txt",
                                       "reactions.csv",
                                       "run.log",
                                       "scene.toml",
                                       "stats.csv",
                                       "video.mp4"};
  for (int k = 0; k <= 4; ++k) {
    expected.push_back(fmt::format("particles/frame_{:04}.ply", k));
    expected.push_back(fmt::format("images/frame_{:04}.png", k));
  }
  CHECK(names_of(out) == sorted(expected));
}

TEST_CASE("the_table_of_output_chooses_files") {
  const TemporaryFolder folder;
  const auto names = [&](const std::vector<std::string>& set) {
    run_all(scene_of(small_scene, set), folder.path / "out");
    std::vector<std::string> found = names_of(folder.path / "out");
    std::erase_if(found, [](const std::string& n) { return n.starts_with("checkpoint"); });
    return found;
  };
  const std::vector<std::string> bare = {"phyxel_run.txt", "reactions.csv", "run.log", "scene.toml",
                                         "stats.csv"};
  CHECK(names({"render.enabled=false", "output.particles=none"}) == bare);
  CHECK(names({"render.enabled=false", "output.particles=both", "output.every=3"}) ==
        sorted({"particles/frame_0000.ply", "particles/frame_0000.vtp", "particles/frame_0003.ply",
                "particles/frame_0003.vtp", bare[0], bare[1], bare[2], bare[3], bare[4]}));
  CHECK(names({"render.every=2", "output.particles=none", "output.video=false"}) ==
        sorted({"images/frame_0000.png", "images/frame_0002.png", "images/frame_0004.png", bare[0],
                bare[1], bare[2], bare[3], bare[4]}));
}

TEST_CASE("reactions_have_a_row_for_every_collider_and_frame") {
  const TemporaryFolder folder;
  run_all(scene_of(small_scene, {"render.enabled=false"}), folder.path);
  const std::vector<std::string> lines = split(bytes_of(folder.path / "reactions.csv"), '\n');
  REQUIRE(lines.size() == 1 + 4 * 3);
  CHECK(lines[0].starts_with("frame,time,kind,name,force_x,force_y,force_z,peak_force,"));
  const std::size_t commas = std::count(lines[0].begin(), lines[0].end(), ',');
  const char* const starts[] = {",collider,ground,", ",damping,damping,", ",gravity,gravity,"};
  for (std::size_t k = 1; k < lines.size(); ++k) {
    CAPTURE(lines[k]);
    CHECK(std::count(lines[k].begin(), lines[k].end(), ',') == std::ptrdiff_t(commas));
    CHECK(std::stoi(lines[k]) == static_cast<int>(k - 1) / 3 + 1);
    CHECK(contains(lines[k], starts[(k - 1) % 3]));
  }
  // Without colliders and pins there is nothing to count.
  run_all(parse_scene(
              std::regex_replace(std::string(small_scene), std::regex("\\[collider[^\\[]*"), ""),
              "small.toml"),
          folder.path / "empty");
  CHECK_FALSE(fs::exists(folder.path / "empty/reactions.csv"));
}

TEST_CASE("stats_have_a_row_for_every_frame_from_the_initial_state_on") {
  const TemporaryFolder folder;
  run_all(scene_of(small_scene, {"render.enabled=false"}), folder.path);
  const std::vector<std::string> lines = split(bytes_of(folder.path / "stats.csv"), '\n');
  REQUIRE(lines.size() == 6);
  CHECK(lines[0].starts_with(
      "frame,time,substeps,particles,kinetic_energy,potential_energy,momentum_x,momentum_y,"
      "momentum_z,angular_momentum_x,angular_momentum_y,angular_momentum_z,centre_x,centre_y,"
      "centre_z,max_speed,min_temperature,max_temperature,wall_seconds,"));
  CHECK(lines[1].starts_with("0,0,0,"));
  const std::size_t columns = split(lines[0], ',').size();
  for (std::size_t k = 1; k < lines.size(); ++k) {
    CHECK(split(lines[k], ',').size() == columns);
    CHECK(std::stoi(lines[k]) == static_cast<int>(k) - 1);
  }
  CHECK(lines[5].starts_with("4,0.2,"));
}

TEST_CASE("the_same_bytes_on_any_number_of_threads") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(eventful_scene, {"output.particles=both"});
  for (int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    run_all(scene, folder.path / std::to_string(threads));
  }
  CHECK(difference(folder.path / "1", folder.path / "2") == "");
  CHECK(difference(folder.path / "1", folder.path / "3") == "");
}

TEST_CASE("a_resumed_run_gives_the_bytes_of_an_uninterrupted_one") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(eventful_scene);
  run_all(scene, folder.path / "whole");
  for (int k : {1, 4, 8}) {
    const fs::path out = folder.path / std::to_string(k);
    const RunResult first = run_until(scene, out, k);
    CHECK_FALSE(first.finished);
    CHECK(first.last_frame == k);
    CHECK(run_all(scene, out, true).finished);
    CHECK(difference(folder.path / "whole", out) == "");
  }
}

TEST_CASE("a_run_that_is_stopped_at_every_frame_ends_the_same") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(eventful_scene, {"render.enabled=false"});
  run_all(scene, folder.path / "whole");
  for (int k = 1; k <= 10; ++k) run_until(scene, folder.path / "pieces", k, true);
  CHECK(difference(folder.path / "whole", folder.path / "pieces") == "");
}

TEST_CASE("a_finished_run_goes_on_when_it_may_last_longer") {
  const TemporaryFolder folder;
  const Scene longer = scene_of(eventful_scene, {"render.enabled=false"});
  run_all(scene_of(eventful_scene, {"render.enabled=false", "duration=0.3"}), folder.path / "two");
  run_all(longer, folder.path / "two", true);
  run_all(longer, folder.path / "one");
  CHECK(difference(folder.path / "one", folder.path / "two") == "");
}

TEST_CASE("resuming_a_finished_run_changes_nothing") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(small_scene);
  run_all(scene, folder.path / "out");
  const auto before = lasting_files(folder.path / "out");
  CHECK(run_all(scene, folder.path / "out", true).finished);
  CHECK(lasting_files(folder.path / "out") == before);
}

TEST_CASE("a_damaged_checkpoint_gives_way_to_the_one_before") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(eventful_scene, {"render.enabled=false"});
  run_all(scene, folder.path / "whole");
  for (const char* damage : {"cut", "changed", "empty"}) {
    const fs::path out = folder.path / damage;
    run_until(scene, out, 6);
    const fs::path newest = out / "checkpoint" / "frame_0006.h5";
    std::string bytes = bytes_of(newest);
    REQUIRE(bytes.size() > 1000);
    if (damage == std::string("cut")) bytes.resize(bytes.size() / 2);
    if (damage == std::string("changed")) bytes[bytes.size() / 2] ^= 1;
    if (damage == std::string("empty")) bytes.clear();
    std::ofstream(newest, std::ios::binary) << bytes;
    CHECK(run_all(scene, out, true).finished);
    CHECK(difference(folder.path / "whole", out) == "");
  }
}

TEST_CASE("without_a_readable_checkpoint_resume_says_which_are_damaged") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(small_scene, {"render.enabled=false"});
  run_all(scene, folder.path);
  for (const auto& entry : fs::directory_iterator(folder.path / "checkpoint"))
    std::ofstream(entry.path()) << "rubbish";
  const std::string message = message_of(scene, folder.path, true);
  CHECK(contains(message, "no checkpoint can be read"));
  CHECK(contains(message, "frame_0003.h5"));
  CHECK(contains(message, "frame_0004.h5"));
}

TEST_CASE("a_changed_scene_is_not_resumed_and_costs_nothing") {
  const TemporaryFolder folder;
  const Scene scene = scene_of(small_scene);
  run_until(scene, folder.path, 2);
  const auto before = files_of(folder.path);
  const std::string message =
      message_of(scene_of(small_scene, {"material.wax.youngs_modulus=2e4"}), folder.path, true);
  CHECK(contains(message, "belongs to another version of the scene"));
  CHECK(contains(message, "without --resume"));
  CHECK(files_of(folder.path) == before);
  CHECK(run_all(scene_of(small_scene, {"render.width=96"}), folder.path, true).finished);
}

TEST_CASE("another_order_of_bodies_is_another_scene") {
  const std::string head = "[material.wax]\nmethod = \"lennard_jones\"\nyoungs_modulus = 1e4\n";
  const std::string a =
      "[body.a]\nmaterial = \"wax\"\nspacing = 0.1\nshape = { type = \"sphere\", radius = 0.2 }\n";
  const std::string b =
      "[body.b]\nmaterial = \"wax\"\nspacing = 0.1\n"
      "shape = { type = \"sphere\", radius = 0.2, centre = [1, 0, 0] }\n";
  const TemporaryFolder folder;
  const std::vector<std::string> quick = {"render.enabled=false", "duration=0.1"};
  run_until(scene_of((head + b + a).c_str(), quick), folder.path, 1);
  CHECK(contains(message_of(scene_of((head + a + b).c_str(), quick), folder.path, true),
                 "another version of the scene"));
}

TEST_CASE("a_stop_leaves_a_checkpoint_of_the_frame") {
  const TemporaryFolder folder;
  const Scene scene =
      scene_of(small_scene, {"render.enabled=false", "output.checkpoint_every=100"});
  CHECK_FALSE(run_until(scene, folder.path, 3).finished);
  CHECK(fs::exists(folder.path / "checkpoint" / "frame_0003.h5"));
}

TEST_CASE("a_stop_that_comes_late_leaves_a_checkpoint_too") {
  const TemporaryFolder folder;
  std::atomic<bool> stop{true};  // before the first frame
  RunOptions options;
  options.out = folder.path;
  options.stop = &stop;
  const Scene scene =
      scene_of(small_scene, {"render.enabled=false", "output.checkpoint_every=100"});
  CHECK_FALSE(run(scene, options).finished);
  CHECK(fs::exists(folder.path / "checkpoint" / "frame_0000.h5"));
  CHECK(run_all(scene, folder.path, true).finished);
}

TEST_CASE("a_folder_that_cannot_be_made_is_an_error_with_its_name") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "file") << "x";
  CHECK_THROWS_WITH_AS(run_all(scene_of(small_scene), folder.path / "file" / "out"),
                       doctest::Contains((folder.path / "file" / "out").c_str()), Error);
}

TEST_CASE("an_unknown_attribute_is_found_before_an_earlier_run_is_cleared") {
  const TemporaryFolder folder;
  run_all(scene_of(small_scene), folder.path);
  const auto before = files_of(folder.path);
  const std::string message =
      message_of(scene_of(small_scene, {"render.colour_by=sped"}), folder.path);
  CHECK(contains(message, "render.colour_by = \"sped\" is not an attribute"));
  CHECK(contains(message, "did you mean 'speed'?"));
  CHECK(contains(message, "pair_energy"));
  CHECK(files_of(folder.path) == before);
}

TEST_CASE("events_show_and_hide_colliders_in_pictures") {
  const TemporaryFolder folder;
  run_until(scene_of(small_scene), folder.path, 0);
  const Scene plain = scene_of(small_scene);
  const Scene hiding =
      scene_of(small_scene, {R"(event=[{time=0.1,set={"collider.ground.visible"=false}}])"});
  Frame frame = read_points(folder.path / "particles" / "frame_0000.ply");
  Photographer one(plain), other(hiding);
  const std::vector<MatterPart> parts = SurfaceMaker(plain).make({}, frame);
  const auto same = [&](double time) {
    frame.time = time;
    return one.picture({}, frame, parts).pixels == other.picture({}, frame, parts).pixels;
  };
  CHECK(same(0.05));
  CHECK(same(0.1));  // an event at the time of a frame happens after it
  CHECK_FALSE(same(0.15));
}

TEST_CASE("a_run_with_surfaces_writes_and_draws_them_and_resumes_to_the_same_files") {
  const TemporaryFolder whole, parts;
  const Scene scene =
      scene_of(small_scene, {"surface.wax.look=wax", "output.usd=true", "output.contact_sheet=2"});
  run_all(scene, whole.path);
  for (const char* file :
       {"surface/frame_0000.ply", "surface/frame_0004.ply", "animation.usda", "contact_sheet.png"})
    CHECK_MESSAGE(fs::exists(whole.path / file), file);
  const SurfaceMesh surface = read_surface(whole.path / "surface/frame_0000.ply");
  CHECK(open_edges(surface.mesh).count == 0);
  // A ball of radius 0.2 filled with 33 particles of 0.1: the sampling decides to a fifth.
  CHECK(volume(surface.mesh) == doctest::Approx(4.0 / 3 * M_PI * 0.008).epsilon(0.2));
  CHECK(std::any_of(surface.attributes.begin(), surface.attributes.end(),
                    [](const FrameColumn& c) { return c.name == "velocity"; }));
  run_until(scene, parts.path, 2);
  run_all(scene, parts.path, true);
  CHECK(bytes_of(parts.path / "surface/frame_0004.ply") ==
        bytes_of(whole.path / "surface/frame_0004.ply"));
  CHECK(bytes_of(parts.path / "images/frame_0004.png") ==
        bytes_of(whole.path / "images/frame_0004.png"));
  CHECK(bytes_of(parts.path / "animation.usda") == bytes_of(whole.path / "animation.usda"));
}

TEST_CASE("a_run_writes_volumes_where_this_build_can") {
  if (!can_write_vdb()) return;
  const TemporaryFolder folder;
  run_until(scene_of(small_scene, {"surface.wax.look=wax", "output.volume=true"}), folder.path, 1);
  CHECK(fs::file_size(folder.path / "volume/frame_0001.vdb") > 1000);
}

TEST_CASE("a_skin_follows_its_particles_and_keeps_its_texture") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "card.obj")
      << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
         "f 1/1 2/2 3/3 4/4\n";
  const std::string mesh = "surface.ball.mesh=\"" + (folder.path / "card.obj").string() + "\"";
  const Scene scene = scene_of(small_scene, {"surface.ball.method=skin", mesh});
  SurfaceMaker maker(scene);
  run_until(scene, folder.path / "run", 0);
  Frame frame = read_points(folder.path / "run/particles/frame_0000.ply");
  const SurfaceMesh rest = maker.make({}, frame)[0].surface;
  REQUIRE(rest.mesh.vertices.size() == 4);
  CHECK(rest.texture.size() == 4);
  // The body's centre is 0.3 above the origin, and so is its skin.
  CHECK(rest.mesh.vertices[0][1] == doctest::Approx(-0.7).epsilon(1e-3));
  std::vector<Vec3> moved(frame.count);
  for (std::size_t i = 0; i < frame.count; ++i) moved[i] = frame.position(i) + Vec3{1, 2, 3};
  frame.columns[0] = make_frame_column("position", "m", moved.data(), moved.size());
  const SurfaceMesh after = maker.make({}, frame)[0].surface;
  for (int v = 0; v < 4; ++v)
    CHECK(length(after.mesh.vertices[v] - rest.mesh.vertices[v] - Vec3{1, 2, 3}) < 1e-4);
  CHECK(after.attributes.size() + 1 == frame.columns.size());
  frame = Frame(read_points(folder.path / "card.obj"));
  CHECK_THROWS_AS(maker.make({}, frame), Error);
  const Scene bare =
      scene_of(small_scene, {"surface.ball.method=skin", "surface.ball.texture=a.png"});
  CHECK_THROWS_AS(SurfaceMaker{bare}, InputError);
}

TEST_CASE("every_way_to_draw_matter_gives_another_picture") {
  const TemporaryFolder folder;
  run_until(scene_of(small_scene), folder.path, 0);
  const Frame frame = read_points(folder.path / "particles" / "frame_0000.ply");
  std::vector<std::vector<render::Colour>> seen;
  const auto look = [&](const std::vector<std::string>& set) {
    const Scene scene = scene_of(small_scene, set);
    const auto pixels =
        Photographer(scene).picture({}, frame, SurfaceMaker(scene).make({}, frame)).pixels;
    CHECK_MESSAGE(std::find(seen.begin(), seen.end(), pixels) == seen.end(), set.front());
    seen.push_back(pixels);
  };
  look({"surface.wax.method=particles"});
  for (const std::string& name : render::look_names()) look({"surface.wax.look=" + name});
  look({"surface.ball.method=sph"});
  look({"surface.wax.direct=true", "surface.wax.radius=0.25"});
  look({"surface.wax.colour=[1,0,0]"});
  look({"surface.wax.roughness=0.9"});
  look({"surface.wax.look=wax", "surface.wax.depth=0.2"});
  look({"surface.wax.visible=false"});
  look({"surface.wax.cell=0.02"});
  look({"surface.wax.smooth=5"});
  if (can_decimate()) look({"surface.wax.decimate=0.2"});
  // At rest a skin around points is the surface it was made from.
  look({"surface.wax.method=skin", "surface.wax.roughness=0.6"});
  look({"surface.wax.method=anisotropic"});
  look({"surface.wax.look=matte", "render.colour_by=height"});
  look({"render.ground=shadow"});
  look({"render.ground=none"});
  look({"render.exposure=2"});
  look({"render.aperture=0.1"});
  look({"render.aperture=0.1", "render.focus=0.5"});
  look({"render.bounces=4"});
  look({"render.key_light=0"});
  look({"light.lamp.position=[0,1,1]"});
  look({"light.lamp.position=[0,1,1]", "light.lamp.strength=20"});
}

TEST_CASE("inputs_that_changed_are_named_and_not_resumed") {
  const TemporaryFolder folder;
  const auto cube = [](double size) {
    return fmt::format(
        "v 0 0 0\nv {0} 0 0\nv {0} {0} 0\nv 0 {0} 0\nv 0 0 {0}\nv {0} 0 {0}\nv {0} {0} {0}\n"
        "v 0 {0} {0}\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
        size);
  };
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path / name) << text;
  };
  const std::string text = R"(duration = 0.2
fps = 20
[material.wax]
method = "lennard_jones"
youngs_modulus = 1e4
[body.ball]
material = "wax"
shape = { particles = "points.csv" }
spacing = 0.1
[collider.tool]
shape = { type = "mesh_sequence", file = "tool_{}.obj", centre = [5, 0, 0] }
[collider.box]
shape = { type = "union", of = [{ mesh = "box.obj", centre = [3, 0, 0] }, { type = "sphere", radius = 0.1, centre = [9, 0, 0] }] }
[surface.ball]
method = "skin"
mesh = "skin.obj"
[render]
enabled = false
)";
  const std::string points = "x,y,z\n0,0,0\n0.1,0,0\n0,0.1,0\n0,0,0.1\n";
  const auto write_all = [&] {
    write("points.csv", points);
    for (const char* name : {"box.obj", "skin.obj", "tool_0.obj", "tool_1.obj"})
      write(name, cube(0.5));
  };
  write_all();
  const Scene scene = parse_scene(text, "scene.toml", folder.path);
  const fs::path out = folder.path / "out";
  run_until(scene, out, 2);
  const auto before = files_of(out);
  for (const auto& [name, changed] :
       std::map<std::string, std::string>{{"points.csv", points + "0.1,0.1,0.1\n"},
                                          {"box.obj", cube(0.4)},
                                          {"skin.obj", cube(0.4)},
                                          {"tool_1.obj", cube(0.6)},
                                          {"tool_2.obj", cube(0.5)}}) {
    CAPTURE(name);
    write(name, changed);
    const std::string message = message_of(scene, out, true);
    CHECK(contains(message, name + " has changed since"));
    CHECK(contains(message, "frame_0002.h5"));
    CHECK(files_of(out) == before);
    fs::remove(folder.path / name);
    write_all();
  }
  CHECK(run_all(scene, out, true).finished);
}

TEST_CASE("what_is_missing_before_a_checkpoint_is_made_again_or_named") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  const std::vector<std::string> set = {"surface.wax.look=wax", "output.video=false"};
  run_until(scene_of(small_scene, set), folder.path / "whole", -1);
  run_until(scene_of(small_scene, set), out, 3);
  for (const char* file : {"images/frame_0001.png", "images/frame_0003.png",
                           "surface/frame_0002.ply", "particles/frame_0003.ply"})
    REQUIRE(fs::remove(out / file));
  CHECK(run_all(scene_of(small_scene, set), out, true).finished);
  CHECK(difference(folder.path / "whole", out) == "");
  CHECK(contains(bytes_of(out / "run.log"), "missing files of earlier frames made again: "));

  const auto check_refused = [&](const std::vector<std::string>& settings,
                                 const std::string& part) {
    const auto before = files_of(out);
    const std::string message = message_of(scene_of(small_scene, settings), out, true);
    CHECK_MESSAGE(contains(message, part), message);
    CHECK(contains(message, "run without --resume"));
    CHECK(files_of(out) == before);
  };
  // Another format from the start on cannot be had later.
  check_refused({"output.particles=both", "output.video=false"}, "particles/frame_0000.vtp");
  fs::rename(out / "particles/frame_0002.ply", folder.path / "kept.ply");
  check_refused(set, "are missing: particles/frame_0002.ply;");
  fs::rename(folder.path / "kept.ply", out / "particles/frame_0002.ply");
  std::string rows;
  for (const std::string& line : split(bytes_of(out / "stats.csv"), '\n'))
    if (!line.starts_with("2,")) rows += line + "\n";
  std::ofstream(out / "stats.csv") << rows;
  check_refused(set, "row 2 of stats.csv");
}

TEST_CASE("what_has_changed_before_a_checkpoint_is_made_again_or_refused") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  const std::vector<std::string> set = {"surface.wax.look=wax", "output.video=false"};
  run_until(scene_of(small_scene, set), folder.path / "whole", -1);
  run_until(scene_of(small_scene, set), out, 3);
  const auto cut = [&](const char* file) { fs::resize_file(out / file, 100); };
  const auto alter = [&](const fs::path& file) {
    std::string bytes = bytes_of(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(file, std::ios::binary) << bytes;
  };
  cut("images/frame_0001.png");
  alter(out / "surface/frame_0002.ply");
  alter(out / "particles/frame_0003.ply");  // the checkpoint has them
  CHECK(run_all(scene_of(small_scene, set), out, true).finished);
  CHECK(difference(folder.path / "whole", out) == "");
  CHECK(contains(bytes_of(out / "run.log"),
                 "changed files of earlier frames made again: images/frame_0001.png, "
                 "surface/frame_0002.ply, particles/frame_0003.ply\n"));

  const auto check_refused = [&](const char* file, const std::string& part) {
    const std::string kept = bytes_of(out / file);
    alter(out / file);
    const auto before = files_of(out);
    const std::string message = message_of(scene_of(small_scene, set), out, true);
    CHECK_MESSAGE(contains(message, part), message);
    CHECK(contains(message, "back, or run without --resume"));
    CHECK(files_of(out) == before);
    std::ofstream(out / file, std::ios::binary) << kept;
  };
  check_refused("particles/frame_0001.ply", "out: particles/frame_0001.ply has changed since");
  check_refused("stats.csv", "stats.csv: its rows up to frame ");
  check_refused("reactions.csv", "reactions.csv: its rows up to frame ");
  CHECK(run_all(scene_of(small_scene, set), out, true).finished);
}

TEST_CASE("a_manifest_without_seals_is_resumed_from") {
  const TemporaryFolder folder;
  const fs::path out = folder.path / "out";
  run_until(scene_of(small_scene), out, 3);
  std::string names;
  for (const std::string& line : split(bytes_of(out / "phyxel_run.txt"), '\n'))
    if (!line.starts_with("= ")) names += line + "\n";
  std::ofstream(out / "phyxel_run.txt") << names;
  CHECK(run_all(scene_of(small_scene), out, true).finished);
}

namespace {

/// Between vertices of the same number, m.
double largest_distance(const fs::path& a, const fs::path& b) {
  const SurfaceMesh one = read_surface(a);
  const SurfaceMesh other = rebased(read_surface(b), one.origin);
  REQUIRE(one.mesh.vertices.size() == other.mesh.vertices.size());
  REQUIRE(!one.mesh.vertices.empty());
  Real most = 0;
  for (std::size_t k = 0; k < one.mesh.vertices.size(); ++k)
    most = std::max(most, length(one.mesh.vertices[k] - other.mesh.vertices[k]));
  return most;
}

}  // namespace

TEST_CASE("what_is_made_again_of_a_scene_off_the_middle_is_the_same") {
  const TemporaryFolder folder;
  const std::string text =
      std::string(small_scene)
          .replace(std::string(small_scene).find("[0, 0.3, 0]"), 11, "[7.37, 0.3, 1.1]");
  const Scene scene = scene_of(text.c_str(), {"surface.wax.look=wax", "output.video=false"});
  REQUIRE(length(scene.origin) > 1);
  run_all(scene, folder.path / "whole");
  const fs::path out = folder.path / "out";
  run_until(scene, out, 3);
  for (const char* file : {"images/frame_0001.png", "surface/frame_0002.ply"})
    REQUIRE(fs::remove(out / file));
  for (const char* file : {"images/frame_0002.png", "surface/frame_0001.ply"})
    std::ofstream(out / file, std::ios::trunc);  // empty files are as good as none
  CHECK(run_all(scene, out, true).finished);
  // Files hold positions with the origin added, as doubles: bits below an ulp of 7.37, 2^-50, are
  // lost, of a float only where it is that small. A surface follows its particles; where its field
  // is flat it moves by some times as much.
  for (const char* file : {"surface/frame_0001.ply", "surface/frame_0002.ply"})
    CHECK(largest_distance(folder.path / "whole" / file, out / file) < 64 * 0x1p-50);
  CHECK(names_of(folder.path / "whole") == names_of(out));
}

TEST_CASE("a_surface_that_is_not_there_is_refused_before_anything_is_written") {
  const TemporaryFolder folder;
  const std::string message =
      message_of(scene_of(small_scene, {"surface.wax.method=blobs", "surface.wax.iso=1000"}),
                 folder.path / "out");
  CHECK_MESSAGE(contains(message, "no surface was found around"), message);
  CHECK(contains(message, "finds one"));
  CHECK_FALSE(fs::exists(folder.path / "out"));
}

TEST_CASE("pictures_that_were_not_drawn_at_first_are_drawn_when_a_run_goes_on_with_them") {
  const TemporaryFolder folder;
  run_all(scene_of(small_scene), folder.path / "whole");
  const fs::path out = folder.path / "out";
  run_until(scene_of(small_scene, {"render.enabled=false"}), out, 2);
  CHECK(run_all(scene_of(small_scene), out, true).pictures == 5);
  CHECK(difference(folder.path / "whole", out) == "");
}

}  // namespace phyxel
