#include <doctest/doctest.h>

#include "app/process.h"
#include "phyxel/app/scenes.h"
#include "render/temporary_folder.h"

namespace phyxel {

namespace {

/// Settling takes seconds in some scenes, and others have hundreds of thousands of particles: a
/// taste is enough here. A scene whose numbers are those of one particle has no coarser variant,
/// nor has a thread of a few masses; they are small.
std::vector<std::string> taste_of(const fs::path& folder, const std::string& scene) {
  const std::vector<std::string> brief = {"--set", "time.settle=0.05"};
  std::vector<std::string> coarse = brief;
  coarse.insert(coarse.end(), {"--set", "resolution=0.25"});
  std::vector<std::string> check = {"check", scene};
  check.insert(check.end(), coarse.begin(), coarse.end());
  const Ended ended = phyxel_says(folder, check);
  const auto says = [&](const char* words) { return ended.error.find(words) != std::string::npos; };
  return says("leave resolution at 1") || says("lets nothing through") ? brief : coarse;
}

}  // namespace

TEST_CASE("every_bundled_scene_passes_check_and_runs") {
  const TemporaryFolder folder;
  const std::vector<BundledScene> scenes = bundled_scenes();
  REQUIRE(scenes.size() >= 1);
  for (const BundledScene& scene : scenes) {
    CHECK_MESSAGE(!scene.description.empty(), scene.name);
    const std::vector<std::string> taste = taste_of(folder.path, scene.name);
    std::vector<std::string> check = {"check", scene.name},
                             run = {"run", scene.name, "--frames", "1", "--no-render"};
    check.insert(check.end(), taste.begin(), taste.end());
    run.insert(run.end(), taste.begin(), taste.end());
    const Ended checked = phyxel_says(folder.path, check);
    CHECK_MESSAGE(checked.status == 0, scene.name, checked.error);
    const Ended ran = phyxel_says(folder.path, run);
    CHECK_MESSAGE(ran.status == 0, scene.name, ran.error);
    CHECK_MESSAGE(fs::exists(folder.path / "out" / scene.name / "stats.csv"), scene.name);
  }
}

}  // namespace phyxel
