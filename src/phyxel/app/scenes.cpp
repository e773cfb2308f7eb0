#include "phyxel/app/scenes.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/scene/read_scene.h"

namespace phyxel {

namespace fs = std::filesystem;

namespace {

fs::path scenes_folder() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const fs::path installed = program.parent_path().parent_path() / "share" / "phyxel" / "scenes";
  return fs::is_directory(installed, none) ? installed : fs::path(PHYXEL_SCENES_DIR);
}

}  // namespace

std::vector<BundledScene> bundled_scenes() {
  std::vector<BundledScene> scenes;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(scenes_folder(), none)) {
    if (entry.path().extension() != ".toml") continue;
    scenes.push_back(
        {entry.path().stem().string(), read_scene(entry.path()).description, entry.path()});
  }
  std::sort(scenes.begin(), scenes.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return scenes;
}

fs::path find_scene(const std::string& name_or_file) {
  if (fs::is_regular_file(name_or_file)) return name_or_file;
  if (const std::string why = why_not_readable(name_or_file);
      !why.empty() && !fs::is_directory(name_or_file))
    throw InputError(fmt::format("{}: cannot be read: {}", name_or_file, why));
  const fs::path bundled = scenes_folder() / (name_or_file + ".toml");
  if (fs::is_regular_file(bundled)) return bundled;
  std::vector<std::string> names;
  for (const BundledScene& scene : bundled_scenes()) names.push_back(scene.name);
  throw InputError(fmt::format("{}: neither a file nor a bundled scene{}; bundled: {}",
                               name_or_file, suggestion(name_or_file, names),
                               fmt::join(names, ", ")));
}

}  // namespace phyxel
