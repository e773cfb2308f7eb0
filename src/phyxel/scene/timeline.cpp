#include "phyxel/scene/timeline.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "phyxel/scene/body_material.h"

namespace phyxel {

namespace {

/// The table a path leads to: what of it may change while running, and what takes the place of
/// what.
struct Target {
  Fields fields;
  std::vector<std::vector<std::string>> alternatives = {};
  bool* unresolved = nullptr;  // of a material
};

template <class Spec>
Spec* at(std::vector<Spec>& list, Index k) {
  return k < 0 ? nullptr : &list[k];
}

template <class Spec>
Target changeable(Spec* spec) {
  if (!spec) return {};
  Target target{described(*spec)};
  std::erase_if(target.fields.list, [](const Parameter& p) { return !p.changeable; });
  return target;
}

Target material_target(Scene& scene, const std::string& name) {
  MaterialSpec* spec = at(scene.materials, material_index(scene, name));
  if (!spec) return {};
  return {described_parameters(spec->material), find_method(spec->material.method)->alternatives,
          &spec->unresolved};
}

Target body_target(Scene& scene, const std::string& name, bool emitter) {
  BodySpec* body = at(scene.bodies, body_index(scene, name));
  if (!body || body->nozzle.has_value() != emitter) return {};
  Target target = changeable(body);
  if (emitter) target.alternatives = {{"speed", "rate"}};
  return target;
}

Target target_of(Scene& scene, const std::string& table, const std::string& name) {
  if (table == "world") return changeable(&scene.world);
  if (table == "material") return material_target(scene, name);
  if (table == "collider") return changeable(at(scene.colliders, collider_index(scene, name)));
  if (table == "pin") return changeable(at(scene.pins, pin_index(scene, name)));
  if (table == "sink") return changeable(at(scene.sinks, sink_index(scene, name)));
  if (table == "field") return changeable(at(scene.fields, field_index(scene, name)));
  if (table == "body" || table == "emitter") return body_target(scene, name, table == "emitter");
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
  if (target.fields.list.empty()) {
    WorldSpec world;
    return fmt::format(
        "there is no {} here; an event can change world.{}, material.NAME.KEY, collider.NAME.KEY, "
        "body.NAME.KEY, emitter.NAME.KEY, pin.NAME.KEY, sink.NAME.KEY and field.NAME.KEY",
        p.name.empty() ? p.table : p.table + "." + p.name,
        fmt::join(changeable(&world).fields.names(), ", world."));
  }
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

/// A copy of what a path leads to, where values can be tried: a scene has many things, and many
/// events.
Scene target_part(const Scene& scene, const Path& path) {
  Scene part;
  part.world = scene.world;
  const auto keep = [](const auto& from, Index k, auto& to) {
    if (k >= 0) to.push_back(from[k]);
  };
  if (path.table == "material")
    keep(scene.materials, material_index(scene, path.name), part.materials);
  if (path.table == "body" || path.table == "emitter")
    keep(scene.bodies, body_index(scene, path.name), part.bodies);
  if (path.table == "collider")
    keep(scene.colliders, collider_index(scene, path.name), part.colliders);
  if (path.table == "pin") keep(scene.pins, pin_index(scene, path.name), part.pins);
  if (path.table == "sink") keep(scene.sinks, sink_index(scene, path.name), part.sinks);
  if (path.table == "field") keep(scene.fields, field_index(scene, path.name), part.fields);
  return part;
}

/// One value that a scene gives a key of a material, and from which of its states on it holds.
struct Change {
  std::string key;
  std::string value;
  Place place;
  std::size_t state;
};

/// A material as events change it: what it is at the start, and after each event that is about it.
struct History {
  std::vector<std::any> states;
  std::vector<Change> changes;
};

History history_of(const Scene& scene, const MaterialSpec& spec, const std::string& prefix) {
  Scene live;
  live.materials = {spec};
  History history{{spec.material.parameters}, {}};
  const auto key = [&](const std::string& path) { return path.substr(prefix.size()); };
  for (const EventSpec& event : scene.events) {
    const std::size_t before = history.changes.size(), state = history.states.size();
    for (const Assignment& set : event.set) {
      if (!set.path.starts_with(prefix)) continue;
      set_value(live, set.path, set.value);
      history.changes.push_back({key(set.path), " = " + to_string(set.value), set.place, state});
    }
    if (history.changes.size() > before)
      history.states.push_back(live.materials[0].material.parameters);
  }
  for (const KeyframeSpec& keys : scene.keyframes)
    if (keys.path.starts_with(prefix))
      history.changes.push_back({key(keys.path), "", keys.place, 0});
  return history;
}

/// Names that the table of the material, events or keyframes give.
std::set<std::string> given_names(const Scene& scene, const History& history,
                                  const std::string& prefix) {
  std::set<std::string> given;
  for (const Change& change : history.changes) given.insert(change.key);
  for (auto it = scene.places.lower_bound(prefix);
       it != scene.places.end() && it->first.starts_with(prefix); ++it)
    given.insert(it->first.substr(prefix.size()));
  return given;
}

/// What the table of a material says holds from the start; what a preset says may be idle.
void add_table(const Scene& scene, Material material, const std::string& prefix, History& history) {
  for (const Parameter& p : described_parameters(material).list)
    if (const auto place = scene.places.find(prefix + p.name); place != scene.places.end())
      history.changes.push_back({p.name, " = " + value_text(p), place->second, 0});
}

void check_idle_values(const Scene& scene, const MaterialSpec& spec, Problems& problems) {
  const MethodInfo* const method = find_method(spec.material.method);
  if (!method || !method->idle) return;
  const std::string prefix = "material." + spec.material.name + ".";
  History history = history_of(scene, spec, prefix);
  add_table(scene, spec.material, prefix, history);
  const std::set<std::string> given = given_names(scene, history, prefix);
  for (const Change& change : history.changes) {
    const auto why = [&](const std::any& state) { return method->idle(state, given, change.key); };
    const auto first = history.states.begin() + static_cast<std::ptrdiff_t>(change.state);
    if (std::all_of(first, history.states.end(), [&](auto& state) { return !why(state).empty(); }))
      problems.add(change.place, fmt::format("{}{}{} does nothing here: {}", prefix, change.key,
                                             change.value, why(*first)));
  }
}

/// Paths whose place this one takes: emitter.tap.rate for emitter.tap.speed.
std::vector<std::string> replaced_by(const Scene& scene, const std::string& path) {
  const Path p = split_path(path);
  Scene scratch = target_part(scene, p);
  std::vector<std::string> others;
  for (const auto& group : target_of(scratch, p.table, p.name).alternatives)
    if (std::find(group.begin(), group.end(), p.key) != group.end())
      for (const std::string& other : group)
        if (other != p.key) others.push_back(p.table + "." + p.name + "." + other);
  return others;
}

constexpr const char* one_of_two = "each determines the other; keep one of them";

void check_alternatives(const Scene& scene, const EventSpec& event,
                        const std::map<std::string, Place>& keyframes, Problems& problems) {
  std::set<std::string> earlier;
  for (const Assignment& set : event.set) {
    const std::string what = fmt::format("{} = {}", set.path, to_string(set.value));
    for (const std::string& other : replaced_by(scene, set.path)) {
      if (earlier.contains(other))
        problems.add(set.place,
                     fmt::format("{} cannot be set together with {}: {}", what, other, one_of_two));
      if (const auto keys = keyframes.find(other); keys != keyframes.end())
        problems.add(set.place,
                     fmt::format("{} would be overwritten at once by the keyframes of {} at {}: {}",
                                 what, other, to_string(keys->second), one_of_two));
    }
    earlier.insert(set.path);
  }
}

}  // namespace

void clear(const Parameter& parameter) {
  if (auto* const* real = std::get_if<Real*>(&parameter.value)) **real = not_given;
}

void check_path(const Scene& scene, const std::string& path, const Place& place) {
  const Path p = split_path(path);
  Scene scratch = target_part(scene, p);
  Target target = target_of(scratch, p.table, p.name);
  const std::string wrong = wrong_path(target, p);
  if (!wrong.empty()) throw InputError(place, path + " " + wrong);
}

void check_assignment(const Scene& scene, const Assignment& assignment) {
  Scene scratch = target_part(scene, split_path(assignment.path));
  const std::string wrong = set_value(scratch, assignment.path, assignment.value);
  if (!wrong.empty()) throw InputError(assignment.place, assignment.path + " " + wrong);
}

void check_idle_values(const Scene& scene, Problems& problems) {
  for (const MaterialSpec& spec : scene.materials) check_idle_values(scene, spec, problems);
}

void check_alternatives(const Scene& scene, Problems& problems) {
  std::map<std::string, Place> keyframes;
  for (const KeyframeSpec& keys : scene.keyframes) {
    for (const std::string& other : replaced_by(scene, keys.path))
      if (const auto found = keyframes.find(other); found != keyframes.end())
        problems.add(keys.place,
                     fmt::format("{} cannot follow keyframes together with {} at {}: {}", keys.path,
                                 other, to_string(found->second), one_of_two));
    keyframes.emplace(keys.path, keys.place);
  }
  for (const EventSpec& event : scene.events) check_alternatives(scene, event, keyframes, problems);
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
