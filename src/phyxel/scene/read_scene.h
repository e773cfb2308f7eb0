#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// "material.wax.damping=2" on the command line.
struct Override {
  std::string key;
  std::string value;  // TOML; text that is not TOML is taken as a string
};
Override parse_override(const std::string& text);

/// Letters, digits, _ and - only: names end up in file names, paths of events and column names.
bool is_name(const std::string& text);

/// Reads and checks a scene file. Throws InputError with file:line:col, value, limit and remedy.
Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

/// The same from text; `name` stands for the file in messages, other files are looked for in
/// `folder`.
Scene parse_scene(std::string_view text, const std::string& name,
                  const std::filesystem::path& folder = ".",
                  const std::vector<Override>& overrides = {});

}  // namespace phyxel
