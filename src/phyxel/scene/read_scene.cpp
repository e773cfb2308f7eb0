#include "phyxel/scene/read_scene.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "phyxel/methods/registry.h"
#include "phyxel/scene/check_scene.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/resolution.h"
#include "phyxel/scene/scene_document.h"
#include "phyxel/scene/timeline.h"

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

void check_scene_name(const TomlTable& root, const std::string& name) {
  if (is_name(name)) return;
  if (root.given("name"))
    root.fail("name", fmt::format("= \"{}\": a name has letters, digits, _ and - only", name));
  throw InputError(root.place(),
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
void settle_alternatives(const TomlTable& table, const MethodInfo& method, Fields& fields) {
  for (const auto& group : alternatives_of(method)) {
    std::string first;
    for (const std::string& name : group) {
      if (!table.given(name)) continue;
      if (!first.empty())
        table.fail(name, fmt::format("cannot be given together with {}: each determines the other",
                                     first));
      first = name;
    }
    if (first.empty()) continue;
    for (const std::string& name : group)
      if (name != first) clear(*fields.find(name));
  }
}

/// What a scene says must do something; what a preset says may be idle.
void refuse_idle(const TomlTable& table, const MethodInfo& method, const Material& material) {
  if (!method.idle) return;
  std::set<std::string> given;
  for (const auto& [key, value] : table.raw()) given.insert(std::string(key.str()));
  for (const std::string& name : given) {
    const std::string why = method.idle(material.parameters, given, name);
    if (why.empty()) continue;
    const toml::node& node = *table.raw().get(name);
    std::ostringstream value;  // streams of TOML have all 17 digits
    if (const toml::value<double>* number = node.as_floating_point())
      value << fmt::format("{}", number->get());
    else
      node.visit([&](const auto& any) { value << any; });
    table.fail(name, fmt::format("= {} does nothing here: {}", value.str(), why));
  }
}

const MethodInfo& method_of(TomlTable& table, const Preset* preset) {
  std::string name = preset ? preset->method : "";
  Fields fields;
  fields("method", name, "how it is simulated");
  table.read(fields);
  if (name.empty())
    throw InputError(table.place(), fmt::format("{} names no method; add method = \"{}\"",
                                                table.path(), method_names().front()));
  if (const MethodInfo* info = find_method(name)) return *info;
  table.fail("method",
             fmt::format("= \"{}\" is not a method{}; there are: {}", name,
                         suggestion(name, method_names()), fmt::join(method_names(), ", ")));
}

const Preset* preset_of(TomlTable& table, MaterialSpec& spec) {
  Fields fields;
  fields("preset", spec.preset, "known material to start from");
  table.read(fields);
  if (spec.preset.empty()) return nullptr;
  const toml::node* method = table.raw().get("method");
  const Preset* preset = find_preset(spec.preset, method ? method->value_or(std::string()) : "");
  if (!preset) preset = find_preset(spec.preset, "");
  if (preset) return preset;
  std::vector<std::string> names;
  for (const Preset& p : presets()) names.push_back(p.name);
  table.fail(
      "preset",
      fmt::format("= \"{}\" is not a known material{}; `phyxel list materials` shows them: {}",
                  spec.preset, suggestion(spec.preset, names), fmt::join(names, ", ")));
}

MaterialSpec read_material(const std::string& name, TomlTable& table) {
  MaterialSpec spec;
  spec.place = table.place();
  const Preset* preset = preset_of(table, spec);
  const MethodInfo& method = method_of(table, preset);
  spec.material.name = name;
  spec.material.method = method.name;
  spec.material.parameters = method.default_parameters();
  Fields fields = material_fields(spec.material, method);
  if (preset && preset->method == method.name) {
    Scene scratch;
    const toml::table values = parse_document(preset->toml, "preset " + preset->name);
    TomlTable(values, "preset." + preset->name, scratch).read(fields);
  }
  settle_alternatives(table, method, fields);
  table.read(fields);
  table.finish();
  refuse_idle(table, method, spec.material);
  return spec;
}

void check_rising(const TomlTable& table, const std::vector<double>& times) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] <= times[k - 1])
      table.fail("times", fmt::format("must rise: {} s comes after {} s", times[k], times[k - 1]));
}

Motion read_motion(TomlTable& table) {
  Motion motion;
  Fields fields;
  describe(fields, motion);
  table.read(fields);
  table.finish();
  const std::size_t n = motion.times.size();
  if (n == 0) table.fail("times", "is missing: a motion needs at least one key");
  check_rising(table, motion.times);
  const auto check = [&](const char* key, std::size_t count) {
    if (count != 0 && count != n)
      table.fail(key, fmt::format("has {} keys but times has {}", count, n));
  };
  check("positions", motion.positions.size());
  check("rotations", motion.rotations.size());
  return motion;
}

ShapeSpec shape_in(TomlTable& table) {
  auto shape = table.table("shape");
  if (!shape)
    throw InputError(
        table.place(),
        fmt::format("{} has no shape; add shape = {{ type = \"box\", size = [1, 1, 1] }}",
                    table.path()));
  return read_shape(*shape);
}

/// Matter without a material, or of one that is nowhere, is a mistake.
void check_material(const TomlTable& table, const BodySpec& body, const Scene& scene) {
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  const std::string known = names.empty() ? "add a [material.NAME] table"
                                          : fmt::format("there are: {}", fmt::join(names, ", "));
  if (body.material.empty())
    throw InputError(table.place(), fmt::format("{} names no material; {}", table.path(), known));
  if (std::find(names.begin(), names.end(), body.material) == names.end())
    table.fail("material", fmt::format("= \"{}\" is not a material of this scene{}; {}",
                                       body.material, suggestion(body.material, names), known));
}

BodySpec read_body(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec body;
  body.name = name;
  body.place = table.place();
  if (scene.dimensions == 2) body.packing = Packing::hexagonal;
  body.shape = shape_in(table);
  Fields fields;
  describe(fields, body);
  table.read(fields);
  table.finish();
  check_material(table, body, scene);
  return body;
}

BodySpec read_emitter(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec emitter;
  emitter.name = name;
  emitter.place = table.place();
  emitter.nozzle.emplace();
  if (scene.dimensions == 2) emitter.packing = Packing::hexagonal;
  emitter.shape = shape_in(table);
  Fields fields;
  describe_emitter(fields, emitter);
  table.read(fields);
  if (auto motion = table.table("motion")) emitter.nozzle->motion = read_motion(*motion);
  table.finish();
  check_material(table, emitter, scene);
  if (table.given("speed") && table.given("rate"))
    table.fail("rate", "cannot be given together with speed: each determines the other");
  if (!table.given("speed") && !table.given("rate"))
    throw InputError(table.place(),
                     fmt::format("{} has no speed; add speed = 1.0, or rate", table.path()));
  for (const BodySpec& b : scene.bodies)
    if (b.name == name)
      throw InputError(table.place(), fmt::format("{}: there is a body of this name; choose "
                                                  "another one, as surfaces go by names",
                                                  table.path()));
  return emitter;
}

ColliderSpec read_collider(const std::string& name, TomlTable& table) {
  ColliderSpec collider;
  collider.name = name;
  collider.place = table.place();
  collider.shape = shape_in(table);
  if (collider.shape.type == "particles")
    table.fail("shape", "of a collider cannot be particles; use a mesh or a solid");
  Fields fields;
  describe(fields, collider);
  table.read(fields);
  const std::string& type = collider.shape.type;
  if (is_given(collider.voxel) && type != "mesh" && type != "mesh_sequence")
    table.fail("voxel",
               fmt::format("is for a mesh or a mesh_sequence; a {} is as quick without it", type));
  if (auto motion = table.table("motion")) collider.motion = read_motion(*motion);
  table.finish();
  return collider;
}

PinSpec read_pin(const std::string& name, TomlTable& table, const Scene& scene) {
  PinSpec pin;
  pin.name = name;
  pin.place = table.place();
  pin.shape = shape_in(table);
  Fields fields;
  describe(fields, pin);
  table.read(fields);
  if (auto motion = table.table("motion")) pin.motion = read_motion(*motion);
  table.finish();
  std::vector<std::string> names;
  for (const BodySpec& b : scene.bodies)
    if (!b.nozzle) names.push_back(b.name);
  if (std::find(names.begin(), names.end(), pin.body) == names.end())
    table.fail("body", fmt::format("= \"{}\" is not a body of this scene{}", pin.body,
                                   suggestion(pin.body, names)));
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
  const std::vector<std::string> names = names_of_matter(scene);
  const bool says = !surface.of.empty();
  if (!says) surface.of = name;
  if (std::find(names.begin(), names.end(), surface.of) == names.end())
    throw InputError(
        table.place(),
        fmt::format("{}{} is neither a material nor a body of this scene{}; there are: {}",
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
  if (!table.given("position"))
    throw InputError(table.place(),
                     fmt::format("{} has no position; add position = [0, 2, 0]", table.path()));
  if (light.position == light.target)
    table.fail("target", "is where the light stands; it must be another point");
  return light;
}

EventSpec read_event(TomlTable& table, const Scene& scene) {
  EventSpec event;
  Fields fields;
  fields("time", event.time, "s", not_negative, "when it happens");
  table.read(fields);
  auto set = table.table("set");
  table.finish();
  if (!table.given("time"))
    throw InputError(table.place(), fmt::format("{} has no time; add time = 1.0", table.path()));
  if (!set || set->raw().empty())
    throw InputError(table.place(),
                     fmt::format("{} sets nothing; add set = {{ \"world.gravity\" = [0, 0, 0] }}",
                                 table.path()));
  for (auto&& [key, node] : set->raw()) {
    const std::string path(key.str());
    const auto value = parameter_value(node);
    const Place place = set->place(path);
    if (!value)
      throw InputError(place, fmt::format("{0} cannot be set to a table; write \"{0}.KEY\" = value "
                                          "with the quotes",
                                          path));
    event.set.push_back({path, *value, place});
    check_assignment(scene, event.set.back());
  }
  return event;
}

/// One number or three for each key.
std::vector<std::vector<double>> read_key_values(TomlTable& table) {
  const toml::node* node = table.take("values");
  const auto value = node ? parameter_value(*node) : std::nullopt;
  if (value && std::holds_alternative<std::vector<std::vector<double>>>(*value))
    return std::get<std::vector<std::vector<double>>>(*value);
  if (!value || !std::holds_alternative<std::vector<double>>(*value))
    table.fail("values", "must be a list of numbers, or of 3 numbers each");
  std::vector<std::vector<double>> rows;
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
  if (keys.path.empty())
    throw InputError(table.place(),
                     fmt::format("{} has no path; add path = \"world.gravity\"", table.path()));
  check_path(scene, keys.path, table.place("path"));
  if (keys.times.empty() || keys.times.size() != keys.values.size())
    table.fail("values",
               fmt::format("has {} keys but times has {}", keys.values.size(), keys.times.size()));
  check_rising(table, keys.times);
  keys.place = table.place("values");
  for (const auto& v : keys.values)
    check_assignment(
        scene, {keys.path, v.size() == 1 ? ParameterValue(v[0]) : ParameterValue(v), keys.place});
  return keys;
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
    if (!domain->given("min") || !domain->given("max"))
      throw InputError(domain->place(),
                       "world.domain needs both corners: { min = [..], max = [..] }");
    scene.world.has_domain = true;
    for (int k = 0; k < 3; ++k)
      if (scene.world.domain_max[k] <= scene.world.domain_min[k])
        domain->fail("max",
                     fmt::format("must be above min on every axis; {} is {} and {}", "xyz"[k],
                                 scene.world.domain_min[k], scene.world.domain_max[k]));
  }
  table->finish();
  const auto& periodic = scene.world.periodic;
  if ((periodic[0] || periodic[1] || periodic[2]) && !scene.world.has_domain)
    table->fail("periodic", "needs a domain; add domain = { min = [..], max = [..] }");
  if (scene.world.walls != Walls::open && !scene.world.has_domain)
    table->fail("walls",
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
  read_world(root, scene);
  read_simple(root, "time", scene.time);
  read_simple(root, "render", scene.render);
  read_simple(root, "output", scene.output);
  const auto each = [&](const char* key, auto read) {
    for (auto& [name, table] : root.named_tables(key)) {
      check_name(table, name);
      read(name, table);
    }
  };
  each("material",
       [&](auto& name, auto& table) { scene.materials.push_back(read_material(name, table)); });
  each("body",
       [&](auto& name, auto& table) { scene.bodies.push_back(read_body(name, table, scene)); });
  each("emitter",
       [&](auto& name, auto& table) { scene.bodies.push_back(read_emitter(name, table, scene)); });
  each("collider",
       [&](auto& name, auto& table) { scene.colliders.push_back(read_collider(name, table)); });
  each("pin", [&](auto& name, auto& table) { scene.pins.push_back(read_pin(name, table, scene)); });
  each("surface", [&](auto& name, auto& table) {
    scene.surfaces.push_back(read_surface(name, table, scene));
  });
  each("light", [&](auto& name, auto& table) { scene.lights.push_back(read_light(name, table)); });
  for (TomlTable& table : root.table_array("event"))
    scene.events.push_back(read_event(table, scene));
  for (TomlTable& table : root.table_array("keyframe"))
    scene.keyframes.push_back(read_keyframe(table, scene));
  std::stable_sort(scene.events.begin(), scene.events.end(),
                   [](auto& a, auto& b) { return a.time < b.time; });
}

}  // namespace

Scene parse_scene(std::string_view text, const std::string& name,
                  const std::filesystem::path& folder, const std::vector<Override>& overrides) {
  Scene scene;
  scene.file = name;
  scene.folder = folder;
  scene.name = std::filesystem::path(name).stem().string();
  toml::table document = parse_document(text, name);
  for (const Override& override : overrides) apply_override(document, override);
  TomlTable root(document, "", scene);
  Fields fields;
  describe(fields, scene);
  root.read(fields);
  check_scene_name(root, scene.name);
  read_tables(root, scene);
  root.finish();
  if (scene.bodies.empty())
    throw InputError({name, 1, 1},
                     "the scene has no body; add a [body.NAME] or an [emitter.NAME] table with "
                     "material and shape");
  apply_resolution(scene);
  check_scene(scene);
  toml::table copy = document;
  copy.insert_or_assign("name", scene.name);
  make_files_absolute(copy, folder);
  scene.resolved = to_text(copy);
  for (const char* key :
       {"name", "description", "duration", "surface", "light", "render", "output"})
    document.erase(key);
  scene.physics = to_text(document);
  return scene;
}

Scene read_scene(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code none;
  if (!stream || std::filesystem::is_directory(file, none))
    throw InputError(fmt::format(
        "{}: cannot be read; `phyxel list scenes` shows the bundled scenes", file.string()));
  std::stringstream text;
  text << stream.rdbuf();
  return parse_scene(text.str(), file.string(), file.parent_path(), overrides);
}

}  // namespace phyxel
