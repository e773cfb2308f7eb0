#include <fmt/format.h>
#include <map>

#include "phyxel/scene/read_tables.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

/// "material.wax" of "material.wax.damping".
std::string table_of(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

/// Whether the scene has a usable table of that full name, although values in it may be wrong.
bool has_table(const Scene& scene, const std::string& table) {
  const std::size_t dot = table.find('.');
  if (dot == table.npos) return table == "world";
  const std::string group = table.substr(0, dot), name = table.substr(dot + 1);
  const Index material = group == "material" ? material_index(scene, name) : Index(-1);
  if (material >= 0) return !scene.materials[material].material.method.empty();
  return (group == "body" && body_index(scene, name) >= 0) ||
         (group == "emitter" && body_index(scene, name) >= 0) ||
         (group == "collider" && collider_index(scene, name) >= 0) ||
         (group == "pin" && pin_index(scene, name) >= 0) ||
         (group == "sink" && sink_index(scene, name) >= 0);
}

/// Whether a path cannot be judged, as the table it leads to is wrong itself.
bool is_unsure(const Scene& scene, const Mistakes& mistakes, const std::string& path) {
  const std::string table = table_of(path);
  return mistakes.names_unsure || (mistakes.in(table) && !has_table(scene, table));
}

/// What an event removes must be a table that has matter, or a sink.
void check_removed(TomlTable& table, const Scene& scene, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string group = name.substr(0, dot == name.npos ? 0 : dot);
  const bool known =
      group == "body" || group == "emitter" || group == "material" || group == "sink";
  if (!known)
    return table.complain(
        "remove",
        "has \"{}\"; an event removes \"body.NAME\", \"emitter.NAME\", \"material.NAME\" or "
        "\"sink.NAME\"",
        name);
  const Mistakes& mistakes = *table.mistakes();
  if (mistakes.names_unsure || mistakes.in(name)) return;
  const Index body = body_index(scene, name.substr(dot + 1));
  const bool is_other =
      (group == "body" || group == "emitter") && body >= 0 && scene.bodies[body].path() != name;
  if (!has_table(scene, name) || is_other)
    table.complain(
        "remove", "has \"{}\": there is no [{}] here{}", name, name,
        is_other ? fmt::format("; did you mean \"{}\"?", scene.bodies[body].path()) : "");
}

/// One number or three for each key.
std::vector<std::vector<double>> read_key_values(TomlTable& table) {
  const toml::node* node = table.take("values");
  const auto value = node ? parameter_value(*node) : std::nullopt;
  if (value && std::holds_alternative<std::vector<std::vector<double>>>(*value))
    return std::get<std::vector<std::vector<double>>>(*value);
  std::vector<std::vector<double>> rows;
  if (!value || !std::holds_alternative<std::vector<double>>(*value)) {
    table.complain("values", "must be a list of numbers, or of 3 numbers each");
    return rows;
  }
  for (double v : std::get<std::vector<double>>(*value)) rows.push_back({v});
  return rows;
}

}  // namespace

EventSpec read_event(TomlTable& table, const Scene& scene) {
  EventSpec event;
  table.read(described(event));
  auto set = table.table("set");
  table.finish();
  if (table.lacks("time"))
    table.complain(fmt::format("{} has no time; add time = 1.0", table.path()));
  if ((table.lacks("set") || (set && set->raw().empty())) && table.lacks("remove"))
    table.complain(
        fmt::format("{} sets nothing; add set = {{ \"world.gravity\" = [0, 0, 0] }}, or remove = "
                    "\"body.NAME\"",
                    table.path()));
  for (const std::string& name : event.remove) check_removed(table, scene, name);
  if (!set) return event;
  Mistakes& mistakes = *table.mistakes();
  for (auto&& [key, node] : set->raw()) {
    const std::string path(key.str());
    const auto value = parameter_value(node);
    const Place place = set->place(path);
    if (!value) {
      mistakes.problems.add(place, fmt::format("{0} cannot be set to a table; write \"{0}.KEY\" = "
                                               "value with the quotes",
                                               path));
      continue;
    }
    event.set.push_back({path, *value, place});
    if (!is_unsure(scene, mistakes, path))
      mistakes.attempt(table.path(), [&] { check_assignment(scene, event.set.back()); });
  }
  return event;
}

KeyframeSpec read_keyframe(TomlTable& table, const Scene& scene) {
  KeyframeSpec keys;
  table.read(described(keys));
  keys.values = read_key_values(table);
  table.finish();
  keys.place = table.place("values");
  if (keys.path.empty() && !table.is_wrong("path") && !(table.given("path") || table.lacks("path")))
    return keys;
  if (keys.path.empty()) {
    if (!table.is_wrong("path"))
      table.complain(fmt::format("{} has no path; add path = \"world.gravity\"", table.path()));
    return keys;
  }
  Mistakes& mistakes = *table.mistakes();
  if (is_unsure(scene, mistakes, keys.path) || table.is_wrong("times") || table.is_wrong("values"))
    return keys;
  mistakes.attempt(table.path(), [&] {
    check_path(scene, keys.path, table.place("path"));
    if (keys.times.empty() && keys.values.empty())
      table.fail("values", "has no keys; give times = [0, 1] and a value for each");
    if (keys.times.empty() || keys.times.size() != keys.values.size())
      table.fail("values", fmt::format("has {} keys but times has {}; give one for each",
                                       keys.values.size(), keys.times.size()));
    check_rising(table, keys.times);
    for (const auto& v : keys.values)
      check_assignment(
          scene, {keys.path, v.size() == 1 ? ParameterValue(v[0]) : ParameterValue(v), keys.place});
  });
  return keys;
}

/// The later table would win in silence.
void check_different_paths(const Scene& scene, Mistakes& mistakes) {
  std::map<std::string, Place> first;
  for (const KeyframeSpec& keys : scene.keyframes) {
    const auto [known, fresh] = first.emplace(keys.path, keys.place);
    if (!fresh && !keys.path.empty())
      mistakes.problems.add(
          keys.place, fmt::format("keyframes of {} are at {} already; join both tables to one list "
                                  "of times and values",
                                  keys.path, to_string(known->second)));
  }
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set)
      if (const auto keys = first.find(set.path); keys != first.end())
        mistakes.problems.add(
            set.place, fmt::format("{} = {} would be overwritten at once by the keyframes at {}; "
                                   "put it there as a key",
                                   set.path, to_string(set.value), to_string(keys->second)));
}

}  // namespace phyxel
