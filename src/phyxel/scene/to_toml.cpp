#include "phyxel/scene/to_toml.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/timeline.h"
#include "phyxel/scene/toml_value.h"

namespace phyxel {

namespace {

/// A value that differs from what a reader finds without it.
bool differs(const Parameter& parameter, const Fields& defaults) {
  const auto same = std::ranges::find(defaults.list, parameter.name, &Parameter::name);
  return same == defaults.list.end() || toml_text(parameter) != toml_text(*same);
}

/// The text of a scene, table by table.
class SceneText {
 public:
  explicit SceneText(const Scene& scene) : scene_(scene) {}

  void line(const std::string& key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  }
  void heading(const std::string& heading) { text += "\n" + heading + "\n"; }

  /// Values that the file of the scene has, or that are not those of `defaults`.
  std::vector<std::pair<std::string, std::string>> items(const std::string& path,
                                                         const Fields& fields,
                                                         const Fields& defaults) const {
    std::vector<std::pair<std::string, std::string>> result;
    for (const Parameter& p : fields.list) {
      const bool differ = differs(p, defaults);
      if (!differ && !is_in_file(path, p.name)) continue;
      const std::string value = toml_text(p);
      if (!value.empty())
        result.emplace_back(p.name, value);
      else if (differ)
        fail(scene_, path, "{}.{} is not given, which a scene file cannot say: it would mean {}",
             path, p.name, default_text(p.name, defaults));
    }
    return result;
  }
  template <class T>
  void lines(const std::string& path, const T& thing, const T& defaults) {
    T now = thing, blank = defaults;
    for (const auto& [key, value] : items(path, described(now), described(blank))) line(key, value);
  }
  template <class T>
  void table(const std::string& name, const T& thing) {
    const std::size_t before = text.size();
    heading("[" + name + "]");
    const std::size_t empty = text.size();
    lines(name, thing, T{});
    if (text.size() == empty) text.resize(before);
  }

  void top();
  void world(bool with_origin);
  void material(const MaterialSpec& spec);
  void body(const BodySpec& body);
  void collider(const ColliderSpec& collider);
  void pin(const PinSpec& pin);
  void sink(const SinkSpec& sink);
  void field(const FieldSpec& field);
  void surface(const SurfaceSpec& surface);
  void event(const EventSpec& event);
  void keyframe(const KeyframeSpec& keys);

  std::string text;

 private:
  bool is_in_file(const std::string& path, const std::string& key) const {
    return scene_.places.contains(path.empty() ? key : path + "." + key);
  }
  static std::string default_text(const std::string& key, const Fields& defaults) {
    return toml_text(*std::ranges::find(defaults.list, key, &Parameter::name));
  }
  std::string inline_shape(const std::string& path, const ShapeSpec& shape) const;
  void solid(const std::string& path, const ShapeSpec& shape, const Motion* motion);

  const Scene& scene_;
};

void SceneText::top() {
  Scene now, blank;
  now.schema = scene_.schema;
  now.name = scene_.name;
  now.description = scene_.description;
  now.duration = scene_.duration;
  now.fps = scene_.fps;
  now.seed = scene_.seed;
  now.dimensions = scene_.dimensions;
  blank.schema = 0;  // always said
  for (const auto& [key, value] : items("", described(now), described(blank)))
    if (key != "resolution") line(key, value);  // lengths have been divided by it
}

void SceneText::world(bool with_origin) {
  WorldSpec now = scene_.world, blank;
  if (!with_origin) {
    now.origin = blank.origin;
    now.positions = blank.positions;
  }
  heading("[world]");
  for (const auto& [key, value] : items("world", described(now), described(blank)))
    line(key, value);
  if (!now.has_domain) return;
  Fields corners;
  describe_domain(corners, now);
  line("domain", fmt::format("{{ min = {}, max = {} }}", toml_text(*corners.find("min")),
                             toml_text(*corners.find("max"))));
}

std::string SceneText::inline_shape(const std::string& path, const ShapeSpec& shape) const {
  ShapeSpec now = shape, blank;
  blank.type = shape.type;
  std::string result = "{ type = " + toml_text(shape.type);
  for (const auto& [key, value] : items(path, described(now), described(blank)))
    result += fmt::format(", {} = {}", key, value);
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < shape.of.size(); ++k)
    parts.push_back(inline_shape(fmt::format("{}.of[{}]", path, k), shape.of[k]));
  if (!parts.empty()) result += fmt::format(", of = [{}]", fmt::join(parts, ", "));
  return result + " }";
}

void SceneText::solid(const std::string& path, const ShapeSpec& shape, const Motion* motion) {
  line("shape", inline_shape(path + ".shape", shape));
  if (!motion || motion->times.empty()) return;
  heading(fmt::format("[{}.motion]", path));
  lines(path + ".motion", *motion, Motion{});
}

/// Parameters of a material without those of its table: of its method, or of its preset.
Material blank_material(const MaterialSpec& spec, const KnownMaterial* preset) {
  Material blank;
  blank.name = spec.material.name;
  blank.method = spec.material.method;
  blank.parameters = find_method(blank.method)->default_parameters();
  Fields fields = described_whole(blank);
  if (preset) apply(*preset, fields);
  return blank;
}

/// Whether a table can start from the preset: what that gives and the material lacks must be
/// replaced by an alternative.
bool can_start_from(const KnownMaterial& preset, const MaterialSpec& spec) {
  Material now = spec.material, blank = blank_material(spec, &preset);
  const Fields fields = described_whole(now), defaults = described_whole(blank);
  auto groups = find_method(now.method)->alternatives;
  groups.push_back({"density", "particle_mass"});
  const auto has = [&](const std::string& key) {
    return !toml_text(*std::ranges::find(fields.list, key, &Parameter::name)).empty();
  };
  const auto is_replaced = [&](const std::string& key) {
    return std::ranges::any_of(groups, [&](const auto& group) {
      return contains(group, key) && std::ranges::any_of(group, has);
    });
  };
  return std::ranges::all_of(defaults.list, [&](const Parameter& p) {
    return toml_text(p).empty() || has(p.name) || is_replaced(p.name);
  });
}

/// Numbers of a preset are written out, so that they last. Those that have no effect would be
/// refused; where they are kept for later, the preset has them.
void SceneText::material(const MaterialSpec& spec) {
  const MethodInfo* const method = find_method(spec.material.method);
  if (!method)
    fail(spec.place, "material.{}: method = \"{}\" is not a method", spec.material.name,
         spec.material.method);
  const std::string path = "material." + spec.material.name;
  const KnownMaterial* preset =
      spec.preset.empty() ? nullptr : find_preset(spec.preset, spec.material.method);
  if (preset && !can_start_from(*preset, spec)) preset = nullptr;
  heading("[" + path + "]");
  if (preset) line("preset", toml_text(spec.preset));
  line("method", toml_text(spec.material.method));
  Material now = spec.material, blank = blank_material(spec, nullptr),
           start = blank_material(spec, preset);
  const Fields fields = described_whole(now), at_start = described_whole(start);
  const bool changes = changes_any(
      scene_, [&](const std::string& changed) { return changed.starts_with(path + "."); });
  std::set<std::string> given;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, value] : items(path, fields, described_whole(blank))) {
    values.emplace_back(key, value);
    given.insert(key);
  }
  for (const auto& [key, value] : values) {
    const bool may_be_idle =
        !is_in_file(path, key) &&
        (!changes || !differs(*std::ranges::find(fields.list, key, &Parameter::name), at_start));
    if (may_be_idle && method->idle && !method->idle(now.parameters, given, key).empty()) continue;
    line(key, value);
  }
}

void SceneText::body(const BodySpec& body) {
  BodySpec blank;
  if (body.nozzle) blank.nozzle.emplace();
  if (scene_.dimensions == 2) blank.packing = Packing::hexagonal;
  heading("[" + body.path() + "]");
  lines(body.path(), body, blank);
  solid(body.path(), body.shape, body.nozzle ? &body.nozzle->motion : nullptr);
}

void SceneText::collider(const ColliderSpec& collider) {
  const std::string path = "collider." + collider.name;
  heading("[" + path + "]");
  lines(path, collider, ColliderSpec{});
  solid(path, collider.shape, &collider.motion);
}

void SceneText::pin(const PinSpec& pin) {
  const std::string path = "pin." + pin.name;
  heading("[" + path + "]");
  lines(path, pin, PinSpec{});
  solid(path, pin.shape, &pin.motion);
}

void SceneText::sink(const SinkSpec& sink) {
  const std::string path = "sink." + sink.name;
  heading("[" + path + "]");
  lines(path, sink, SinkSpec{});
  solid(path, sink.shape, &sink.motion);
}

void SceneText::field(const FieldSpec& field) {
  const std::string path = "field." + field.name;
  FieldSpec blank;
  blank.type = field.type;
  blank.parameters = field.type->default_parameters();
  heading("[" + path + "]");
  line("type", toml_text(field.type->name));
  if (!field.materials.empty()) line("material", toml_text(field.materials));
  lines(path, field, blank);
  if (field.region) line("region", inline_shape(path + ".region", *field.region));
}

void SceneText::surface(const SurfaceSpec& surface) {
  SurfaceSpec blank;
  blank.of = surface.name;
  const std::string path = "surface." + surface.name;
  heading("[" + path + "]");
  lines(path, surface, blank);
}

void SceneText::event(const EventSpec& event) {
  heading("[[event]]");
  lines("event", event, EventSpec{.time = -1, .set = {}, .remove = {}});  // its time is always said
  if (event.set.empty()) return;
  std::vector<std::string> set;
  for (const Assignment& a : event.set)
    set.push_back(fmt::format("{} = {}", toml_text(a.path), toml_text(a.value)));
  line("set", fmt::format("{{ {} }}", fmt::join(set, ", ")));
}

void SceneText::keyframe(const KeyframeSpec& keys) {
  heading("[[keyframe]]");
  lines("keyframe", keys, KeyframeSpec{});
  const bool single = std::ranges::all_of(keys.values, [](auto& v) { return v.size() == 1; });
  std::vector<double> numbers;
  for (const std::vector<double>& v : keys.values)
    if (single) numbers.push_back(v[0]);
  line("values", toml_text(single ? ParameterValue(numbers) : ParameterValue(keys.values)));
}

void add_matter(SceneText& out, const Scene& scene) {
  for (const MaterialSpec& spec : scene.materials) out.material(spec);
  // As they are read: emitters after bodies.
  for (const bool emits : {false, true})
    for (const BodySpec& body : scene.bodies)
      if (body.nozzle.has_value() == emits) out.body(body);
  for (const ColliderSpec& collider : scene.colliders) out.collider(collider);
  for (const PinSpec& pin : scene.pins) out.pin(pin);
  for (const SinkSpec& sink : scene.sinks) out.sink(sink);
  for (const FieldSpec& field : scene.fields) out.field(field);
  for (const EventSpec& event : scene.events) out.event(event);
  for (const KeyframeSpec& keys : scene.keyframes) out.keyframe(keys);
}

void make_absolute(std::string& file, const std::filesystem::path& folder) {
  if (!file.empty()) file = std::filesystem::absolute(folder / file).lexically_normal().string();
}

void make_absolute(ShapeSpec& shape, const std::filesystem::path& folder) {
  make_absolute(shape.file, folder);
  for (ShapeSpec& part : shape.of) make_absolute(part, folder);
}

/// Names of files that hold in any folder.
void make_files_absolute(Scene& scene) {
  for_each_solid(scene, [&](const std::string&, ShapeSpec& shape, Motion*) {
    make_absolute(shape, scene.folder);
  });
  for (SurfaceSpec& surface : scene.surfaces) {
    make_absolute(surface.texture, scene.folder);
    make_absolute(surface.mesh, scene.folder);
  }
  make_absolute(scene.render.environment, scene.folder);
}

}  // namespace

std::string to_toml(const Scene& scene) {
  const std::optional<Scene> absolute = in_world(scene);
  Scene written = absolute.value_or(scene);
  written.world.origin = scene.origin;
  written.world.positions = absolute ? Positions::world : Positions::origin;
  make_files_absolute(written);
  SceneText out(written);
  out.top();
  out.world(true);
  out.table("time", written.time);
  add_matter(out, written);
  for (const SurfaceSpec& surface : written.surfaces) out.surface(surface);
  for (const LightSpec& light : written.lights) out.table("light." + light.name, light);
  out.table("render", written.render);
  out.table("output", written.output);
  return out.text;
}

std::string physics_text(const Scene& scene) {
  Scene part = scene;
  part.name = part.description = "";
  part.duration = Scene{}.duration;
  // A run that stopped because memory was short may be resumed with another setting for it.
  part.world.out_of_memory = OutOfMemory::refuse;
  for (const char* key : {"name", "description", "duration", "world.out_of_memory"})
    part.places.erase(key);
  SceneText out(part);
  out.top();
  out.world(false);
  out.table("time", part.time);
  add_matter(out, part);
  return out.text;
}

}  // namespace phyxel
