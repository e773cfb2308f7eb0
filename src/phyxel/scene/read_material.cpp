#include <fmt/format.h>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/read_tables.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

std::vector<std::vector<std::string>> alternatives_of(const MethodInfo& method) {
  auto groups = method.alternatives;
  groups.push_back({"density", "particle_mass"});
  return groups;
}

/// Of a group at most one may be given here; what a preset said for the others gives way.
void settle_alternatives(TomlTable& table, const MethodInfo& method, Fields& fields) {
  for (const auto& group : alternatives_of(method)) {
    std::string first;
    for (const std::string& name : group) {
      if (!table.given(name)) continue;
      if (!first.empty())
        table.complain(name, "cannot be given together with {}: each determines the other", first);
      else
        first = name;
    }
    if (first.empty()) continue;
    for (const std::string& name : group)
      if (name != first) clear(*fields.find(name));
  }
}

/// Null where the table does not say it, or says it wrongly.
const MethodInfo* method_of(TomlTable& table, const KnownMaterial* preset) {
  std::string name = preset ? preset->method : "";
  Fields fields;
  fields("method", name, "how it is simulated");
  table.read(fields);
  const MethodInfo* const info = find_method(name);
  if (info || table.is_wrong("method") || table.is_misspelt("method")) return info;
  if (name.empty())
    table.complain(fmt::format("{} names no method; add method = \"{}\"", table.path(),
                               method_names().front()));
  else
    table.complain("method", "= \"{}\" is not a method{}; there are: {}", name,
                   suggestion(name, method_names()), fmt::join(method_names(), ", "));
  return nullptr;
}

/// A preset is a material of one method; with another method its numbers would mean nothing.
std::string no_such_preset(const std::string& name, const std::string& method) {
  std::vector<std::string> methods, of_method, all;
  for (const KnownMaterial& p : known_materials()) {
    all.push_back(p.name);
    if (p.name == name) methods.push_back("\"" + p.method + "\"");
    if (p.method == method) of_method.push_back(p.name);
  }
  if (methods.empty())
    return fmt::format("= \"{}\" is not a known material{}; `phyxel list materials` shows them: {}",
                       name, suggestion(name, all), fmt::join(all, ", "));
  return fmt::format(
      "= \"{}\" is a material of method = {}, not of {}; choose that method or a preset of {}: {}",
      name, fmt::join(methods, " and "), method, method, fmt::join(of_method, ", "));
}

const KnownMaterial* preset_of(TomlTable& table, MaterialSpec& spec) {
  Fields fields;
  fields("preset", spec.preset, "known material to start from");
  table.read(fields);
  if (spec.preset.empty()) return nullptr;
  const toml::node* node = table.raw().get("method");
  const std::string method = node ? node->value_or(std::string()) : "";
  // A method that does not exist is a mistake of its own, which method_of() reports.
  const KnownMaterial* preset = find_preset(spec.preset, find_method(method) ? method : "");
  if (!preset) table.complain("preset", no_such_preset(spec.preset, method));
  return preset;
}

}  // namespace

MaterialSpec read_material(const std::string& name, TomlTable& table) {
  MaterialSpec spec;
  spec.place = table.place();
  spec.material.name = name;
  const KnownMaterial* preset = preset_of(table, spec);
  if (table.is_wrong("preset") && !table.given("method")) return spec;
  const MethodInfo* const info = method_of(table, preset);
  if (!info) return spec;  // its keys depend on the method
  const MethodInfo& method = *info;
  spec.material.method = method.name;
  spec.material.parameters = method.default_parameters();
  Fields fields = described_whole(spec.material);
  if (preset) apply(*preset, fields);
  settle_alternatives(table, method, fields);
  table.read(fields);
  table.finish();
  return spec;
}

}  // namespace phyxel
