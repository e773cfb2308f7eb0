#include "phyxel/scene/presets.h"

#include <fmt/format.h>

#include "phyxel/methods/registry.h"

namespace phyxel {

const std::vector<KnownMaterial>& known_materials() {
  static const std::vector<KnownMaterial> all = [] {
    std::vector<KnownMaterial> list;
    for (const MethodInfo& method : method_registry())
      for (const Preset& preset : method.presets) list.push_back({preset, method.name});
    return list;
  }();
  return all;
}

namespace {

std::string readable_length(double metres) {
  return metres < 1e-2 ? fmt::format("{:.3g} mm", metres * 1e3) : fmt::format("{:.3g} m", metres);
}

}  // namespace

std::string scale_of(const Preset& preset) {
  return fmt::format("spacing {} to {}", readable_length(preset.finest),
                     readable_length(preset.coarsest));
}

const KnownMaterial* find_preset(const std::string& name, const std::string& method) {
  for (const KnownMaterial& preset : known_materials())
    if (preset.name == name && (method.empty() || preset.method == method)) return &preset;
  return nullptr;
}

}  // namespace phyxel
