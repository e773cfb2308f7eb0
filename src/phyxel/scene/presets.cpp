#include "phyxel/scene/presets.h"

#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/methods/method_info.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/scene_document.h"
#include "phyxel/scene/toml_table.h"

namespace phyxel {

namespace {

std::vector<KnownMaterial> presets_of(const MethodInfo& method) {
  const toml::table document = parse_document(method.presets, method.name + "/presets.toml");
  Scene unused;
  std::vector<KnownMaterial> list;
  for (const auto& [name, table] : TomlTable(document, "", unused).named_tables("material")) {
    KnownMaterial preset{name, method.name, "", {}};
    for (const auto& [key, node] : table.raw())
      preset.values[std::string(key.str())] = parameter_value(node).value();
    preset.summary = std::get<std::string>(preset.values.extract("summary").mapped());
    list.push_back(std::move(preset));
  }
  return list;
}

std::string readable_length(double metres) {
  return metres < 1e-2 ? fmt::format("{:.3g} mm", metres * 1e3) : fmt::format("{:.3g} m", metres);
}

}  // namespace

const std::vector<KnownMaterial>& known_materials() {
  static const std::vector<KnownMaterial> all = [] {
    std::vector<KnownMaterial> list;
    for (const MethodInfo& method : method_registry())
      for (KnownMaterial& preset : presets_of(method)) list.push_back(std::move(preset));
    return list;
  }();
  return all;
}

void apply(const KnownMaterial& preset, Fields& fields) {
  for (const auto& [name, value] : preset.values) {
    const Parameter* const parameter = fields.find(name);
    const std::string wrong = parameter ? assign(*parameter, value) : "is not known";
    if (!wrong.empty()) throw Error("preset " + preset.name + ": " + name + " " + wrong);
  }
}

std::string scale_of(const KnownMaterial& preset) {
  return fmt::format("spacing {} to {}", readable_length(preset.finest),
                     readable_length(preset.coarsest));
}

const KnownMaterial* find_preset(const std::string& name, const std::string& method) {
  for (const KnownMaterial& preset : known_materials())
    if (preset.name == name && (method.empty() || preset.method == method)) return &preset;
  return nullptr;
}

}  // namespace phyxel
