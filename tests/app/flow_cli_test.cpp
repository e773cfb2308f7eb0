#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

#include "app/process.h"
#include "phyxel/app/surfaces/flow_analysis.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "render/temporary_folder.h"

namespace phyxel {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// A thread of points that bends more from file to file, in three formats.
struct ThreadFolder : TemporaryFolder {
  ThreadFolder() {
    for (int f = 0; f < 3; ++f) write(path / fmt::format("t_{}.xyz", f), 0.4 * f, " ", "");
    write(path / "t.csv", 0, ",", "x,y,z\n");
  }
  static void write(const fs::path& file, double bend, const char* comma, const char* head) {
    std::ofstream out(file);
    out << head;
    for (int k = 0; k < 600; ++k) {
      const double s = k / 600.0 * 3, a = 2.4 * k, r = 0.12 * std::sqrt(std::fmod(k * 0.618, 1.0));
      out << r * std::cos(a) + bend * s * s / 4 << comma << s << comma << r * std::sin(a) << "\n";
    }
  }
};

}  // namespace

TEST_CASE("analyse_flow_writes_points_graph_pictures_and_a_table") {
  const ThreadFolder folder;
  const Ended ended =
      phyxel_says(folder.path, {"analyse", "flow", "t_{}.xyz", "--out", "flow", "--samples", "1"});
  CHECK_MESSAGE(ended.status == 0, ended.error);
  CHECK(contains(ended.out, "mean distance L_m"));
  CHECK(contains(ended.out, "exact"));
  CHECK(contains(ended.out, "longest edge L_alpha"));
  for (const std::string& stage : flow_stage_names())
    CHECK(fs::exists(folder.path / "flow/images" / ("t_2_" + stage + ".png")));
  CHECK(fs::exists(folder.path / "flow/images/t_2.png"));
  const Frame points = read_points(folder.path / "flow/points/t_1.ply");
  const Frame graph = read_points(folder.path / "flow/graph/t_1.vtp");
  CHECK(points.count == 600);
  CHECK(graph.count == 600);
  for (const char* name : {"neighbours", "close_vector", "border"}) {
    CHECK(points.find(name) != nullptr);
    CHECK(graph.find(name) != nullptr);
  }
  double ends = 0;
  for (std::size_t i = 0; i < points.count; ++i) ends += points.find("neighbours")->number(i);
  std::ifstream table(folder.path / "flow/flow.csv");
  std::string head, first, second;
  std::getline(table, head), std::getline(table, first), std::getline(table, second);
  CHECK(head ==
        "file,points,longest_edge,edges,mean_neighbours,border,lone,longest_vector,seconds");
  CHECK(second.starts_with("t_1.xyz,600,"));
  CHECK(contains(second, fmt::format(",{:.0f},", ends / 2)));
}

TEST_CASE("a_graph_that_is_too_large_is_not_written_and_that_is_said") {
  const ThreadFolder folder;
  const Ended ended = phyxel_says(folder.path, {"analyse", "flow", "t.csv", "--out", "flow",
                                                "--no-render", "--most-edges", "100"});
  CHECK(ended.status == 0);
  CHECK(contains(ended.error, "t.csv: its graph of"));
  CHECK(contains(ended.error, "--most-edges is 100"));
  CHECK(!fs::exists(folder.path / "flow/graph/t.vtp"));
  CHECK(fs::exists(folder.path / "flow/points/t.ply"));
}

TEST_CASE("too_few_neighbours_are_told") {
  const ThreadFolder folder;
  const Ended ended = phyxel_says(folder.path, {"analyse", "flow", "t.csv", "--out", "flow",
                                                "--no-render", "--longest-edge", "0.01"});
  CHECK(ended.status == 0);
  CHECK(contains(ended.error, "too few to tell a border; raise --alpha"));
}

TEST_CASE("surface_by_flow_is_closed_and_around_the_border") {
  const ThreadFolder folder;
  const Ended ended = phyxel_says(
      folder.path, {"surface", "t_{}.xyz", "--method", "flow", "--out", "skin", "--check-mesh"});
  CHECK_MESSAGE(ended.status == 0, ended.error);
  CHECK(contains(ended.out, "closed, 1 piece"));
  const Bounds box = bounds_of(read_surface(folder.path / "skin/t_0.ply").mesh);
  CHECK(box.min[1] < 0);
  CHECK(box.max[1] > 3);
  CHECK(box.max[0] == doctest::Approx(0.12).epsilon(0.15));
}

TEST_CASE("flow_refuses_what_it_cannot_do") {
  const ThreadFolder folder;
  std::ofstream(folder.path / "one.xyz") << "0 0 0\n";
  const auto check_refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.end(), {"--out", "flow"});
    const Ended ended = phyxel_says(folder.path, words);
    CHECK_MESSAGE(ended.status == 2, part);
    CHECK_MESSAGE(contains(ended.error + ended.out, part), ended.error);
  };
  check_refused({"analyse", "flow", "t.csv", "--alpha", "0"}, "--alpha 0: must be above 0");
  check_refused({"analyse", "flow", "t.csv", "--alpha", "20"},
                "--alpha 20: must be above 0 and at most 10");
  check_refused({"analyse", "flow", "t.csv", "--border", "2"},
                "--border 2: must be above 0 and at most 1");
  check_refused({"analyse", "flow", "t.csv", "--relative-to", "all"}, "--relative-to");
  check_refused({"analyse", "flow", "t.csv", "--alpha", "0.1", "--longest-edge", "1"},
                "leave one out");
  check_refused({"analyse", "flow", "one.xyz"}, "tells no length; give it");
  check_refused({"surface", "t.csv", "--alpha", "0.2"},
                "--alpha: is for --method flow, not zhu_bridson");
  check_refused({"surface", "t.csv", "--method", "flow", "--blobbiness", "2"}, "--blobbiness");
  check_refused({"surface", "t.csv", "--method", "flow", "--format", "vdb"}, "format = vdb");
}

TEST_CASE("a_scene_has_surfaces_by_flow") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "drop.toml") << R"(name = "drop"
duration = 0.02
fps = 50
[material.goo]
method = "lennard_jones"
youngs_modulus = 1e4
[body.drop]
material = "goo"
shape = { type = "capsule", radius = 0.1, height = 1.2, centre = [0, 1, 0] }
spacing = 0.06
[surface.goo]
method = "flow"
alpha = 0.25
[render]
width = 64
height = 48
samples = 1
)";
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", "drop.toml", "--quiet", "--out", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return phyxel_says(folder.path, words);
  };
  const Ended meshed = run({});
  CHECK_MESSAGE(meshed.status == 0, meshed.error);
  const SurfaceMesh surface = read_surface(folder.path / "out/surface/frame_0001.ply");
  CHECK(surface.mesh.triangles.size() > 100);
  CHECK(open_edges(surface.mesh).count == 0);
  CHECK(run({"--set", "surface.goo.direct=true"}).status == 0);
  const Ended bad = run({"--set", "surface.goo.method=\"blobs\""});
  CHECK(bad.status == 2);
  CHECK(contains(bad.error, "surface.goo.alpha is not used by method = \"blobs\""));
  const Ended both = run({"--set", "surface.goo.longest_edge=0.1"});
  CHECK(both.status == 2);
}

}  // namespace phyxel
