#include "phyxel/scene/read_scene.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "phyxel/core/file.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/check_scene.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/resolution.h"
#include "phyxel/scene/scene_document.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/scene/words.h"

namespace phyxel {

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

namespace {

void check_name(const TomlTable& table, const std::string& name) {
  if (!is_name(name))
    throw InputError(table.place(),
                     fmt::format("{}: a name has letters, digits, _ and - only", table.path()));
}

void check_scene_name(TomlTable& root, const std::string& name) {
  if (is_name(name) || root.is_wrong("name")) return;
  if (root.given("name"))
    root.complain("name", fmt::format("= {}: a name has letters, digits, _ and - only; choose "
                                      "another one",
                                      to_string(ParameterValue(name))));
  else
    root.complain(
        fmt::format("the file's name \"{}\" has more than letters, digits, "
                    "_ and -; add name = \"...\" with these only",
                    name));
}

Fields material_fields(Material& material, const MethodInfo& method) {
  Fields fields;
  describe(fields, material);
  method.describe(fields, material.parameters);
  return fields;
}

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
        table.complain(
            name,
            fmt::format("cannot be given together with {}: each determines the other", first));
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
    table.complain("method",
                   fmt::format("= \"{}\" is not a method{}; there are: {}", name,
                               suggestion(name, method_names()), fmt::join(method_names(), ", ")));
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
  Fields fields = material_fields(spec.material, method);
  if (preset) {
    Scene scratch;
    const toml::table values = parse_document(preset->toml, "preset " + preset->name);
    TomlTable(values, "preset." + preset->name, scratch).read(fields);
  }
  settle_alternatives(table, method, fields);
  table.read(fields);
  table.finish();
  return spec;
}

void check_rising(TomlTable& table, const std::vector<double>& times) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] <= times[k - 1])
      return table.complain(
          "times", fmt::format("must rise: {} s comes after {} s", times[k], times[k - 1]));
}

Motion read_motion(TomlTable& table) {
  Motion motion;
  Fields fields;
  describe(fields, motion);
  table.read(fields);
  table.finish();
  const std::size_t n = motion.times.size();
  if (table.is_wrong("times")) return motion;
  if (n == 0 && (table.given("times") || table.lacks("times")))
    table.complain("times", "is missing: a motion needs at least one key");
  check_rising(table, motion.times);
  const auto check = [&](const char* key, std::size_t count) {
    if (count != 0 && count != n && n != 0)
      table.complain(key, fmt::format("has {} keys but times has {}; give one for each", count, n));
  };
  check("positions", motion.positions.size());
  check("rotations", motion.rotations.size());
  return motion;
}

/// To be called after finish(), which knows of misspelt keys.
ShapeSpec shape_in(TomlTable& table, std::optional<TomlTable> shape) {
  if (shape) return read_shape(*shape);
  if (table.lacks("shape"))
    table.complain(fmt::format(
        "{} has no shape; add shape = {{ type = \"box\", size = [1, 1, 1] }}", table.path()));
  return {};
}

/// Matter without a material, or of one that is nowhere, is a mistake.
void check_material(TomlTable& table, const BodySpec& body, const Scene& scene) {
  if (table.is_wrong("material")) return;
  if (!body.material.empty() && material_index(scene, body.material) >= 0) return;
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  const std::string known = names.empty() ? "add a [material.NAME] table"
                                          : fmt::format("there are: {}", fmt::join(names, ", "));
  const Mistakes& mistakes = *table.mistakes();
  if (body.material.empty() && (table.given("material") || table.lacks("material")))
    return table.complain(fmt::format("{} names no material; {}", table.path(), known));
  if (body.material.empty() || mistakes.names_unsure || mistakes.in("material." + body.material))
    return;
  table.complain("material", fmt::format("= \"{}\" is not a material of this scene{}; {}",
                                         body.material, suggestion(body.material, names), known));
}

BodySpec read_body(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec body;
  body.name = name;
  body.place = table.place();
  if (scene.dimensions == 2) body.packing = Packing::hexagonal;
  Fields fields;
  describe(fields, body);
  table.read(fields);
  auto shape = table.table("shape");
  table.finish();
  body.shape = shape_in(table, shape);
  check_material(table, body, scene);
  return body;
}

BodySpec read_emitter(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec emitter;
  emitter.name = name;
  emitter.place = table.place();
  emitter.nozzle.emplace();
  if (scene.dimensions == 2) emitter.packing = Packing::hexagonal;
  Fields fields;
  describe_emitter(fields, emitter);
  table.read(fields);
  auto shape = table.table("shape");
  if (auto motion = table.table("motion")) emitter.nozzle->motion = read_motion(*motion);
  table.finish();
  emitter.shape = shape_in(table, shape);
  check_material(table, emitter, scene);
  if (table.given("speed") && table.given("rate"))
    table.complain("rate", "cannot be given together with speed: each determines the other");
  if (table.lacks("speed") && table.lacks("rate"))
    table.complain(fmt::format("{} has no speed; add speed = 1.0, or rate", table.path()));
  if (body_index(scene, name) >= 0)
    table.complain(
        fmt::format("{}: there is a body of this name; choose another one, as surfaces go by names",
                    table.path()));
  return emitter;
}

ColliderSpec read_collider(const std::string& name, TomlTable& table) {
  ColliderSpec collider;
  collider.name = name;
  collider.place = table.place();
  Fields fields;
  describe(fields, collider);
  table.read(fields);
  auto shape = table.table("shape");
  if (auto motion = table.table("motion")) collider.motion = read_motion(*motion);
  table.finish();
  collider.shape = shape_in(table, shape);
  const std::string& type = collider.shape.type;
  if (type == "particles")
    table.complain("shape", "of a collider cannot be particles; use a mesh or a solid");
  if (is_given(collider.voxel) && !type.empty() && type != "mesh" && type != "mesh_sequence")
    table.complain("voxel", fmt::format("is for a mesh or a mesh_sequence; a {} is as quick "
                                        "without it",
                                        type));
  return collider;
}

PinSpec read_pin(const std::string& name, TomlTable& table, const Scene& scene) {
  PinSpec pin;
  pin.name = name;
  pin.place = table.place();
  Fields fields;
  describe(fields, pin);
  table.read(fields);
  auto shape = table.table("shape");
  if (auto motion = table.table("motion")) pin.motion = read_motion(*motion);
  table.finish();
  pin.shape = shape_in(table, shape);
  const Index held = body_index(scene, pin.body);
  if (held >= 0 && !scene.bodies[held].nozzle) return pin;
  const Mistakes& mistakes = *table.mistakes();
  if (table.is_wrong("body") || mistakes.names_unsure || mistakes.in("body." + pin.body))
    return pin;
  if (pin.body.empty() && !table.lacks("body") && !table.given("body")) return pin;
  std::vector<std::string> names;
  for (const BodySpec& b : scene.bodies)
    if (!b.nozzle) names.push_back(b.name);
  table.complain("body",
                 fmt::format("= \"{}\" is not a body of this scene{}; there {}", pin.body,
                             suggestion(pin.body, names),
                             names.empty() ? "is none: add a [body.NAME]"
                                           : fmt::format("are: {}", fmt::join(names, ", "))));
  return pin;
}

/// Names of all materials and bodies: what may have a surface.
std::vector<std::string> names_of_matter(const Scene& scene) {
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  for (const BodySpec& b : scene.bodies) names.push_back(b.name);
  return names;
}

SurfaceSpec read_surface(const std::string& name, TomlTable& table, const Scene& scene) {
  SurfaceSpec surface;
  surface.name = name;
  surface.place = table.place();
  Fields fields;
  describe(fields, surface);
  table.read(fields);
  table.finish();
  const bool says = !surface.of.empty();
  if (!says) surface.of = name;
  if (material_index(scene, surface.of) >= 0 || body_index(scene, surface.of) >= 0) return surface;
  const Mistakes& mistakes = *table.mistakes();
  const bool unsure = mistakes.names_unsure || mistakes.in("material." + surface.of) ||
                      mistakes.in("body." + surface.of) || mistakes.in("emitter." + surface.of) ||
                      (!says && !table.lacks("of"));
  if (unsure) return surface;
  const std::vector<std::string> names = names_of_matter(scene);
  table.complain(fmt::format("{}{} is neither a material nor a body of this scene{}; there are: {}",
                             table.path(), says ? ".of = \"" + surface.of + "\"" : "",
                             suggestion(surface.of, names), fmt::join(names, ", ")));
  return surface;
}

LightSpec read_light(const std::string& name, TomlTable& table) {
  LightSpec light;
  light.name = name;
  light.place = table.place();
  Fields fields;
  describe(fields, light);
  table.read(fields);
  table.finish();
  if (table.lacks("position"))
    table.complain(fmt::format("{} has no position; add position = [0, 2, 0]", table.path()));
  if (light.position == light.target)
    table.complain("target", "is where the light stands; it must be another point");
  return light;
}

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
         (group == "pin" && pin_index(scene, name) >= 0);
}

/// Whether a path cannot be judged, as the table it leads to is wrong itself.
bool is_unsure(const Scene& scene, const Mistakes& mistakes, const std::string& path) {
  const std::string table = table_of(path);
  return mistakes.names_unsure || (mistakes.in(table) && !has_table(scene, table));
}

EventSpec read_event(TomlTable& table, const Scene& scene) {
  EventSpec event;
  Fields fields;
  fields("time", event.time, "s", not_negative, "when it happens");
  table.read(fields);
  auto set = table.table("set");
  table.finish();
  if (table.lacks("time"))
    table.complain(fmt::format("{} has no time; add time = 1.0", table.path()));
  if (table.lacks("set") || (set && set->raw().empty()))
    table.complain(fmt::format("{} sets nothing; add set = {{ \"world.gravity\" = [0, 0, 0] }}",
                               table.path()));
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

KeyframeSpec read_keyframe(TomlTable& table, const Scene& scene) {
  KeyframeSpec keys;
  Fields fields;
  fields("path", keys.path, "what follows the keys, e.g. \"material.wax.damping\"");
  fields("times", keys.times, "s", any_number, "times of the keys, rising");
  fields.choice("interpolation", keys.interpolation, {"linear", "smooth", "step"}, "between keys");
  table.read(fields);
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

void check_corners(TomlTable& domain, const WorldSpec& world) {
  for (int k = 0; k < 3; ++k)
    if (world.domain_max[k] <= world.domain_min[k])
      return domain.complain(
          "max", fmt::format("must be above min on every axis; {} is {} and {}", "xyz"[k],
                             world.domain_min[k], world.domain_max[k]));
}

void read_world(TomlTable& root, Scene& scene) {
  auto table = root.table("world");
  if (!table) return;
  Fields fields;
  describe(fields, scene.world);
  table->read(fields);
  if (auto domain = table->table("domain")) {
    Fields corners;
    describe_domain(corners, scene.world);
    domain->read(corners);
    domain->finish();
    if (domain->lacks("min") || domain->lacks("max"))
      domain->complain("world.domain needs both corners: { min = [..], max = [..] }");
    scene.world.has_domain = true;
    if (!root.mistakes()->in("world.domain")) check_corners(*domain, scene.world);
  }
  table->finish();
  const auto& periodic = scene.world.periodic;
  if ((periodic[0] || periodic[1] || periodic[2]) && table->lacks("domain"))
    table->complain("periodic", "needs a domain; add domain = { min = [..], max = [..] }");
  if (scene.world.walls != Walls::open && table->lacks("domain"))
    table->complain("walls",
                    fmt::format("= {} needs a domain; add domain = {{ min = [..], max = [..] }}",
                                value_text(*fields.find("walls"))));
}

template <class Spec>
void read_simple(TomlTable& root, const char* key, Spec& spec) {
  auto table = root.table(key);
  if (!table) return;
  Fields fields;
  describe(fields, spec);
  table->read(fields);
  table->finish();
}

void read_tables(TomlTable& root, Scene& scene) {
  Mistakes& mistakes = *root.mistakes();
  read_world(root, scene);
  read_simple(root, "time", scene.time);
  read_simple(root, "render", scene.render);
  read_simple(root, "output", scene.output);
  // Adds what was read to its list, where its name finds it; emitters are bodies.
  const auto each = [&](const std::string& key, auto& list, auto read) {
    const std::string group = key == "emitter" ? "body" : key;
    for (auto& [name, table] : root.named_tables(key))
      mistakes.attempt(table.path(), [&] {
        check_name(table, name);
        list.push_back(read(name, table));
        scene.names.emplace(group + "." + name, static_cast<Index>(list.size() - 1));
      });
  };
  const auto with_scene = [&](auto read) {
    return [&scene, read](auto& name, auto& table) { return read(name, table, scene); };
  };
  each("material", scene.materials, read_material);
  each("body", scene.bodies, with_scene(read_body));
  each("emitter", scene.bodies, with_scene(read_emitter));
  each("collider", scene.colliders, read_collider);
  each("pin", scene.pins, with_scene(read_pin));
  each("surface", scene.surfaces, with_scene(read_surface));
  each("light", scene.lights, read_light);
  for (TomlTable& table : root.table_array("event"))
    scene.events.push_back(read_event(table, scene));
  for (TomlTable& table : root.table_array("keyframe"))
    scene.keyframes.push_back(read_keyframe(table, scene));
  std::stable_sort(scene.events.begin(), scene.events.end(),
                   [](auto& a, auto& b) { return a.time < b.time; });
  check_different_paths(scene, mistakes);
}

/// Keys of the file itself come first: where one may be the misspelt name of a whole table, names
/// that seem to lead nowhere are not reported.
void read_top(TomlTable& root, Scene& scene) {
  Fields fields;
  describe(fields, scene);
  root.read(fields);
  root.expect({"world", "time", "material", "body", "emitter", "collider", "pin", "surface",
               "light", "event", "keyframe", "render", "output"});
  root.finish();
  for (const auto& [key, node] : root.raw())
    if (!root.is_known(std::string(key.str())) && node.is_table())
      root.mistakes()->names_unsure = true;
  check_scene_name(root, scene.name);
}

void check_bodies(const Scene& scene, Mistakes& mistakes) {
  if (scene.bodies.empty() && !mistakes.names_unsure && !mistakes.in("body") &&
      !mistakes.in("emitter"))
    mistakes.problems.add({scene.file, 1, 1},
                          "the scene has no body; add a [body.NAME] or an [emitter.NAME] table "
                          "with material and shape");
}

/// Names in the file, as the program's own words have them.
toml::table parse_and_override(std::string_view text, const std::string& name,
                               const std::vector<Override>& overrides) {
  toml::table document = parse_document(text, name);
  translate_keys(document);
  Problems problems;
  for (const Override& override : overrides)
    problems.attempt([&] { apply_override(document, translated(override)); });
  problems.raise();
  translate_shapes(document);
  return document;
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& name,
                  const std::filesystem::path& folder, const std::vector<Override>& overrides) {
  Scene scene;
  scene.file = name;
  scene.folder = folder;
  scene.name = std::filesystem::path(name).stem().string();
  toml::table document = parse_and_override(text, name, overrides);
  Mistakes mistakes;
  TomlTable root(document, "", scene, &mistakes);
  read_top(root, scene);
  read_tables(root, scene);
  check_bodies(scene, mistakes);
  if (mistakes.empty()) check_alternatives(scene, mistakes.problems);
  if (mistakes.empty()) check_idle_values(scene, mistakes.problems);
  if (mistakes.empty()) mistakes.problems.attempt([&] { apply_resolution(scene); });
  check_scene(scene, mistakes);
  mistakes.problems.raise();
  choose_origin(scene);
  toml::table copy = document;
  copy.insert_or_assign("name", scene.name);
  make_files_absolute(copy, folder);
  scene.resolved = to_text(copy);
  for (const char* key :
       {"name", "description", "duration", "surface", "light", "render", "output"})
    document.erase(key);
  // A run that has stopped for want of memory may be resumed with another answer to it.
  if (toml::table* world = document["world"].as_table()) world->erase("out_of_memory");
  scene.physics = to_text(document);
  return scene;
}

Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  if (const std::string why = why_not_readable(file); !why.empty())
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), why));
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InputError(fmt::format(
        "{}: cannot be read; `phyxel list scenes` shows the bundled scenes", file.string()));
  std::stringstream text;
  text << stream.rdbuf();
  return parse_scene(text.str(), file.string(), file.parent_path(), overrides);
}

}  // namespace phyxel
