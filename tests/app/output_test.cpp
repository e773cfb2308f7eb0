#include <doctest/doctest.h>
#include <sys/stat.h>

#include "app/eventful_scene.h"
#include "app/process.h"
#include "render/temporary_folder.h"

// Files that a user names, and what is printed.

namespace phyxel {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

struct SceneFolder : TemporaryFolder {
  SceneFolder() { std::ofstream(path / "scene.toml") << eventful_scene; }
};

/// Status of a shell's command in the folder, in which `phyxel` is the program under test.
int shell_says(const fs::path& folder, const std::string& command) {
  const std::string line = "cd '" + folder.string() +
                           "' && phyxel() { " PHYXEL_PROGRAM " \"$@\"; } && { " + command + "; }";
  return WEXITSTATUS(
      std::system(("bash -c '" + line + "' 2> " + (folder / "err").string()).c_str()));
}

}  // namespace

TEST_CASE("what_cannot_be_printed_is_an_error") {
  const SceneFolder folder;
  for (const char* command :
       {"list scenes", "schema", "check scene.toml", "--help", "new fresh",
        "run scene.toml --no-render --frames 2", "bench pairs --particles 1k --repeats 1"}) {
    CAPTURE(command);
    CHECK(shell_says(folder.path, std::string("phyxel ") + command + " > /dev/full") == 1);
    CHECK(contains(bytes_of(folder.path / "err"), "the output could not be printed"));
  }
  // The work was done all the same.
  CHECK(fs::exists(folder.path / "out/scene/checkpoint/frame_0002.h5"));
  CHECK(fs::exists(folder.path / "fresh.toml"));
}

TEST_CASE("a_reader_that_ends_early_and_closed_outputs_are_quiet") {
  const SceneFolder folder;
  CHECK(shell_says(folder.path, "phyxel reference | head -n 1 > /dev/null") == 0);
  CHECK(bytes_of(folder.path / "err") == "");
  // What is opened next must not get the number of the closed output and be printed into.
  CHECK(shell_says(folder.path, "phyxel run scene.toml --frames 2 --no-render --out o >&- 2>&-") ==
        0);
  CHECK_FALSE(contains(bytes_of(folder.path / "o/stats.csv"), "done in"));
  CHECK_FALSE(contains(bytes_of(folder.path / "o/run.log"), "done in"));
  CHECK(shell_says(folder.path, "phyxel list nothing 2> /dev/full") == 2);
}

TEST_CASE("files_that_a_user_names_may_be_links_pipes_and_devices") {
  const SceneFolder folder;
  const std::string bench = "phyxel bench pairs --particles 1k --repeats 1 ";
  fs::create_symlink("there.json", folder.path / "link.json");
  CHECK(shell_says(folder.path, bench + "--json link.json > /dev/null") == 0);
  CHECK(fs::is_symlink(folder.path / "link.json"));
  CHECK(contains(bytes_of(folder.path / "there.json"), "pairs"));
  // What is printed comes before and after.
  CHECK(shell_says(folder.path, bench + "--json /dev/stdout --timings > all") == 0);
  const std::string all = bytes_of(folder.path / "all");
  CHECK(all.find("M updates/s") < all.find("\"name\": \"pairs\""));
  CHECK(all.find("\"name\": \"pairs\"") < all.find("repetition"));
  REQUIRE(mkfifo((folder.path / "pipe").c_str(), 0600) == 0);
  for (const char* option : {"--trace", "--json", "--plot"}) {
    CAPTURE(option);
    CHECK(shell_says(folder.path,
                     "cat pipe > copy & " + bench + option + " pipe > /dev/null && wait") == 0);
    CHECK(fs::is_fifo(folder.path / "pipe"));
    CHECK(fs::file_size(folder.path / "copy") > 100);
  }
}

TEST_CASE("pipes_as_inputs_are_refused_at_once") {
  const SceneFolder folder;
  for (const char* name : {"pipe", "pipe.ply", "pipe.png"})
    REQUIRE(mkfifo((folder.path / name).c_str(), 0600) == 0);
  const auto check_refused = [&](const std::string& words) {
    CAPTURE(words);
    CHECK(shell_says(folder.path, "timeout 20 " PHYXEL_PROGRAM " " + words) == 2);
    CHECK(contains(bytes_of(folder.path / "err"), "it is a pipe"));
  };
  check_refused("check pipe");
  check_refused("run pipe");
  check_refused("surface pipe.ply --out skin");
  check_refused("render pipe.ply --out seen");
  check_refused("analyse flow pipe.ply --out flow");
  check_refused("check scene.toml --set render.environment=pipe.png");
  for (const char* shape :
       {R"({type="mesh",file="pipe.ply"})", R"({type="particles",file="pipe.ply"})",
        R"({type="heightfield",file="pipe.ply",size=[1,1,1]})"}) {
    const Ended check = phyxel_says(
        folder.path, {"check", "scene.toml", "--set", std::string("body.upper.shape=") + shape});
    CHECK(check.status == 2);
    CHECK_MESSAGE(contains(check.error, "it is a pipe"), check.error);
  }
}

TEST_CASE("inputs_are_not_replaced_by_what_is_made_of_them") {
  const SceneFolder folder;
  fs::create_directories(folder.path / "points");
  const std::string points = "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n";
  std::ofstream(folder.path / "points/p.csv") << points;
  CHECK(shell_says(folder.path, "phyxel surface points/p.csv --spacing 1 --out points --quiet") ==
        0);
  const std::string made = bytes_of(folder.path / "points/p.ply");
  for (const char* command :
       {"surface points/p.ply --out ./points", "analyse flow points/p.ply --out ."}) {
    CHECK(shell_says(folder.path, std::string("phyxel ") + command) == 2);
    CHECK(contains(bytes_of(folder.path / "err"), "is an input and would be replaced"));
  }
  CHECK(bytes_of(folder.path / "points/p.ply") == made);
}

TEST_CASE("a_trace_replaces_neither_inputs_nor_results") {
  const SceneFolder folder;
  const std::string scene = bytes_of(folder.path / "scene.toml");
  const std::string run = "phyxel run scene.toml --no-render --frames 1 --quiet --out o ";
  CHECK(shell_says(folder.path, run + "--trace scene.toml") == 2);
  CHECK(bytes_of(folder.path / "scene.toml") == scene);
  CHECK(shell_says(folder.path, run + "--trace o/stats.csv") == 2);
  // In the output folder it belongs to the run, and moves and goes with it.
  for (int k = 0; k < 4; ++k) CHECK(shell_says(folder.path, run + "--trace o/trace.json") == 0);
  CHECK(contains(bytes_of(folder.path / "o/trace.json"), "lennard_jones.forces"));
  const std::string points = bytes_of(folder.path / "o/particles/frame_0001.ply");
  CHECK(shell_says(folder.path,
                   "phyxel surface o/particles/frame_0001.ply --out s --trace "
                   "o/particles/frame_0001.ply") == 2);
  CHECK(bytes_of(folder.path / "o/particles/frame_0001.ply") == points);
}

TEST_CASE("surfaces_and_analyses_replace_their_own_files_only") {
  const SceneFolder folder;
  std::ofstream(folder.path / "p.csv") << "x,y,z\n0,0,0\n1,0,0\n0,1,0\n0,0,1\n";
  const auto check = [&](const std::string& command, const fs::path& file) {
    CAPTURE(command);
    fs::create_directories((folder.path / file).parent_path());
    std::ofstream(folder.path / file) << "mine";
    CHECK(shell_says(folder.path, command) == 2);
    CHECK(contains(bytes_of(folder.path / "err"), "phyxel did not write it"));
    CHECK(bytes_of(folder.path / file) == "mine");
    fs::remove(folder.path / file);
    CHECK(shell_says(folder.path, command) == 0);
    CHECK(shell_says(folder.path, command) == 0);  // its own file
  };
  check("phyxel surface p.csv --spacing 1 --out s --quiet", "s/p.ply");
  check("phyxel analyse flow p.csv --longest-edge 2 --out a --no-render --quiet", "a/flow.csv");
}

}  // namespace phyxel
