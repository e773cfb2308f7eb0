#include "phyxel/scene/timeline.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/methods/registry.h"

namespace phyxel {

namespace {

/// The table a path leads to: what of it may change while running, and what takes the place of
/// what.
struct Target {
  Fields fields;
  std::vector<std::vector<std::string>> alternatives;
  bool* unresolved = nullptr;  // of a material
};

template <class Spec>
Spec* find_named(std::vector<Spec>& list, const std::string& name) {
  for (Spec& spec : list)
    if (spec.name == name) return &spec;
  return nullptr;
}

void keep_only(Fields& fields, const std::vector<std::string>& names) {
  std::erase_if(fields.list, [&](const Parameter& p) {
    return std::find(names.begin(), names.end(), p.name) == names.end();
  });
}

template <class Spec>
Target described(Spec* spec, const std::vector<std::string>& changeable) {
  Target target;
  if (!spec) return target;
  describe(target.fields, *spec);
  keep_only(target.fields, changeable);
  return target;
}

Target material_target(Scene& scene, const std::string& name) {
  Target target;
  for (MaterialSpec& spec : scene.materials) {
    if (spec.material.name != name) continue;
    const MethodInfo* method = find_method(spec.material.method);
    method->describe(target.fields, spec.material.parameters);
    target.alternatives = method->alternatives;
    target.unresolved = &spec.unresolved;
  }
  return target;
}

Target emitter_target(Scene& scene, const std::string& name) {
  Target target;
  BodySpec* emitter = find_named(scene.bodies, name);
  if (!emitter || !emitter->nozzle) return target;
  describe_emitter(target.fields, *emitter);
  keep_only(target.fields, {"speed", "rate", "active", "temperature"});
  target.alternatives = {{"speed", "rate"}};
  return target;
}

Target target_of(Scene& scene, const std::string& table, const std::string& name) {
  if (table == "world") return described(&scene.world, {"gravity", "air_temperature"});
  if (table == "material") return material_target(scene, name);
  if (table == "collider")
    return described(find_named(scene.colliders, name),
                     {"friction", "restitution", "contact", "temperature", "heat_flux", "visible"});
  if (table == "emitter") return emitter_target(scene, name);
  if (table == "pin") return described(find_named(scene.pins, name), {"active", "temperature"});
  if (table == "body") {
    BodySpec* body = find_named(scene.bodies, name);
    return described(body && body->nozzle ? nullptr : body, {"temperature", "velocity"});
  }
  return {};
}

struct Path {
  std::string table, name, key;
};

/// "world.gravity" or "material.wax.damping".
Path split_path(const std::string& path) {
  const std::size_t first = path.find('.'), last = path.rfind('.');
  if (first == std::string::npos) return {path, "", ""};
  if (first == last) return {path.substr(0, first), "", path.substr(last + 1)};
  return {path.substr(0, first), path.substr(first + 1, last - first - 1), path.substr(last + 1)};
}

/// "" or why nothing can be set here.
std::string wrong_path(Target& target, const Path& p) {
  if (target.fields.list.empty())
    return fmt::format(
        "there is no {} here; an event can change world.gravity, world.air_temperature, "
        "material.NAME.KEY, "
        "collider.NAME.KEY, body.NAME.KEY, emitter.NAME.KEY and pin.NAME.KEY",
        p.name.empty() ? p.table : p.table + "." + p.name);
  if (!target.fields.find(p.key))
    return fmt::format("'{}' cannot change while running{}; what can: {}", p.key,
                       suggestion(p.key, target.fields.names()),
                       fmt::join(target.fields.names(), ", "));
  return "";
}

std::string set_value(Scene& scene, const std::string& path, const ParameterValue& value) {
  const Path p = split_path(path);
  Target target = target_of(scene, p.table, p.name);
  std::string wrong = wrong_path(target, p);
  if (!wrong.empty()) return wrong;
  wrong = assign(*target.fields.find(p.key), value);
  if (!wrong.empty()) return fmt::format("= {} {}", to_string(value), wrong);
  if (target.unresolved) *target.unresolved = true;
  for (const auto& group : target.alternatives)
    if (std::find(group.begin(), group.end(), p.key) != group.end())
      for (const std::string& other : group)
        if (other != p.key) clear(*target.fields.find(other));
  return "";
}

}  // namespace

void clear(const Parameter& parameter) {
  if (auto* const* real = std::get_if<Real*>(&parameter.value)) **real = not_given;
}

namespace {

/// A copy of what can change while running; thousands of events need not copy one another.
Scene changeable_part(const Scene& scene) {
  Scene part;
  part.world = scene.world;
  part.materials = scene.materials;
  part.bodies = scene.bodies;
  part.colliders = scene.colliders;
  part.pins = scene.pins;
  return part;
}

}  // namespace

void check_path(const Scene& scene, const std::string& path, const Place& place) {
  Scene scratch = changeable_part(scene);
  const Path p = split_path(path);
  Target target = target_of(scratch, p.table, p.name);
  const std::string wrong = wrong_path(target, p);
  if (!wrong.empty()) throw InputError(place, path + " " + wrong);
}

void check_assignment(const Scene& scene, const Assignment& assignment) {
  Scene scratch = changeable_part(scene);
  const std::string wrong = set_value(scratch, assignment.path, assignment.value);
  if (!wrong.empty()) throw InputError(assignment.place, assignment.path + " " + wrong);
}

void apply(Scene& live, const std::string& path, const ParameterValue& value) {
  const std::string wrong = set_value(live, path, value);
  if (!wrong.empty()) throw Error(path + " " + wrong);
}

ParameterValue value_at(const KeyframeSpec& keys, double time) {
  const auto as_value = [](const std::vector<double>& v) {
    return v.size() == 1 ? ParameterValue(v[0]) : ParameterValue(v);
  };
  const auto next = std::upper_bound(keys.times.begin(), keys.times.end(), time);
  if (next == keys.times.begin()) return as_value(keys.values.front());
  if (next == keys.times.end()) return as_value(keys.values.back());
  const std::size_t b = next - keys.times.begin(), a = b - 1;
  double s = (time - keys.times[a]) / (keys.times[b] - keys.times[a]);
  if (keys.interpolation == Interpolation::step) s = 0;
  if (keys.interpolation == Interpolation::smooth) s = s * s * (3 - 2 * s);
  std::vector<double> v = keys.values[a];
  for (std::size_t c = 0; c < v.size(); ++c) v[c] += s * (keys.values[b][c] - v[c]);
  return as_value(v);
}

}  // namespace phyxel
