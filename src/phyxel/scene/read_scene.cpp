#include "phyxel/scene/read_scene.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "phyxel/core/file.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/check_scene.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/read_tables.h"
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
    fail(table.place(), "{}: a name has letters, digits, _ and - only", table.path());
}

void check_scene_name(TomlTable& root, const std::string& name) {
  if (is_name(name) || root.is_wrong("name")) return;
  if (root.given("name"))
    root.complain("name", "= {}: a name has letters, digits, _ and - only; choose another one",
                  to_string(ParameterValue(name)));
  else
    root.complain(
        fmt::format("the file's name \"{}\" has more than letters, digits, "
                    "_ and -; add name = \"...\" with these only",
                    name));
}

void check_corners(TomlTable& domain, const WorldSpec& world) {
  for (int k = 0; k < 3; ++k)
    if (world.domain_max[k] <= world.domain_min[k])
      return domain.complain("max", "must be above min on every axis; {} is {} and {}", "xyz"[k],
                             world.domain_min[k], world.domain_max[k]);
}

/// Matter must be able to leave.
void check_outside(TomlTable& table, const WorldSpec& world) {
  if (world.outside == Outside::keep) return;
  const Bool3& periodic = world.periodic;
  if (table.lacks("domain"))
    table.complain("outside",
                   "= \"remove\" needs a domain; add domain = { min = [..], max = [..] }");
  else if (world.walls != Walls::open)
    table.complain("outside",
                   "= \"remove\": nothing leaves a domain with walls; remove one of them");
  else if (periodic[0] && periodic[1] && periodic[2])
    table.complain(
        "outside",
        "= \"remove\": nothing leaves a domain that is periodic along all axes; remove it");
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
  if (scene.world.positions == Positions::origin && table->lacks("origin"))
    table->complain("positions", "= \"origin\" needs one; add origin = [x, y, z]");
  const auto& periodic = scene.world.periodic;
  if ((periodic[0] || periodic[1] || periodic[2]) && table->lacks("domain"))
    table->complain("periodic", "needs a domain; add domain = { min = [..], max = [..] }");
  if (scene.world.walls != Walls::open && table->lacks("domain"))
    table->complain("walls", "= {} needs a domain; add domain = {{ min = [..], max = [..] }}",
                    value_text(*fields.find("walls")));
  check_outside(*table, scene.world);
}

template <class Spec>
void read_simple(TomlTable& root, const char* key, Spec& spec) {
  auto table = root.table(key);
  if (!table) return;
  table->read(described(spec));
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
  each("sink", scene.sinks, with_scene(read_sink));
  each("field", scene.fields, with_scene(read_field));
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
  root.read(described(scene));
  root.expect({"world", "time", "material", "body", "emitter", "collider", "pin", "sink", "field",
               "surface", "light", "event", "keyframe", "render", "output"});
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

/// A sheet without a table of its own is shown as the mesh that it is, a line as a tube.
void show_sheets(Scene& scene) {
  const Bool3& periodic = scene.world.periodic;
  if (scene.dimensions == 2 || periodic[0] || periodic[1] || periodic[2]) return;
  for (const BodySpec& body : scene.bodies) {
    const auto is_for_it = [&](const SurfaceSpec& s) {
      return s.of == body.name || s.of == body.material || s.name == body.name;
    };
    if (!is_thin(body) || std::ranges::any_of(scene.surfaces, is_for_it)) continue;
    SurfaceSpec surface;
    surface.name = surface.of = body.name;
    surface.place = body.place;
    surface.method = "body";
    scene.surfaces.push_back(surface);
  }
}

/// Pictures that are made later, and other programs, need the meshes of bodies that tear.
void keep_torn_meshes(Scene& scene) {
  for (const BodySpec& body : scene.bodies)
    if (may_tear(scene, body)) scene.output.sets = true;
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
  const toml::table document = parse_and_override(text, name, overrides);
  Mistakes mistakes;
  TomlTable root(document, "", scene, &mistakes);
  read_top(root, scene);
  read_tables(root, scene);
  check_bodies(scene, mistakes);
  if (mistakes.empty()) check_alternatives(scene, mistakes.problems);
  if (mistakes.empty()) check_idle_values(scene, mistakes.problems);
  if (mistakes.empty()) mistakes.problems.attempt([&] { apply_resolution(scene); });
  if (mistakes.empty()) show_sheets(scene);
  if (mistakes.empty()) keep_torn_meshes(scene);
  check_scene(scene, mistakes);
  mistakes.problems.raise();
  choose_origin(scene);
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
