#pragma once

#include <string>
#include <vector>

namespace phyxel {

/// A known material: values in SI units to start from.
struct Preset {
  std::string name;
  std::string method;
  std::string summary;
  std::string toml;  // keys of a [material.NAME] table
};

const std::vector<Preset>& presets();

/// The preset for `method`, or the first of that name when method is empty; null when there is
/// none.
const Preset* find_preset(const std::string& name, const std::string& method);

}  // namespace phyxel
