#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "phyxel/scene/body_material.h"
#include "phyxel/scene/plan_checks.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

/// Whether matter is moved by more than constant gravity and the velocities it begins with.
bool is_driven(const Scene& scene) {
  const auto drives = [](const std::string& path) {
    return path == "world.gravity" || path.ends_with(".velocity") || path.ends_with(".speed") ||
           path.ends_with(".rate");
  };
  bool moves = changes_any(scene, drives) || !scene.fields.empty();
  for_each_solid(scene, [&](const std::string& path, const ShapeSpec& shape, const Motion* motion) {
    if (path.starts_with("sink.")) return;
    moves |= shape.type == "mesh_sequence" || (motion && !motion->times.empty());
  });
  return moves;
}

/// How far matter of the body may come, m: as it was thrown, and as it falls, in any direction,
/// since it may slide or bounce. Infinite where an emitter has a rate in place of a speed.
double reach_of(const Scene& scene, const BodySpec& body, ShapeFiles& files) {
  const double t = scene.duration;
  double speed = length(cast<double>(body.velocity));
  if (body.shape.type == "particles") {
    double fastest = 0;
    for (const Vec3& v : read_shape_velocities(body.shape, files))
      fastest = std::max(fastest, double(length(v)));
    speed += fastest;
  }
  if (body.nozzle) speed = is_given(body.nozzle->speed) ? body.nozzle->speed : infinity;
  if (length(body.angular_velocity) > 0) return infinity;
  return speed * t + 0.5 * length(cast<double>(scene.world.gravity)) * t * t;
}

double gap_between(const Bounds& a, const Bounds& b) {
  double squares = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = std::max({0.0, double(a.min[k]) - b.max[k], double(b.min[k]) - a.max[k]});
    squares += gap * gap;
  }
  return std::sqrt(squares);
}

/// What one method moves: its bodies, the box around them and how far any of them may come.
struct Matter {
  std::vector<std::string> bodies;
  Bounds bounds;
  double reach = 0;  // m
};

std::string names_of(const std::string& method, const Matter& matter) {
  constexpr std::size_t most_named = 3;
  const std::size_t n = matter.bodies.size();
  const std::vector<std::string> first(matter.bodies.begin(),
                                       matter.bodies.begin() + std::min(n, most_named));
  const std::string more = n > most_named ? fmt::format(" and {} more", n - most_named) : "";
  return fmt::format("{}{} ({})", fmt::join(first, ", "), more, method);
}

}  // namespace

std::vector<Meeting> find_meetings(const Scene& scene, const std::vector<BodyRegion>& regions,
                                   ShapeFiles& files) {
  std::map<std::string, Matter> by_method;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    Matter& matter = by_method[material_of(scene, scene.bodies[b]).method];
    matter.bodies.push_back(scene.bodies[b].path());
    matter.bounds.include(regions[b].bounds);
    matter.reach = std::max(matter.reach, reach_of(scene, scene.bodies[b], files));
  }
  const Bool3& periodic = scene.world.periodic;
  const bool driven = is_driven(scene) || periodic[0] || periodic[1] || periodic[2];
  std::vector<Meeting> meetings;
  for (auto a = by_method.begin(); a != by_method.end(); ++a)
    for (auto b = std::next(a); b != by_method.end(); ++b) {
      const double reach = a->second.reach + b->second.reach;
      if (!driven && reach < gap_between(a->second.bounds, b->second.bounds)) continue;
      const std::string warning = fmt::format(
          "{} and {} pass through each other where they meet: there is no contact between two "
          "methods; give them one method, or keep them apart with a collider",
          names_of(a->first, a->second), names_of(b->first, b->second));
      meetings.push_back({{a->first, b->first}, driven ? infinity : reach, warning});
    }
  return meetings;
}

void drop_far_meetings(const std::vector<Meeting>& meetings, World& world) {
  // Matter that emitters will add is in no shell yet.
  if (meetings.empty() || !world.emissions.empty()) return;
  std::map<std::string, ContactShell> shells;
  const auto shell_of = [&](const std::string& method) -> const ContactShell& {
    const auto [found, is_new] = shells.try_emplace(method);
    for (std::size_t k = 0; is_new && k < world.methods.size(); ++k)
      if (world.method_names[k] == method)
        found->second = world.methods[k]->contact_shell(world.environment);
    return found->second;
  };
  for (const Meeting& meeting : meetings) {
    if (!(meeting.reach < infinity)) continue;
    if (!come_within(shell_of(meeting.methods[0]), shell_of(meeting.methods[1]), meeting.reach))
      std::erase(world.warnings, meeting.warning);
  }
}

namespace {

/// Materials that particles of one may turn into, and itself.
std::vector<std::string> becomes(const Scene& scene, const std::string& name) {
  std::vector<std::string> names = {name};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Material& material = scene.materials[material_index(scene, names[k])].material;
    const MethodInfo& method = *find_method(material.method);
    if (!method.turns_into) continue;
    for (const auto& [key, other] : method.turns_into(material))
      if (!contains(names, other)) names.push_back(other);
  }
  return names;
}

bool takes(const Scene& scene, const SinkSpec& sink, const BodySpec& body) {
  return sink.materials.empty() ||
         std::ranges::any_of(becomes(scene, body.material), [&](const std::string& name) {
           return contains(sink.materials, name);
         });
}

}  // namespace

std::vector<std::string> sink_warnings(const Scene& scene, const std::vector<BodyRegion>& regions,
                                       ShapeFiles& files) {
  const Bool3& periodic = scene.world.periodic;
  const bool driven = is_driven(scene) || periodic[0] || periodic[1] || periodic[2];
  std::vector<std::string> warnings;
  for (const SinkSpec& sink : scene.sinks) {
    const Bounds box = bounds_of(make_shape(sink.shape, files));
    bool is_for_some = false, is_reached = driven || !sink.motion.times.empty();
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      if (!takes(scene, sink, scene.bodies[b])) continue;
      is_for_some = true;
      is_reached = is_reached ||
                   gap_between(regions[b].bounds, box) <= reach_of(scene, scene.bodies[b], files);
    }
    if (!is_for_some || !is_reached)
      warnings.push_back(fmt::format(
          "{}: sink.{} will remove nothing: {}", to_string(sink.place), sink.name,
          is_for_some
              ? "no matter can come as far as its shape before the end; move it, or remove it"
              : "no body is of its materials, or becomes one of them"));
  }
  return warnings;
}

}  // namespace phyxel
