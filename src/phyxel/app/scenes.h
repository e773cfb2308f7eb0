#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel {

/// A scene that comes with the program.
struct BundledScene {
  std::string name;
  std::string description;
  std::filesystem::path file;
};

/// All scenes beside the program (share/phyxel/scenes) or in its source tree, by name.
std::vector<BundledScene> bundled_scenes();

/// A file as it is, or the bundled scene of that name. Throws InputError with a suggestion.
std::filesystem::path find_scene(const std::string& name_or_file);

}  // namespace phyxel
