#include <doctest/doctest.h>

#include "app/process.h"
#include "phyxel/app/scenes.h"
#include "render/temporary_folder.h"

namespace phyxel {

TEST_CASE("every_bundled_scene_passes_check_and_runs") {
  const TemporaryFolder folder;
  const std::vector<BundledScene> scenes = bundled_scenes();
  REQUIRE(scenes.size() >= 1);
  for (const BundledScene& scene : scenes) {
    CHECK_MESSAGE(!scene.description.empty(), scene.name);
    // Settling is a matter of seconds in some; a taste of it is enough here.
    const std::string brief = "time.settle=0.05";
    const Ended check = phyxel_says(folder.path, {"check", scene.name, "--set", brief});
    CHECK_MESSAGE(check.status == 0, scene.name, check.error);
    const Ended run = phyxel_says(
        folder.path, {"run", scene.name, "--frames", "1", "--no-render", "--set", brief});
    CHECK_MESSAGE(run.status == 0, scene.name, run.error);
    CHECK_MESSAGE(fs::exists(folder.path / "out" / scene.name / "stats.csv"), scene.name);
  }
}

}  // namespace phyxel
