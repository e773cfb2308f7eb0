#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "app/folder_files.h"
#include "phyxel/io/vdb.h"
#include "render/temporary_folder.h"
#include "sanitized.h"

// The program under low limits of threads and memory: it starts, and says what is missing.

namespace phyxel {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

struct Said {
  int status;
  std::string out;  // and errors
};

/// A folder that other users may write to.
struct OpenFolder : TemporaryFolder {
  OpenFolder() {
    fs::permissions(path, fs::perms::all);
    std::ofstream points(path / "p.csv");
    points << "x,y,z\n";
    for (int k = 0; k < 64; ++k)
      points << fmt::format("{},{},{}\n", k % 4 * 0.1, k / 4 % 4 * 0.1, k / 16 * 0.1);
  }

  /// What the program says after "ulimit LIMITS"; as an ordinary user, since limits of processes do
  /// not hold for root.
  Said says(const std::string& limits, const std::string& words, bool as_user = false) const {
    const std::string user =
        as_user && geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
    const fs::path out = path / "said";
    const int state =
        std::system(fmt::format("cd '{}' && {}bash -c 'ulimit {} && exec \"{}\" {}' >said 2>&1",
                                path.string(), user, limits, PHYXEL_PROGRAM, words)
                        .c_str());
    return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, bytes_of(out)};
  }

  /// Whether limits of processes can be tried here.
  bool can_limit_processes() const {
    const bool can = says("-u 1000", "--version", true).status == 0;
    if (!can) MESSAGE("limits of processes cannot be tried here");
    return can;
  }
};

}  // namespace

#ifndef PHYXEL_SANITIZED

TEST_CASE("the_program_starts_where_no_thread_may") {
  const OpenFolder folder;
  if (!folder.can_limit_processes()) return;
  const Said list = folder.says("-u 1", "list scenes", true);
  CHECK(list.status == 0);
  CHECK(contains(list.out, "falling_beam"));
  const Said one = folder.says("-u 1", "surface p.csv --out one --threads 1", true);
  INFO(one.out);
  CHECK(one.status == 0);
  const Said two = folder.says("-u 1", "surface p.csv --out two --threads 2", true);
  CHECK(two.status == 1);
  CHECK(contains(two.out, "2 threads are wanted and the system allows 1; say --threads 1"));
}

TEST_CASE("the_program_starts_in_little_memory") {
  const OpenFolder folder;
  const Said list = folder.says("-v 300000", "list scenes");
  CHECK(list.status == 0);
  CHECK(contains(list.out, "falling_beam"));
}

TEST_CASE("volumes_under_low_limits_are_a_message") {
  if (!can_write_vdb()) return;
  const OpenFolder folder;
  if (!folder.can_limit_processes()) return;
  const std::string words = "surface p.csv --out v --format vdb --threads 1";
  for (int processes = 1; processes <= 12; ++processes) {
    const Said said = folder.says(fmt::format("-u {}", processes), words, true);
    INFO(processes, ": ", said.out);
    CHECK((said.status == 0 || (said.status == 1 && contains(said.out, "OpenVDB starts"))));
    if (processes == 1) CHECK(said.status == 1);
  }
  for (const int megabytes : {150, 250, 400, 800}) {
    const Said said = folder.says(fmt::format("-v {}000", megabytes), words);
    INFO(megabytes, " MB: ", said.out);
    CHECK((said.status == 0 || (said.status == 1 && contains(said.out, "ulimit -v"))));
  }
}

TEST_CASE("where_memory_ends_the_message_says_what_helps") {
  const OpenFolder folder;
  std::ofstream(folder.path / "scene.toml") << R"(schema = 1
duration = 1
fps = 10
[material.clay]
preset = "clay"
[body.cube]
material = "clay"
shape = { type = "box", size = [1, 1, 1] }
spacing = 0.012
[render]
enabled = false
)";
  const Said said = folder.says("-v 400000", "run scene.toml --out out --threads 1 --frames 1");
  INFO(said.out);
  CHECK(said.status != 0);
  CHECK(said.status != 134);
  CHECK((contains(said.out, "no memory is left") || contains(said.out, "of memory")));
  CHECK(!contains(said.out, "std::bad_alloc"));
  const Said surface =
      folder.says("-v 300000", "surface p.csv --out s --threads 1 --spacing 0.1 --cell 0.0005");
  INFO(surface.out);
  CHECK(surface.status == 1);
  CHECK(contains(surface.out, "p.csv: no memory is left for the surface of 64 points"));
  CHECK(contains(surface.out, "a wider --cell"));
}

#endif

TEST_CASE("volumes_without_their_module_say_where_it_was_looked_for") {
  const OpenFolder folder;
  ::setenv("PHYXEL_VOLUMES", "/nowhere/libphyxel_volumes.so", 1);
  const bool can = can_write_vdb();
  const Said missing = folder.says("-c 0", "surface p.csv --out v --format vdb");
  ::setenv("PHYXEL_VOLUMES", (folder.path / "p.csv").c_str(), 1);
  const Said broken = folder.says("-c 0", "surface p.csv --out v --format vdb");
  ::unsetenv("PHYXEL_VOLUMES");
  CHECK(!can);
  CHECK(missing.status == 2);
  if (!can_write_vdb()) return;
  CHECK(contains(missing.out, "/nowhere/libphyxel_volumes.so"));
  CHECK(contains(missing.out, "PHYXEL_VOLUMES"));
  CHECK(broken.status == 1);
  CHECK(contains(broken.out, "volumes cannot be written"));
}

}  // namespace phyxel
