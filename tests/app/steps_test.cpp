#include <doctest/doctest.h>
#include <fmt/format.h>

#include "app/folder_files.h"
#include "phyxel/app/run.h"
#include "phyxel/app/scenes.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/forecast.h"
#include "phyxel/scene/read_scene.h"
#include "render/temporary_folder.h"

// What `check` says of steps against what a run takes, and what a run says of them and of memory.

namespace phyxel {
namespace {

struct Case {
  std::string name;
  std::string text;              // of a scene, or
  std::string bundled;           // one that comes with the program
  std::vector<std::string> set;  // overrides
};

/// A cube of four particles a side that falls on the ground, `size` times a metre large; frames
/// are as long as something of this size takes to fall. `lands`: whether there is a ground.
std::string cube(const std::string& material, double size, bool lands = true) {
  const double second = std::sqrt(size);
  return fmt::format(R"(fps = {}
duration = {}
[material.m]
{}
[body.cube]
material = "m"
spacing = {}
shape = {{ type = "box", size = [{}, {}, {}], centre = [0, {}, 0] }}
{}
)",
                     24 / second, 4.01 * second / 24, material, 0.1 * size, 0.4 * size, 0.4 * size,
                     0.4 * size, 0.25 * size,
                     lands ? "[collider.ground]\nshape = { type = \"plane\" }" : "");
}

/// A cube as small as dust that falls for a whole frame: its speed is what steps are for.
std::string falling_dust(const std::string& material) {
  return fmt::format(R"(fps = 24
duration = 0.002
[material.m]
{}
[body.dust]
material = "m"
spacing = 1e-7
shape = {{ type = "box", size = [3e-7, 3e-7, 3e-7] }}
)",
                     material);
}

Scene scene_of(const Case& c) {
  std::vector<Override> overrides;
  for (const std::string& s : c.set) overrides.push_back(parse_override(s));
  return c.bundled.empty() ? parse_scene(c.text, "scene.toml", ".", overrides)
                           : read_scene(find_scene(c.bundled), overrides);
}

struct Taken {
  double first = 0, most = 0;
};

/// Steps in a frame of a run to its end.
Taken steps_of(const Scene& scene) {
  World world = build(scene);
  Taken taken;
  while (world.frame < std::max(1, scene.frames())) {
    const AdvanceReport report = advance(world);
    if (world.frame == 1) taken.first = report.substeps;
    taken.most = std::max<double>(taken.most, report.substeps);
  }
  return taken;
}

const char* const putty = "method = \"lennard_jones\"\npreset = \"putty\"";
const char* const snow = "method = \"mpm\"\npreset = \"snow\"";
const char* const jelly = "method = \"lattice\"\npreset = \"jelly\"";
const char* const water = "method = \"sph\"\npreset = \"water\"";
const char* const granules = "method = \"mass_interaction\"\npreset = \"granules\"";

}  // namespace

TEST_CASE("check_is_right_about_the_steps_of_ten_scenes_within_a_factor_of_two") {
  const std::vector<Case> cases = {
      {"putty of a metre", cube(putty, 1), "", {}},
      {"putty of a micrometre", cube(putty, 1e-6), "", {"duration=2e-4"}},
      {"snow of a micrometre", cube(snow, 1e-6), "", {"duration=1e-4"}},
      {"snow of ten kilometres", cube(snow, 1e4), "", {}},
      {"jelly of a micrometre", cube(jelly, 1e-6), "", {"duration=1e-4"}},
      {"dust of soft lattice that falls",
       falling_dust("method = \"lattice\"\n"
                    "youngs_modulus = 1e-4\n"
                    "density = 1000.0"),
       "",
       {"fps=500"}},
      {"water of ten kilometres", cube(water, 1e4), "", {}},
      {"granules of a metre", cube(granules, 1), "", {}},
      {"a ball through a bust", "", "shot_bust", {"resolution=0.3", "duration=0.15"}},
      {"a snowball", "", "snowball", {"resolution=0.3", "duration=0.5"}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const Scene scene = scene_of(c);
    const StepForecast forecast = forecast_steps(scene, build(scene));
    const Taken taken = steps_of(scene);
    MESSAGE(c.name, ": ", forecast.start_steps, " at the start, ", forecast.most_steps,
            " at most; taken ", taken.first, " and ", taken.most, "; coarser by ", forecast.coarser,
            ", tried up to ", forecast.until, " of ", scene.duration, " s");
    CHECK(taken.most <= 2 * forecast.most_steps);
    CHECK(forecast.most_steps <= 2 * taken.most);
    CHECK(forecast.start_steps <= 2 * taken.first);
  }
}

namespace {

/// A snowman of two balls that another body hits at 100 m/s.
const char* const snowman = R"(duration = 0.05
fps = 100
[world]
gravity = [0, -9.81, 0]
[material.snow]
preset = "snow"
[body.man]
material = "snow"
spacing = 0.05
shape = { type = "union", of = [
  { type = "sphere", centre = [0, 0.25, 0], radius = 0.25 },
  { type = "sphere", centre = [0, 0.6, 0], radius = 0.18 }] }
[collider.ball]
shape = { type = "sphere", centre = [-0.6, 0.5, 0], radius = 0.12 }
motion = { times = [0, 0.02, 0.04], positions = [[0, 0, 0], [0, 0, 0], [2, 0, 0]] }
[collider.ground]
shape = { type = "plane" }
[output]
particles = "none"
)";

RunResult run_quietly(const Scene& scene, const fs::path& out, std::vector<std::string>& notes,
                      double memory = 0, bool resume = false) {
  RunOptions options;
  options.out = out;
  options.render = false;
  options.memory = memory;
  options.resume = resume;
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  return run(scene, options);
}

int count_of(const std::vector<std::string>& notes, const std::string& part) {
  return static_cast<int>(std::count_if(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(part) != note.npos;
  }));
}

}  // namespace

TEST_CASE("a_step_that_falls_to_a_fifth_is_told_once_with_what_asks_for_it") {
  const TemporaryFolder folder;
  std::vector<std::string> notes;
  run_quietly(parse_scene(snowman, "scene.toml"), folder.path / "out", notes);
  REQUIRE(count_of(notes, "the step has fallen to") == 1);
  const std::string note = *std::find_if(notes.begin(), notes.end(), [](const std::string& n) {
    return n.find("has fallen") != n.npos;
  });
  MESSAGE(note);
  CHECK(note.find("at the start") != note.npos);
  CHECK(note.find("collider.ball moves at 100 m/s") != note.npos);
  CHECK(bytes_of(folder.path / "out/run.log").find("the step has fallen to") != std::string::npos);
}

TEST_CASE("solves_of_implicit_steps_that_end_at_a_limit_are_told_once") {
  for (const std::string limit : {"iterations = 1", "iterations = 1000"}) {
    CAPTURE(limit);
    const TemporaryFolder folder;
    std::vector<std::string> notes;
    const std::string stiff =
        "method = \"mls\"\nintegration = \"implicit\"\nyoungs_modulus = 1e8\n" + limit;
    run_quietly(parse_scene(cube(stiff, 1.0), "scene.toml"), folder.path / "out", notes);
    const bool is_short = limit == "iterations = 1";
    CHECK(count_of(notes, "unfinished_solves") == (is_short ? 1 : 0));
    CHECK(count_of(notes, "raise `iterations`") == (is_short ? 1 : 0));
  }
}

namespace {

/// An event opens the tap: what was a trickle becomes more than the memory may hold.
std::string flood(const std::string& word) {
  return fmt::format(R"(fps = 20
duration = 1.0
[world]
gravity = [0, 0, 0]
out_of_memory = "{}"
[material.water]
method = "sph"
[emitter.tap]
material = "water"
shape = {{ type = "cylinder", radius = 0.05, height = 0.1 }}
spacing = 0.02
speed = 0.5
[[event]]
time = 0.25
set = {{ "emitter.tap.speed" = 20.0 }}
)",
                     word);
}

constexpr double little_memory = 1.1e6;  // bytes

}  // namespace

TEST_CASE("a_run_that_would_need_more_memory_ends_with_a_checkpoint_and_can_go_on") {
  const TemporaryFolder folder;
  std::vector<std::string> notes;
  std::string message;
  try {
    run_quietly(parse_scene(flood("stop"), "scene.toml"), folder.path / "out", notes,
                little_memory);
  } catch (const InputError&) {
    FAIL("this is no mistake of the scene");
  } catch (const Error& error) {
    message = error.what();
  }
  CHECK_MESSAGE(message.starts_with("stopped after frame 5, t = 0.25 s: "), message);
  CHECK(message.find("--resume") != message.npos);
  CHECK(fs::exists(folder.path / "out/checkpoint/frame_0005.h5"));
  // Another answer to a lack of memory is no other scene.
  const RunResult result = run_quietly(parse_scene(flood("stop_emitting"), "scene.toml"),
                                       folder.path / "out", notes, little_memory, true);
  CHECK(result.finished);
  CHECK(count_of(notes, "all emitters shut for good") == 1);
}

TEST_CASE("emitters_that_memory_has_shut_stay_shut_in_a_resumed_run") {
  const TemporaryFolder folder;
  std::vector<std::string> notes;
  const Scene scene = parse_scene(flood("stop_emitting"), "scene.toml");
  CHECK(run_quietly(scene, folder.path / "whole", notes, little_memory).finished);
  CHECK(count_of(notes, "all emitters shut for good") == 1);
  RunOptions options;
  options.out = folder.path / "cut";
  options.render = false;
  options.memory = little_memory;
  options.frames = 8;
  run(scene, options);
  // With more memory now, the shut emitters are still what the first part has left.
  notes.clear();
  run_quietly(scene, folder.path / "cut", notes, 100 * little_memory, true);
  CHECK(count_of(notes, "shut") == 0);
  CHECK(bytes_of(folder.path / "whole/particles/frame_0020.ply") ==
        bytes_of(folder.path / "cut/particles/frame_0020.ply"));
}

}  // namespace phyxel
