#include <fmt/format.h>

#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/read_tables.h"

namespace phyxel {

void check_rising(TomlTable& table, const std::vector<double>& times) {
  for (std::size_t k = 1; k < times.size(); ++k)
    if (times[k] <= times[k - 1])
      return table.complain("times", "must rise: {} s comes after {} s", times[k], times[k - 1]);
}

namespace {

Motion read_motion(TomlTable& table) {
  Motion motion;
  table.read(described(motion));
  table.finish();
  const std::size_t n = motion.times.size();
  if (table.is_wrong("times")) return motion;
  if (n == 0 && (table.given("times") || table.lacks("times")))
    table.complain("times", "is missing: a motion needs at least one key");
  check_rising(table, motion.times);
  const auto check = [&](const char* key, std::size_t count) {
    if (count != 0 && count != n && n != 0)
      table.complain(key, "has {} keys but times has {}; give one for each", count, n);
  };
  check("positions", motion.positions.size());
  check("rotations", motion.rotations.size());
  return motion;
}

template <class Spec>
void read_named(const std::string& name, TomlTable& table, Spec& spec) {
  spec.name = name;
  spec.place = table.place();
  table.read(described(spec));
}

/// Its shape, and a motion where it may have one; refuses all keys that are not read by now.
void read_solid(TomlTable& table, ShapeSpec& shape, Motion* motion) {
  auto shape_table = table.table("shape");
  auto motion_table = motion ? table.table("motion") : std::nullopt;
  if (motion_table) *motion = read_motion(*motion_table);
  table.finish();
  if (shape_table)
    shape = read_shape(*shape_table);
  else if (table.lacks("shape"))
    table.complain(fmt::format(
        "{} has no shape; add shape = {{ type = \"box\", size = [1, 1, 1] }}", table.path()));
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
  table.complain("material", "= \"{}\" is not a material of this scene{}; {}", body.material,
                 suggestion(body.material, names), known);
}

void read_matter(const std::string& name, TomlTable& table, const Scene& scene, BodySpec& body) {
  if (scene.dimensions == 2) body.packing = Packing::hexagonal;
  read_named(name, table, body);
  read_solid(table, body.shape, body.nozzle ? &body.nozzle->motion : nullptr);
  check_material(table, body, scene);
}

/// What a sink is for must be a material of the scene.
void check_sink_material(TomlTable& table, const Scene& scene, const std::string& name) {
  const Mistakes& mistakes = *table.mistakes();
  if (material_index(scene, name) >= 0 || mistakes.names_unsure || mistakes.in("material." + name))
    return;
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  table.complain("material", "has \"{}\", which is not a material of this scene{}; there are: {}",
                 name, suggestion(name, names), fmt::join(names, ", "));
}

/// Names of all materials and bodies: what may have a surface.
std::vector<std::string> names_of_matter(const Scene& scene) {
  std::vector<std::string> names;
  for (const MaterialSpec& m : scene.materials) names.push_back(m.material.name);
  for (const BodySpec& b : scene.bodies) names.push_back(b.name);
  return names;
}

}  // namespace

namespace {

void check_thin(TomlTable& table, const BodySpec& body) {
  const std::string& type = body.shape.type;
  if (type.empty()) return;
  if (body.fill == Fill::surface && type != "mesh")
    table.complain("fill",
                   "= \"surface\" is for a mesh, whose vertices become particles, not for "
                   "a {}; remove it, or give shape = {{ mesh = \"file.obj\" }}",
                   type);
  else if (is_given(body.thickness) && !is_thin(body))
    table.complain("thickness",
                   "is of a sheet, a polyline or a mesh with fill = \"surface\", not of a {}; "
                   "remove it",
                   type);
}

}  // namespace

BodySpec read_body(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec body;
  read_matter(name, table, scene, body);
  check_thin(table, body);
  return body;
}

BodySpec read_emitter(const std::string& name, TomlTable& table, const Scene& scene) {
  BodySpec emitter;
  emitter.nozzle.emplace();
  read_matter(name, table, scene, emitter);
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
  read_named(name, table, collider);
  read_solid(table, collider.shape, &collider.motion);
  const std::string& type = collider.shape.type;
  if (type == "particles")
    table.complain("shape", "of a collider cannot be particles; use a mesh or a solid");
  if (is_given(collider.voxel) && !type.empty() && type != "mesh" && type != "mesh_sequence")
    table.complain("voxel", "is for a mesh or a mesh_sequence; a {} is as quick without it", type);
  return collider;
}

PinSpec read_pin(const std::string& name, TomlTable& table, const Scene& scene) {
  PinSpec pin;
  read_named(name, table, pin);
  read_solid(table, pin.shape, &pin.motion);
  const Index held = body_index(scene, pin.body);
  if (held >= 0 && !scene.bodies[held].nozzle) return pin;
  const Mistakes& mistakes = *table.mistakes();
  if (table.is_wrong("body") || mistakes.names_unsure || mistakes.in("body." + pin.body))
    return pin;
  if (pin.body.empty() && !table.lacks("body") && !table.given("body")) return pin;
  std::vector<std::string> names;
  for (const BodySpec& b : scene.bodies)
    if (!b.nozzle) names.push_back(b.name);
  table.complain("body", "= \"{}\" is not a body of this scene{}; there {}", pin.body,
                 suggestion(pin.body, names),
                 names.empty() ? "is none: add a [body.NAME]"
                               : fmt::format("are: {}", fmt::join(names, ", ")));
  return pin;
}

SinkSpec read_sink(const std::string& name, TomlTable& table, const Scene& scene) {
  SinkSpec sink;
  read_named(name, table, sink);
  read_solid(table, sink.shape, &sink.motion);
  const std::string& type = sink.shape.type;
  if (type == "particles" || type == "mesh_sequence")
    table.complain("shape", "of a sink cannot be {}; use a solid or a mesh, and a motion",
                   type == "particles" ? "particles" : "a mesh_sequence");
  for (const std::string& material : sink.materials) check_sink_material(table, scene, material);
  return sink;
}

SurfaceSpec read_surface(const std::string& name, TomlTable& table, const Scene& scene) {
  SurfaceSpec surface;
  read_named(name, table, surface);
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
  read_named(name, table, light);
  table.finish();
  if (table.lacks("position"))
    table.complain(fmt::format("{} has no position; add position = [0, 2, 0]", table.path()));
  if (light.position == light.target)
    table.complain("target", "is where the light stands; it must be another point");
  return light;
}

}  // namespace phyxel
