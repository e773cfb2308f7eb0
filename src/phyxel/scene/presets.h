#pragma once

#include <string>
#include <vector>

#include "phyxel/methods/preset.h"

namespace phyxel {

/// A preset and the name of its method.
struct KnownMaterial : Preset {
  std::string method;
};

/// "spacing 1 mm to 0.1 m".
std::string scale_of(const Preset& preset);

/// Those of all methods, in the order of the registry.
const std::vector<KnownMaterial>& known_materials();

/// The preset for `method`, or the first of that name when method is empty; null when there is
/// none.
const KnownMaterial* find_preset(const std::string& name, const std::string& method);

}  // namespace phyxel
