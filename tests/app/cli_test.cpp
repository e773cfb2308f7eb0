#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>
#include <thread>

#include "app/eventful_scene.h"
#include "app/process.h"
#include "phyxel/core/vec.h"
#include "phyxel/io/vdb.h"
#include "phyxel/surfaces/decimate.h"
#include "render/temporary_folder.h"
#include "scene/json_check.h"

namespace phyxel {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// A temporary folder with scene.toml in it.
struct SceneFolder : TemporaryFolder {
  explicit SceneFolder(const std::string& text = eventful_scene) {
    std::ofstream(path / "scene.toml") << text;
  }
};

using Words = std::vector<std::string>;

void pause(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Forty frames of the eventful scene, each some hundredths of a second of work.
Words long_run(const std::string& out, const Words& more = {}) {
  Words words = {"run", "scene.toml", "--out", out, "--set", "fps=80", "--threads", "2"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("status_0_means_done") {
  const SceneFolder folder;
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--frames", "2"});
  CHECK(run.status == 0);
  CHECK(run.error == "");
  CHECK(contains(run.out, "frame    1/2  t = 0.050 s"));
  CHECK(contains(run.out, "done in"));
  CHECK(fs::exists(folder.path / "out" / "scene" / "particles" / "frame_0002.ply"));
  const Ended quiet =
      phyxel_says(folder.path, {"run", "scene.toml", "--frames", "1", "--no-render", "--quiet"});
  CHECK(quiet.status == 0);
  CHECK(quiet.out + quiet.error == "");
}

TEST_CASE("all_mistakes_of_a_scene_are_printed_with_status_2") {
  const SceneFolder folder(
      "durration = 2\n[world]\ngravity = -9.81\n[material.m]\nmethod = \"mpm\"\npreset = "
      "\"dough\"\n[body.b]\nmaterial = \"m\"\nspacing = 0.1\nshape = { type = \"bax\" }\n");
  for (const char* command : {"check", "run"}) {
    const Ended ended = phyxel_says(folder.path, {command, "scene.toml"});
    CHECK(ended.status == 2);
    CHECK(ended.out == "");
    CHECK(contains(ended.error, "scene.toml:1:1: durration is not a known key"));
    CHECK(contains(ended.error, "\nscene.toml:3:1: world.gravity = -9.81 must be 3 numbers"));
    CHECK(contains(ended.error, "\nscene.toml:6:1: material.m.preset = \"dough\""));
    CHECK(contains(ended.error, "\nscene.toml:10:11: body.b.shape.type = \"bax\" is not a shape"));
    CHECK(ended.error.ends_with("\n4 mistakes\n"));
  }
  CHECK(!fs::exists(folder.path / "out"));
}

TEST_CASE("check_run_and_log_warn_of_bodies_that_do_not_feel_each_other") {
  const SceneFolder folder(R"(duration = 2
[render]
enabled = false
[material.water]
method = "sph"
[material.gum]
method = "lattice"
[body.drop]
material = "water"
spacing = 0.1
shape = { type = "sphere", radius = 0.25 }
[body.block]
material = "gum"
spacing = 0.1
shape = { type = "cube", center = [0, 1, 0], size = 0.4 }
)");
  const std::string warning =
      "warning: body.block (lattice) and body.drop (sph) pass through each other where they meet";
  CHECK(contains(phyxel_says(folder.path, {"check", "scene.toml"}).out, warning));
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--frames", "1"});
  CHECK(run.status == 0);
  CHECK(contains(run.error, warning));
  std::ifstream log(folder.path / "out" / "scene" / "run.log");
  CHECK(contains(std::string(std::istreambuf_iterator<char>(log), {}), warning));
}

TEST_CASE("surface_makes_a_closed_mesh_of_every_file_that_fits_a_pattern") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path, {"run", "scene.toml", "--frames", "3", "--no-render"}).status ==
          0);
  const std::string pattern = "out/scene/particles/frame_{1..2}.ply";
  const Ended made =
      phyxel_says(folder.path, {"surface", pattern, "--out", "skin", "--check-mesh"});
  CHECK(made.status == 0);
  CHECK(made.error == "");
  CHECK(contains(made.out, "closed, "));
  CHECK(fs::exists(folder.path / "skin" / "frame_0001.ply"));
  CHECK(fs::exists(folder.path / "skin" / "frame_0002.ply"));
  CHECK(!fs::exists(folder.path / "skin" / "frame_0003.ply"));
  for (const char* format : {"obj", "vtp", "glb", "usda"})
    CHECK(phyxel_says(folder.path, {"surface", pattern, "--out", "skin", "--format", format})
              .status == 0);
  CHECK(fs::exists(folder.path / "skin" / "surface.usda"));
  const Ended fewer = phyxel_says(
      folder.path, {"surface", pattern, "--out", "skin", "--check-mesh", "--decimate", "0.3"});
  CHECK(fewer.status == (can_decimate() ? 0 : 2));
  CHECK(contains(fewer.error, "this build has no OpenMesh") == !can_decimate());
  const Ended volumes =
      phyxel_says(folder.path, {"surface", pattern, "--out", "skin", "--format", "vdb"});
  CHECK(volumes.status == (can_write_vdb() ? 0 : 2));
  CHECK(contains(volumes.error, "this build has no OpenVDB") == !can_write_vdb());
  CHECK(fs::exists(folder.path / "skin" / "frame_0001.vdb") == can_write_vdb());
  CHECK(fs::exists(folder.path / "skin" / "frame_0001.glb"));
}

TEST_CASE("surface_goes_on_past_a_broken_file_when_told_to") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p_1.xyz") << "3\n\nH 0 0 0\nH 1 0 0\nH 0 1 0\n";
  std::ofstream(folder.path / "p_2.xyz") << "3\n\nH 0 0 nonsense\n";
  std::ofstream(folder.path / "p_10.xyz") << "2\n\nH 0 0 0\nH 1 0 0\n";
  const Ended stops = phyxel_says(folder.path, {"surface", "p_{}.xyz", "--out", "skin"});
  CHECK(stops.status == 2);
  CHECK(contains(stops.error, "p_2.xyz"));
  CHECK(!fs::exists(folder.path / "skin" / "p_10.ply"));
  const Ended goes_on =
      phyxel_says(folder.path, {"surface", "p_{}.xyz", "--out", "skin", "--keep-going"});
  CHECK(goes_on.status == 1);
  CHECK(contains(goes_on.error, "p_2.xyz"));
  CHECK(contains(goes_on.error, "1 surface could not be made"));
  CHECK(fs::exists(folder.path / "skin" / "p_1.ply"));
  CHECK(fs::exists(folder.path / "skin" / "p_10.ply"));
}

TEST_CASE("surfaces_made_side_by_side_come_in_order_and_are_the_same_bytes") {
  const SceneFolder folder;
  for (int k = 0; k < 12; ++k)
    std::ofstream(folder.path / fmt::format("p_{}.xyz", k)) << fmt::format(
        "3\n\nH 0 0 0\nH 1 0 0\nH 0 1 {}\n", k % 5 == 4 ? "wrong" : fmt::to_string(k));
  const auto say = [&](const std::string& out, const Words& more) {
    Words words = {"surface", "p_{}.xyz", "--spacing", "1", "--keep-going", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    return phyxel_says(folder.path, words);
  };
  for (const std::string format : {"ply", "usda"}) {
    const Ended alone = say("one_" + format, {"--format", format, "--threads", "1"});
    const Ended together = say("many_" + format, {"--format", format, "--threads", "4"});
    CHECK(alone.status == 1);
    CHECK(together.status == 1);
    CHECK(together.error == alone.error);
    CHECK(contains(together.error, "p_4.xyz"));
    CHECK(together.error.find("p_4.xyz") < together.error.find("p_9.xyz"));
    CHECK(split(together.out, '\n').size() == split(alone.out, '\n').size());
    CHECK(together.out.find("11/12") < together.out.find("12/12"));
    CHECK(files_of(folder.path / ("one_" + format)) == files_of(folder.path / ("many_" + format)));
  }
  CHECK(files_of(folder.path / "many_ply").size() == 10 + 1);  // and the manifest
}

TEST_CASE("surface_makes_files_of_frames_without_particles") {
  const SceneFolder folder;
  std::ofstream(folder.path / "empty.csv") << "x,y,z\n";
  Words formats = {"ply", "obj", "vtp", "glb", "usda"};
  if (can_write_vdb()) formats.push_back("vdb");
  for (const std::string& format : formats) {
    const Ended made = phyxel_says(
        folder.path, {"surface", "empty.csv", "--out", "skin", "--format", format, "--check-mesh"});
    CHECK_MESSAGE(made.status == 0, made.error);
    CHECK(fs::exists(folder.path / "skin" / ((format == "usda" ? "surface." : "empty.") + format)));
  }
}

TEST_CASE("surfaces_that_cannot_be_written_leave_nothing_behind") {
  const SceneFolder folder;
  for (const char* name : {"p_1.xyz", "p_2.xyz", "p_3.xyz"})
    std::ofstream(folder.path / name) << "2\n\nH 0 0 0\nH 1 0 0\n";
  Words formats = {"ply", "usda"};
  if (can_write_vdb()) formats.push_back("vdb");
  for (const std::string& format : formats) {
    const Words words = {"surface",  "p_{}.xyz", "--out",       format,
                         "--format", format,     "--keep-going"};
    const Ended full = phyxel_says(folder.path, words, 700);
    CHECK(full.status == 1);
    CHECK_MESSAGE(contains(full.error, "cannot write"), full.error);
    CHECK_FALSE(fs::exists(folder.path / format));
  }
  std::ofstream(folder.path / "taken") << "a file";
  const Ended taken = phyxel_says(folder.path, {"surface", "p_1.xyz", "--out", "taken/skin"});
  CHECK(taken.status == 1);
  CHECK(contains(taken.error, "taken/skin: cannot make this folder"));
}

TEST_CASE("surface_refuses_what_it_cannot_do") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p.xyz") << "2\n\nH 0 0 0\nH 1 0 0\n";
  const auto check_refused = [&](const Words& more, const std::string& part) {
    Words words = {"surface", "--out", "skin"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = phyxel_says(folder.path, words);
    CHECK_MESSAGE(ended.status == 2, part);
    CHECK_MESSAGE(contains(ended.error + ended.out, part), ended.error);
  };
  check_refused({"nothing.ply"}, "nothing.ply: no such file");
  check_refused({"q_{}.xyz"}, "q_{}.xyz: no file fits");
  check_refused({"p_{}_{}.xyz"}, "a pattern has one {}");
  check_refused({"p_{1-2}.xyz"}, "a pattern has one {}");
  check_refused({"p.xyz", "--radius", "-1"}, "--radius -1: must be at least 1e-12 m");
  check_refused({"p.xyz", "--format", "doc"}, "--format: doc not in");
  check_refused({"p.xyz", "--blobbiness", "100", "--method", "blobs"},
                "--blobbiness 100: must be at least 0.01 and at most 20");
  check_refused({"p.xyz", "--blobbiness", "2"}, "--blobbiness: is for --method blobs");
  check_refused({"p.xyz", "--iso", "2"}, "--iso: is for --method blobs, sph or anisotropic");
  check_refused({"p.xyz", "--cell", "1e-12"}, "take larger cells");
  check_refused({"p.xyz", "--smooth", "-1"}, "--smooth");
  check_refused({"p.xyz", "p.xyz"}, "two inputs are called p");
  check_refused({"p.xyz", "--decimate", "2"}, "--decimate");
  if (can_write_vdb())
    check_refused({"p.xyz", "--decimate", "0.5", "--format", "vdb"}, "decimate: is for triangles");
}

TEST_CASE("numbers_of_options_are_numbers_in_their_range") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p.csv") << "x,y,z\n0,0,0\n0.1,0,0\n0,0.1,0\n0,0,0.1\n";
  const auto refused = [&](const Words& words) {
    const Ended said = phyxel_says(folder.path, words);
    std::string all;
    for (const std::string& word : words) all += word + " ";
    INFO(all, said.error);
    CHECK(said.status == 2);
    CHECK(contains(said.error + said.out, words.back()));
  };
  for (const char* value : {"nan", "inf", "-1", "1e300", "-nan"}) {
    refused({"render", "p.csv", "--seconds", value});
    refused({"analyse", "flow", "p.csv", "--out", "o", "--most-edges", value});
    refused({"surface", "p.csv", "--out", "o", "--decimate", value});
    refused({"surface", "p.csv", "--out", "o", "--fps", value});
    for (const char* option : {"--spacing", "--radius", "--cell"})
      refused({"surface", "p.csv", "--out", "o", option, value});
    for (const char* option : {"--iso", "--blobbiness"})
      refused({"surface", "p.csv", "--out", "o", "--method", "blobs", option, value});
    for (const char* option : {"--alpha", "--border", "--longest-edge"})
      refused({"surface", "p.csv", "--out", "o", "--method", "flow", option, value});
    for (const char* option : {"--threads", "--samples", "--frames", "--turntable"})
      refused({"render", "p.csv", option, value});
    refused({"bench", "--particles", value});
    refused({"bench", "--repeats", value});
    refused({"run", "scene.toml", "--seed", value});
  }
  refused({"surface", "p.csv", "--out", "o", "--spacing", "1e-300"});
  CHECK(!fs::exists(folder.path / "o"));
}

TEST_CASE("a_surface_that_is_not_there_is_an_error") {
  const SceneFolder folder;
  std::ofstream points(folder.path / "p.csv");
  points << "x,y,z\n";
  for (int k = 0; k < 64; ++k)
    points << fmt::format("{},{},{}\n", k % 4 * 0.1, k / 4 % 4 * 0.1, k / 16 * 0.1);
  points.close();
  const auto say = [&](const Words& more) {
    Words words = {"surface", "p.csv", "--out", "o"};
    words.insert(words.end(), more.begin(), more.end());
    return phyxel_says(folder.path, words);
  };
  for (const char* size : {"1e30", "1e6"}) {
    const Ended far = say({"--spacing", size});
    CHECK(far.status == 2);
    CHECK(contains(far.error, "spacing"));
  }
  CHECK(contains(say({"--spacing", "1e6"}).error, "all points lie within"));
  const Ended coarse = say({"--cell", "1e6"});
  CHECK(coarse.status == 2);
  const Ended high = say({"--method", "blobs", "--iso", "1e9"});
  CHECK(high.status == 2);
  CHECK(contains(high.error, "p.csv: no surface was found around 64 points"));
  CHECK(say({}).status == 0);
}

TEST_CASE("colours_in_bytes_and_in_code_values_are_drawn_alike") {
  const SceneFolder folder;
  std::ofstream whole(folder.path / "whole.csv"), real(folder.path / "real.csv");
  std::ofstream ply(folder.path / "bytes.ply");
  whole << "x,y,z,red,green,blue\n", real << "x,y,z,red,green,blue\n";
  ply << "ply\nformat ascii 1.0\nelement vertex 64\nproperty float x\nproperty float y\nproperty "
         "float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n";
  for (int k = 0; k < 64; ++k) {
    // Eighths are the same in the float of a PLY file and in the double of a text.
    const std::string place =
        fmt::format("{} {} {}", k % 4 * 0.125, k / 4 % 4 * 0.125, k / 16 * 0.125);
    const int red = 3 * k, green = 200 - k, blue = 51;
    std::string row = place;
    std::replace(row.begin(), row.end(), ' ', ',');
    whole << fmt::format("{},{},{},{}\n", row, red, green, blue);
    real << fmt::format("{},{:.9},{:.9},{:.9}\n", row, red / 255.0, green / 255.0, blue / 255.0);
    ply << fmt::format("{} {} {} {}\n", place, red, green, blue);
  }
  whole.close(), real.close(), ply.close();
  for (const std::string method : {"particles", "zhu_bridson"}) {
    const auto drawn = [&](const std::string& file) {
      const Ended said =
          phyxel_says(folder.path, {"render", file, "--method", method, "--out", "out", "--samples",
                                    "4", "--set", "render.width=80", "--set", "render.height=60"});
      REQUIRE(said.status == 0);
      return bytes_of(folder.path / "out" / "images" / "frame_0000.png");
    };
    const std::string bytes = drawn("bytes.ply");
    CHECK(drawn("whole.csv") == bytes);
    CHECK(drawn("real.csv") == bytes);
  }
}

TEST_CASE("frames_of_other_programs_are_drawn_and_gathered") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p_1.xyz") << "0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n";
  std::ofstream(folder.path / "p_2.xyz") << "0 0.1 0\n0.1 0.1 0\n0 0.2 0\n0 0.1 0.1\n";
  const Words small = {"--set", "render.width=64", "--set", "render.height=36", "--samples", "2"};
  const auto draw = [&](Words words) {
    words.insert(words.begin(), "render");
    words.insert(words.end(), small.begin(), small.end());
    return phyxel_says(folder.path, words);
  };
  const Ended drawn = draw({"p_{}.xyz", "--out", "seen", "--look", "wax", "--contact-sheet", "2"});
  CHECK_MESSAGE(drawn.status == 0, drawn.error);
  for (const char* file :
       {"images/frame_0000.png", "images/frame_0001.png", "contact_sheet.png", "video.mp4"})
    CHECK_MESSAGE(fs::exists(folder.path / "seen" / file), file);
  CHECK(bytes_of(folder.path / "seen/images/frame_0000.png") !=
        bytes_of(folder.path / "seen/images/frame_0001.png"));
  CHECK(draw({"p_1.xyz", "--out", "around", "--turntable", "3"}).status == 0);
  CHECK(fs::exists(folder.path / "around/turntable/frame_0002.png"));
  CHECK(fs::exists(folder.path / "around/turntable.mp4"));
  std::ofstream(folder.path / "one.xyz") << "5 5 5\n5 5 5\n5 5 5\n";
  CHECK(draw({"one.xyz", "--out", "one"}).status == 0);
  std::ofstream(folder.path / "p_3.xyz") << "0 0 zero\n";
  std::ofstream(folder.path / "p_4.xyz") << "0 0 0\n0.1 0 0\n0.2 0 0\n";
  std::ofstream(folder.path / "p_5.xyz") << "a b c\n";
  const Ended cut = draw({"p_{}.xyz", "--out", "cut"});
  CHECK(cut.status == 2);
  CHECK(contains(cut.error, "has no position"));
  const Ended rest = draw({"p_{}.xyz", "--out", "rest", "--keep-going"});
  CHECK(rest.status == 1);
  CHECK(contains(rest.error, "2 pictures could not be made"));
  CHECK(fs::exists(folder.path / "rest/images/frame_0003.png"));
}

TEST_CASE("surfaces_that_were_written_are_drawn") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p.xyz") << "0 0 0\n0.1 0 0\n0 0.1 0\n0 0 0.1\n";
  CHECK(phyxel_says(folder.path, {"surface", "p.xyz", "--out", "skin"}).status == 0);
  const Ended drawn =
      phyxel_says(folder.path, {"render", "skin", "--out", "seen", "--set", "render.width=64",
                                "--set", "render.height=36", "--samples", "2", "--seconds", "0.1"});
  CHECK_MESSAGE(drawn.status == 0, drawn.error);
  CHECK(fs::exists(folder.path / "seen/images/frame_0000.png"));
  CHECK(phyxel_says(folder.path, {"render", "p.xyz", "--look", "woxy"}).status == 2);
  // A mesh that faces inward is drawn as the one that faces outward.
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  std::ofstream(folder.path / "out.obj") << corners << "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::ofstream(folder.path / "in.obj") << corners << "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
  for (const char* name : {"out", "in"})
    CHECK(
        phyxel_says(folder.path, {"render", std::string(name) + ".obj", "--out", name, "--look",
                                  "water", "--set", "render.width=32", "--set", "render.height=32"})
            .status == 0);
  CHECK(bytes_of(folder.path / "out/images/frame_0000.png") ==
        bytes_of(folder.path / "in/images/frame_0000.png"));
  CHECK(phyxel_says(folder.path, {"render", "skin", "--method", "blobs"}).status == 2);
  CHECK(phyxel_says(folder.path, {"render", "p.xyz", "--method", "skin"}).status == 2);
}

TEST_CASE("status_2_means_bad_usage_or_scene") {
  const SceneFolder folder;
  const auto check_refused = [&](const Words& words, const std::string& part) {
    const Ended ended = phyxel_says(folder.path, words);
    CHECK_MESSAGE(ended.status == 2, part);
    CHECK_MESSAGE(contains(ended.error + ended.out, part), ended.error);
  };
  check_refused({"rnu"}, "phyxel rnu: not a command; did you mean 'run'?");
  check_refused({}, "A subcommand is required");
  check_refused({"run"}, "scene");
  check_refused({"run", "scene.toml", "--threads", "0"}, "--threads");
  check_refused({"run", "scene.toml", "--frames", "-1"}, "--frames");
  check_refused({"run", "scene.toml", "--fast"}, "--fast");
  check_refused({"run", "scene.toml", "--device", "cuda"}, "--device cuda: ");
  check_refused({"run", "none.toml"}, "none.toml: neither a file nor a bundled scene");
  check_refused({"run", "faling_beam"}, "did you mean 'falling_beam'?");
  check_refused({"check", "scene.toml", "--set", "body.lower.spacing=0"},
                "--set body.lower.spacing: body.lower.spacing = 0 must be above 0 m");
  check_refused({"run", "scene.toml", "--set", "fps"}, "must be key=value");
  check_refused({"new", "a b"}, "a name has letters");
  check_refused({"new", "scene"}, "scene.toml: exists already");
  check_refused({"new", "x", "--method", "magic"}, "magic: not a method");
  check_refused({"render", "."}, "no particle or surface files in it");
  check_refused({"render", "nothing"}, "nothing: no such file");
  check_refused({"check", "scene.toml", "--set", "render.environment=none.hdr"},
                "render.environment: none.hdr: not a readable picture: no such file");
  check_refused({"render", "/"}, "no particle or surface files in it");
  check_refused({"list", "things"}, "things");
  std::ofstream(folder.path / "bad.toml") << "fps = 20\nspeed = 3\n";
  for (const char* command : {"run", "check"})
    check_refused({command, "bad.toml"}, "bad.toml:2:1: speed is not a known key");
  CHECK_FALSE(fs::exists(folder.path / "out"));
}

TEST_CASE("status_1_means_failed_while_running") {
  const SceneFolder folder;
  // Bonds pressed so hard that their energy is beyond the largest number.
  const std::string event =
      R"(event=[{time=0.1,set={"material.wax.equilibrium_distance"=1e9,"material.wax.repulsive_exponent"=40}}])";
  const Ended run =
      phyxel_says(folder.path, {"run", "scene.toml", "--no-render", "--set", "time.fixed_dt=0.05",
                                "--set", event, "--set", "keyframe=[]"});
  CHECK(run.status == 1);
  CHECK(contains(run.error, "phyxel: frame 3, t = "));
  CHECK(contains(run.error, "lower time.fixed_dt"));
  CHECK(fs::exists(folder.path / "out" / "scene" / "checkpoint" / "frame_0002.h5"));
  std::ofstream(folder.path / "file") << "x";
  const Ended unwritable = phyxel_says(folder.path, {"run", "scene.toml", "--out", "file/out"});
  CHECK(unwritable.status == 1);
  CHECK(contains(unwritable.error, "file/out"));
}

TEST_CASE("killed_at_any_moment_a_run_resumes_to_the_same_bytes") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path, long_run("whole")).status == 0);
  int killed = 0;
  for (int delay : {20, 90, 150, 230, 310, 120, 270}) {
    Process process(folder.path, long_run("pieces", {"--resume"}));
    pause(delay);
    process.kill(SIGKILL);
    killed += process.wait() == -SIGKILL;
  }
  CHECK(killed >= 3);  // the others were done before
  CHECK(phyxel_says(folder.path, long_run("pieces", {"--resume"})).status == 0);
  CHECK(difference(folder.path / "whole", folder.path / "pieces") == "");
}

TEST_CASE("an_interrupt_ends_after_the_frame_with_a_checkpoint_and_a_hint") {
  const SceneFolder folder;
  Process process(folder.path, long_run("out", {"--set", "output.checkpoint_every=1000"}));
  while (!contains(process.out(), "frame    2/")) pause(5);
  process.kill(SIGINT);
  CHECK(process.wait() == 1);
  const std::string out = process.out();
  CHECK(contains(out, "; go on with the same command and --resume"));
  const std::size_t at = out.find("stopped after frame ");
  REQUIRE(at != out.npos);
  const int frame = std::stoi(out.substr(at + 20));
  CHECK(frame >= 2);
  CHECK(frame < 40);
  CHECK(fs::exists(folder.path / "out" / fmt::format("checkpoint/frame_{:04}.h5", frame)));
  CHECK(contains(bytes_of(folder.path / "out" / "stats.csv"), fmt::format("\n{},", frame)));
  CHECK_FALSE(
      contains(bytes_of(folder.path / "out" / "stats.csv"), fmt::format("\n{},", frame + 1)));
}

TEST_CASE("a_full_disk_leaves_earlier_frames_intact_and_says_so") {
  const SceneFolder folder;
  const Words run = {"run", "scene.toml", "--out", "out", "--resume", "--no-render"};
  Words begin = run;
  begin.insert(begin.end(), {"--frames", "2"});
  REQUIRE(phyxel_says(folder.path, begin).status == 0);
  auto before = files_of(folder.path / "out");
  const Ended full = phyxel_says(folder.path, run, 4096);  // less than one frame of particles
  CHECK(full.status == 1);
  CHECK(contains(full.error,
                 "particles/frame_0003.ply: cannot write: File too large after 4096 bytes"));
  CHECK(contains(full.error, "ulimit -f"));
  auto after = files_of(folder.path / "out");
  for (auto* files : {&before, &after}) {
    files->erase("run.log");
    files->erase("phyxel_run.txt");  // names the frame that was to come
  }
  CHECK(after == before);
  CHECK(phyxel_says(folder.path, run).status == 0);
  CHECK(phyxel_says(folder.path, {"run", "scene.toml", "--out", "whole", "--no-render"}).status ==
        0);
  CHECK(difference(folder.path / "whole", folder.path / "out") == "");
}

TEST_CASE("pictures_made_again_are_the_same") {
  const SceneFolder folder;
  REQUIRE(phyxel_says(folder.path, {"run", "scene.toml", "--out", "out", "--frames", "8", "--set",
                                    "render.colour_by=\"\""})
              .status == 0);
  const auto before = files_of(folder.path / "out" / "images");
  REQUIRE(before.size() == 9);
  fs::remove_all(folder.path / "out" / "images");
  fs::remove(folder.path / "out" / "video.mp4");
  CHECK(phyxel_says(folder.path, {"render", "out"}).status == 0);
  CHECK(files_of(folder.path / "out" / "images") == before);
  CHECK(fs::file_size(folder.path / "out" / "video.mp4") > 500);
  const Ended speed = phyxel_says(folder.path, {"render", "out", "--set", "render.colour_by=speed",
                                                "--frames", "0", "--quiet"});
  CHECK(speed.status == 0);
  CHECK(speed.out == "");
  CHECK(files_of(folder.path / "out" / "images")["frame_0000.png"] != before.at("frame_0000.png"));
}

TEST_CASE("a_picture_every_second_frame_makes_a_film_of_all_of_them") {
  const SceneFolder folder;
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--out", "out", "--frames", "6",
                                              "--set", "render.every=2"});
  REQUIRE(run.status == 0);
  const fs::path film = folder.path / "out" / "video.mp4";
  const std::string probe =
      "ffprobe -v error -count_frames -select_streams v:0 -show_entries "
      "stream=nb_read_frames,r_frame_rate -of csv=p=0 " +
      film.string() + " > " + (folder.path / "probe").string();
  REQUIRE(std::system(probe.c_str()) == 0);
  CHECK(contains(bytes_of(folder.path / "probe"), "10/1,4"));
}

TEST_CASE("without_ffmpeg_there_are_pictures_and_a_note_at_the_start") {
  const SceneFolder folder;
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path.c_str(), 1);
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--frames", "2"});
  const Ended again = phyxel_says(folder.path, {"render", "out/scene"});
  setenv("PATH", path.c_str(), 1);
  const std::string note = "ffmpeg was not found: there will be pictures but no video";
  CHECK(run.status == 0);
  CHECK(run.error.starts_with(note));
  CHECK(contains(run.error, "phyxel render out/scene"));
  CHECK(contains(bytes_of(folder.path / "out/scene/run.log"), note));
  CHECK(fs::exists(folder.path / "out/scene/images/frame_0002.png"));
  CHECK_FALSE(fs::exists(folder.path / "out/scene/video.mp4"));
  CHECK(again.status == 0);
  CHECK(contains(again.error, "ffmpeg was not found: there are pictures but no video"));
  CHECK(phyxel_says(folder.path, {"render", "out/scene"}).status == 0);
  CHECK(fs::exists(folder.path / "out/scene/video.mp4"));
}

TEST_CASE("check_says_particles_memory_steps_and_why") {
  const SceneFolder folder;
  const Ended check = phyxel_says(folder.path, {"check", "scene.toml"});
  CHECK(check.status == 0);
  for (const char* part :
       {"scene: ", " particles, about ", " MB, 10 frames of 0.05 s, 3 dimensions", "body.upper",
        "body.lower", "of material.jelly, spacing 0.09 m", "stable steps", "lennard_jones",
        "chosen", "steps a frame at the start", "material.wax (lennard_jones)",
        "Young's modulus, measured"})
    CHECK_MESSAGE(contains(check.out, part), part);
}

TEST_CASE("lists_schema_reference_help_and_version_are_there") {
  const TemporaryFolder folder;
  const auto says = [&](const Words& words, const std::string& part) {
    const Ended ended = phyxel_says(folder.path, words);
    CHECK_MESSAGE(ended.status == 0, words[0]);
    CHECK_MESSAGE(contains(ended.out, part), words[0]);
    CHECK_MESSAGE(ended.error == "", words[0]);
    return ended.out;
  };
  says({"list", "scenes"}, "falling_beam ");
  says({"list", "methods"}, "lennard_jones ");
  says({"list", "materials"}, "putty ");
  says({"list", "benchmarks"}, "pairs ");
  says({"--version"}, "phyxel 0.");
  CHECK(is_json(says({"schema"}, "\"youngs_modulus\"")));
  says({"reference"}, "# Scene file reference");
  const std::string help = says({"--help"}, "phyxel list scenes");
  for (const char* command :
       {"run", "check", "render", "list", "new", "bench", "schema", "reference", "completion"}) {
    CHECK(contains(help, fmt::format("\n  {} ", command)));
    says({command, "--help"}, "Usage: phyxel " + std::string(command));
  }
}

TEST_CASE("shells_accept_the_completion") {
  const TemporaryFolder folder;
  const std::string script = phyxel_says(folder.path, {"completion", "bash"}).out;
  std::ofstream(folder.path / "completion") << script;
  std::ofstream(folder.path / "test")
      << "phyxel() { echo falling_beam; }\nsource " << (folder.path / "completion").string() << R"(
COMP_WORDS=(phyxel li); COMP_CWORD=1; _phyxel; test "${COMPREPLY[*]}" = list || exit 1
COMP_WORDS=(phyxel list m); COMP_CWORD=2; _phyxel; test "${COMPREPLY[*]}" = "methods materials" || exit 1
COMP_WORDS=(phyxel run fall); COMP_CWORD=2; _phyxel; test "${COMPREPLY[*]}" = falling_beam || exit 1
COMP_WORDS=(phyxel run x --thr); COMP_CWORD=3; _phyxel; test "${COMPREPLY[*]}" = --threads || exit 1
COMP_WORDS=(phyxel run x --device c); COMP_CWORD=4; _phyxel; test "${COMPREPLY[*]}" = "cpu cuda" || exit 1
COMP_WORDS=(phyxel surface x --method sp); COMP_CWORD=4; _phyxel; test "${COMPREPLY[*]}" = sph || exit 1
COMP_WORDS=(phyxel surface x --rel); COMP_CWORD=3; _phyxel; test "${COMPREPLY[*]}" = --relative-to || exit 1
COMP_WORDS=(phyxel analyse fl); COMP_CWORD=2; _phyxel; test "${COMPREPLY[*]}" = flow || exit 1
COMP_WORDS=(phyxel analyse flow x --most); COMP_CWORD=4; _phyxel; test "${COMPREPLY[*]}" = --most-edges || exit 1
COMP_WORDS=(phyxel bench fall); COMP_CWORD=2; _phyxel; test "${COMPREPLY[*]}" = falling_beam || exit 1
COMP_WORDS=(phyxel new x --method fall); COMP_CWORD=4; _phyxel; test "${COMPREPLY[*]}" = falling_beam || exit 1
)";
  CHECK(std::system(("bash " + (folder.path / "test").string()).c_str()) == 0);
  CHECK(contains(phyxel_says(folder.path, {"completion", "zsh"}).out, "bashcompinit"));
}

TEST_CASE("a_new_scene_can_be_checked_and_run") {
  const TemporaryFolder folder;
  CHECK(contains(phyxel_says(folder.path, {"new", "fresh"}).out, "phyxel run fresh.toml"));
  CHECK(phyxel_says(folder.path, {"check", "fresh.toml"}).status == 0);
  CHECK(phyxel_says(folder.path, {"run", "fresh.toml", "--frames", "1", "--no-render"}).status ==
        0);
  CHECK(phyxel_says(folder.path, {"new", "other.toml"}).status == 0);
  CHECK(contains(bytes_of(folder.path / "other.toml"), "name = \"other\""));
}

TEST_CASE("seed_and_overrides_reach_the_scene") {
  const SceneFolder folder;
  const auto particles = [&](const Words& more) {
    Words words = {"run", "scene.toml", "--out", "out", "--frames", "0", "--no-render"};
    words.insert(words.end(), more.begin(), more.end());
    REQUIRE(phyxel_says(folder.path, words).status == 0);
    return bytes_of(folder.path / "out" / "particles" / "frame_0000.ply");
  };
  CHECK(particles({}) == particles({"--seed", "5"}));  // the scene's own
  CHECK(particles({}) != particles({"--seed", "6"}));
  CHECK(particles({"--seed", "6"}) == particles({"--set", "seed=6"}));
  particles({"--set", "name=other", "--set", "material.wax.damping=3"});
  const std::string resolved = bytes_of(folder.path / "out" / "scene.toml");
  CHECK(contains(resolved, "name = \"other\""));
  CHECK(contains(resolved, "damping = 3"));
}

}  // namespace phyxel
