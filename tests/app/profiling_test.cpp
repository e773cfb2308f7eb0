#include <chrono>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <thread>

#include "app/eventful_scene.h"
#include "app/process.h"
#include "phyxel/core/vec.h"
#include "render/temporary_folder.h"
#include "scene/json_check.h"

namespace phyxel {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

struct SceneFolder : TemporaryFolder {
  SceneFolder() { std::ofstream(path / "scene.toml") << eventful_scene; }
};

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("a_run_writes_its_trace_and_prints_its_times") {
  const SceneFolder folder;
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--frames", "3", "--no-render",
                                              "--timings", "--trace", "trace.json"});
  CHECK(run.status == 0);
  CHECK(contains(run.out, "total  parent     calls  stage"));
  CHECK(contains(run.out, "trace.json"));
  const std::string trace = bytes_of(folder.path / "trace.json");
  CHECK(is_json(trace));
  CHECK(count(trace, R"("name":"advance","ph":"X")") == 3);
  CHECK(count(trace, R"("name":"write","ph":"X")") == 4);
  CHECK(contains(trace, R"("name":"lennard_jones.forces")"));
}

TEST_CASE("a_run_that_fails_writes_its_trace_too") {
  const SceneFolder folder;
  // Bonds pressed so hard that their energy is beyond the largest number.
  const std::string event =
      R"(event=[{time=0.1,set={"material.wax.equilibrium_distance"=1e9,"material.wax.repulsive_exponent"=40}}])";
  const Ended run =
      phyxel_says(folder.path, {"run", "scene.toml", "--no-render", "--set", "time.fixed_dt=0.05",
                                "--set", event, "--set", "keyframe=[]", "--trace", "trace.json"});
  CHECK(run.status == 1);
  CHECK(contains(run.error, "phyxel: frame 3"));
  const std::string trace = bytes_of(folder.path / "trace.json");
  CHECK(is_json(trace));
  CHECK(count(trace, R"("name":"advance","ph":"X")") == 3);  // the third is the one that failed
}

TEST_CASE("an_interrupted_run_writes_its_trace_too") {
  const SceneFolder folder;
  Process process(folder.path, {"run", "scene.toml", "--set", "fps=80", "--trace", "trace.json"});
  while (!contains(process.out(), "frame    2/"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.kill(SIGINT);
  CHECK(process.wait() == 1);
  const std::string trace = bytes_of(folder.path / "trace.json");
  CHECK(is_json(trace));
  CHECK(count(trace, R"("name":"advance","ph":"X")") >= 2);
}

TEST_CASE("a_trace_that_cannot_be_written_is_found_before_the_work") {
  const SceneFolder folder;
  const Ended run = phyxel_says(folder.path, {"run", "scene.toml", "--trace", "none/trace.json"});
  CHECK(run.status == 1);
  CHECK(contains(run.error, "none/trace.json"));
  CHECK_FALSE(fs::exists(folder.path / "out"));
}

TEST_CASE("bench_writes_the_fields_of_the_contract") {
  const TemporaryFolder folder;
  const Ended bench =
      phyxel_says(folder.path, {"bench", "pairs", "neighbours", "--particles", "2k", "--repeats",
                                "1", "--threads", "1", "--device", "cpu", "--json", "speed.json"});
  CHECK(bench.status == 0);
  const std::string json = bytes_of(folder.path / "speed.json");
  CHECK(is_json(json));
  CHECK(json.starts_with("["));
  for (const char* part :
       {"\"name\": \"pairs\"", "\"name\": \"neighbours\"", "\"particles\": ", "\"threads\": 1",
        "\"device\": \"cpu\"",
        "\"updates_per_second\": ", "\"seconds\": ", "\"steps\": ", "\"bytes_per_particle\": "})
    CHECK_MESSAGE(contains(json, part), part);
}

TEST_CASE("bench_sweeps_sizes_into_a_table_a_plot_and_a_trace") {
  const TemporaryFolder folder;
  const Ended bench =
      phyxel_says(folder.path, {"bench", "pairs", "neighbours", "--sizes", "500,1k,2k", "--repeats",
                                "1", "--json", "speed.json", "--plot", "cost.png", "--trace",
                                "trace.json", "--timings"});
  CHECK(bench.status == 0);
  CHECK(contains(bench.out, "ns per particle and step\n   particles        pairs   neighbours\n"));
  CHECK(contains(bench.out, "\n          1k "));
  CHECK(contains(bench.out, "\nmost / least "));
  CHECK(count(bytes_of(folder.path / "speed.json"), "\"name\": \"pairs\"") == 3);
  CHECK(bytes_of(folder.path / "cost.png").starts_with("\x89PNG"));
  const std::string trace = bytes_of(folder.path / "trace.json");
  CHECK(is_json(trace));
  CHECK(count(trace, R"("name":"repetition")") == 6);
}

TEST_CASE("bench_refuses_what_it_cannot_measure") {
  const TemporaryFolder folder;
  const auto check_refused = [&](std::vector<std::string> words, const std::string& part) {
    words.insert(words.begin(), "bench");
    const Ended ended = phyxel_says(folder.path, words);
    CHECK_MESSAGE(ended.status == 2, part);
    CHECK_MESSAGE(contains(ended.error + ended.out, part), ended.error);
  };
  check_refused({"pears"}, "did you mean 'pairs'?");
  check_refused({"--sizes", "10k,many"}, "many: not a number of particles");
  check_refused({"--sizes", "10k", "--particles", "10k"}, "excludes");
  check_refused({"--repeats", "0"}, "--repeats");
  check_refused({"--device", "abacus"}, "abacus");
  const Ended early = phyxel_says(folder.path, {"bench", "--plot", "no/such/folder/cost.png"});
  CHECK(early.status == 1);
  CHECK(early.out == "");  // nothing was measured
  CHECK(contains(early.error, "cost.png"));
}

}  // namespace phyxel
