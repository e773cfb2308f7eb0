#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "phyxel/core/memory.h"
#include "phyxel/core/problems.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/body_points.h"
#include "phyxel/scene/body_seed.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/check_scene.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/fail.h"
#include "phyxel/scene/local_origin.h"
#include "phyxel/scene/memory_budget.h"
#include "phyxel/scene/plan_checks.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/removal.h"
#include "phyxel/scene/timeline.h"

namespace phyxel {

namespace {

void check_bounded(const BodySpec& body, const Bounds& bounds) {
  if (is_bounded(bounds)) return;
  fail(body.shape.place,
       "{}: its shape ({}) has no end and cannot be filled; intersect it with a box", body.path(),
       body.shape.type);
}

/// Methods keep a law for every pair of materials.
void check_materials(const Scene& scene) {
  constexpr std::size_t most = 1000;
  if (scene.materials.size() <= most) return;
  const MaterialSpec& first = scene.materials[most];
  fail(first.place,
       "material.{}: the scene has {} materials, must be at most {}, as every pair of them has a "
       "law of its own; let bodies share materials",
       first.material.name, scene.materials.size(), most);
}

/// Emitters may be told to stop where memory ends; what is there from the start must fit.
void check_memory(const Scene& scene, double given, ScenePlan& plan) {
  const double memory = plan.memory;
  const std::string room = given > 0 ? readable_bytes(memory) + " of memory may be used"
                                     : readable_bytes(memory / 0.8) + " of memory are free";
  const BodyPlan& largest = *std::max_element(plan.bodies.begin(), plan.bodies.end(),
                                              [](auto& a, auto& b) { return a.bytes < b.bytes; });
  const std::string what =
      fmt::format("{} particles need about {}", plan.particles, readable_bytes(plan.bytes));
  double still = 0;
  bool drains = false;
  for (std::size_t k = 0; k < plan.bodies.size(); ++k) {
    if (!scene.bodies[k].nozzle)
      still += plan.bodies[k].bytes;
    else
      drains = drains || removes_from(scene, scene.bodies[k]);
  }
  const bool grows = scene.world.out_of_memory != OutOfMemory::refuse || drains;
  const bool fits = plan.bytes <= memory && plan.particles <= 1.5e9;
  if (!fits && !(grows && still <= memory)) {
    const bool stream = largest.path.starts_with("emitter.");
    fail(
        scene, largest.path + ".spacing",
        "{}, of which {} with spacing = {:.4g} m takes {}; {}: raise the spacing (twice the "
        "spacing is an eighth of the particles){}",
        what, largest.path, largest.spacing, readable_bytes(largest.bytes), room,
        stream ? ", let less out, or say world.out_of_memory = \"stop\" or \"stop_emitting\"" : "");
  }
  if (!fits)
    plan.warnings.push_back(fmt::format("{}{}, and {}: {} before the end (world.out_of_memory){}",
                                        what, drains ? " if none are removed" : "", room,
                                        scene.world.out_of_memory != OutOfMemory::stop_emitting
                                            ? "the run will stop"
                                            : "emitters will stop",
                                        drains ? " unless enough are" : ""));
  else if (plan.bytes > 4e9)
    plan.warnings.push_back(what);
}

void check_packing(const Scene& scene, const BodySpec& body) {
  if (scene.dimensions == 3 && body.packing == Packing::hexagonal)
    fail(scene, body.path() + ".packing",
         "{}.packing = \"hexagonal\" is flat and needs dimensions = 2; \"closest\" is its like in "
         "3D",
         body.path());
}

/// A flat body away from the plane has none either, however fine its spacing.
[[noreturn]] void refuse_empty(const Scene& scene, const BodySpec& body, Real spacing) {
  const char* flat = scene.dimensions == 2 ? " or does not meet the plane z = 0" : "";
  fail(body.place,
       "{} has no particle: its shape is smaller than spacing = {:.4g} m{}; lower the spacing or "
       "enlarge the shape",
       body.path(), spacing, flat);
}

/// A lattice coarser than the whole shape leaves one particle of it, or none, by chance.
void check_spacing(const Scene& scene, const BodySpec& body, const Bounds& bounds, Real spacing) {
  const Vec3 size = bounds.size();
  const Real extent = std::max({size[0], size[1], scene.dimensions == 2 ? Real(0) : size[2]});
  const Real rounding =
      4 * std::numeric_limits<Real>::epsilon() * std::max(length(bounds.min), length(bounds.max));
  if (spacing <= Real(1.001) * extent + rounding) return;
  fail(scene, body.path() + ".spacing",
       "{}: spacing = {:.4g} m is larger than its shape, {:.4g} m; lower the spacing, e.g. to "
       "{:.3g} m, or enlarge the shape (a single particle can come from a file: shape = {{ "
       "particles = \"file.xyz\" }})",
       body.path(), spacing, extent, extent / 10);
}

/// Forces between particles at one place have no direction.
void check_apart(const Scene& scene, const BodySpec& body, const std::vector<Vec3>& points) {
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](Index i, Index j) {
    return std::tie(points[i][0], points[i][1], points[i][2], i) <
           std::tie(points[j][0], points[j][1], points[j][2], j);
  };
  std::sort(order.begin(), order.end(), before);
  const auto same = [&](Index i, Index j) { return points[i] == points[j]; };
  const auto twice = std::adjacent_find(order.begin(), order.end(), same);
  if (twice == order.end()) return;
  const bool all = same(order.front(), order.back());
  const std::string which = all ? fmt::format("all {} points", points.size())
                                : fmt::format("points {} and {}", *twice, *std::next(twice));
  const Vec3d at = world_place(scene, points[*twice], rest_spacing(scene, body));
  fail(body.shape.place,
       "{}: {} of \"{}\" are at one place, [{:.7g}, {:.7g}, {:.7g}]; give each a place of its own",
       body.path(), which, body.shape.file, at[0], at[1], at[2]);
}

/// Of a stream until it stops, as events and keyframes make it flow; and what waits in the nozzle.
std::size_t estimate_count(const Scene& scene, const BodySpec& emitter, const Stream& stream) {
  const double held = (stream.held + 1) * stream.points_per_layer();
  const double points = held + emitted(scene, emitter, stream, 0, scene.duration);
  return static_cast<std::size_t>(std::min(points, 1e18));
}

/// Memory of a particle, bytes, by material: the most that events and keys make of it. The index of
/// names is left behind: it is that of all bodies too, and there are few materials.
std::vector<double> bytes_of_particles(const Scene& scene) {
  Scene changing;
  changing.materials = scene.materials;
  std::vector<double> bytes(scene.materials.size(), 0);
  const auto count = [&](std::size_t m) {
    Material& material = changing.materials[m].material;
    material.dimensions = scene.dimensions;
    bytes[m] = std::max(bytes[m], find_method(material.method)->bytes_per_particle(material));
  };
  const auto change = [&](const std::string& path, const ParameterValue& value) {
    if (!path.starts_with("material.")) return;
    apply(changing, path, value);
    count(material_index(changing, path.substr(9, path.rfind('.') - 9)));
  };
  for (std::size_t m = 0; m < bytes.size(); ++m) count(m);
  for (const EventSpec& event : scene.events)
    for (const Assignment& set : event.set) change(set.path, set.value);
  for (const KeyframeSpec& keys : scene.keyframes)
    for (const double time : keys.times) change(keys.path, value_at(keys, time));
  return bytes;
}

BodyPlan plan_body(const Scene& scene, const BodySpec& body, ShapeFiles& files,
                   const std::vector<double>& particle_bytes, std::vector<BodyRegion>& regions) {
  BodyPlan result{body.path(), body.material, rest_spacing(scene, body), 0, 0, 0};
  if (body.nozzle) {
    const Stream stream = stream_of(scene, body, files);
    result.particles = estimate_count(scene, body, stream);
    std::vector<Vec3> mouth;
    for (const std::vector<Vec3>& layer : stream.layers)
      mouth.insert(mouth.end(), layer.begin(), layer.end());
    regions.push_back(region_of_points(body, mouth, scene.bodies.size()));
  } else if (body.shape.type == "particles") {
    const std::vector<Vec3> points = read_shape_points(body.shape, files);
    result.particles = points.size();
    check_apart(scene, body, points);
    regions.push_back(region_of_points(body, points, scene.bodies.size()));
  } else if (is_thin(body)) {
    const std::vector<Vec3> points = body_points(scene, body, files);
    result.particles = points.size();
    regions.push_back(region_of_points(body, points, scene.bodies.size()));
  } else {
    const Shape shape = make_shape(body.shape, files);
    check_bounded(body, bounds_of(shape));
    check_packing(scene, body);
    check_spacing(scene, body, bounds_of(shape), result.spacing);
    result.particles = estimate_count(shape, body.packing, result.spacing, scene.dimensions);
    regions.push_back(region_of_shape(body, shape));
  }
  result.particle_volume = particle_volume(scene, body, files);
  if (result.particles == 0) refuse_empty(scene, body, result.spacing);
  result.bytes = double(result.particles) * particle_bytes[material_index(scene, body.material)];
  return result;
}

void check_same_spacing(const Scene& scene, const BodyPlan& first, const BodyPlan& body) {
  if (std::abs(first.spacing - body.spacing) > 1e-4 * body.spacing)
    fail(scene, body.path + ".spacing",
         "{}.spacing = {:.6g} m but {} of the same material has {:.6g} m; give them the same "
         "spacing or two materials",
         body.path, body.spacing, first.path, first.spacing);
}

/// Packings of which a point stands for the same volume may meet in one material.
void check_same_volume(const Scene& scene, const BodySpec& first, const BodySpec& body) {
  const auto volume = [&](const BodySpec& b) {
    return volume_per_point(b.packing, 1, scene.dimensions);
  };
  const auto word = [](BodySpec b) {
    Fields fields;
    describe(fields, b);
    return value_text(*fields.find("packing"));
  };
  if (volume(first) != volume(body))
    fail(scene, body.path() + ".packing",
         "{}.packing = {} but {} of the same material has {}, where a particle fills another "
         "volume and has another mass; give them the same packing or two materials",
         body.path(), word(body), first.path(), word(first));
}

/// Sheets and lines of a thickness have particles of another volume.
void check_same_mass(const Scene& scene, const BodyPlan& first, const BodyPlan& body) {
  if (std::abs(first.particle_volume - body.particle_volume) > 1e-3 * body.particle_volume)
    fail(scene, body.path + ".thickness",
         "{}: a particle fills {:.4g} m^{} but one of {}, of the same material, fills {:.4g}; give "
         "them thicknesses that agree, or two materials",
         body.path, body.particle_volume, scene.dimensions, first.path, first.particle_volume);
}

/// A material keeps one spacing, as its rest state cannot fit two, and one mass of its particles.
void check_spacings(const Scene& scene, const ScenePlan& plan) {
  std::map<std::string, std::size_t> first;
  for (std::size_t k = 0; k < plan.bodies.size(); ++k) {
    const auto [known, fresh] = first.emplace(plan.bodies[k].material, k);
    if (fresh) continue;
    check_same_spacing(scene, plan.bodies[known->second], plan.bodies[k]);
    check_same_volume(scene, scene.bodies[known->second], scene.bodies[k]);
    check_same_mass(scene, plan.bodies[known->second], plan.bodies[k]);
  }
}

/// A shape that holds one particle has lost its form.
void warn_of_single_particles(const Scene& scene, ScenePlan& plan) {
  for (std::size_t k = 0; k < plan.bodies.size(); ++k) {
    const BodySpec& body = scene.bodies[k];
    if (plan.bodies[k].particles != 1 || body.nozzle || body.shape.type == "particles") continue;
    plan.warnings.push_back(fmt::format(
        "{}: {} is a single particle at spacing = {:.4g} m; a finer spacing keeps its shape",
        to_string(body.place), body.path(), plan.bodies[k].spacing));
  }
}

}  // namespace

ScenePlan plan(const Scene& scene, double memory) {
  check_materials(scene);
  check_methods(scene);
  check_thin_bodies(scene);
  check_nozzles(scene);
  ScenePlan plan;
  plan.files = std::make_shared<ShapeFiles>(ShapeFiles{scene.folder});
  const std::vector<double> particle_bytes = bytes_of_particles(scene);
  std::vector<BodyRegion> regions;
  Problems problems;
  for (const BodySpec& body : scene.bodies)
    problems.attempt([&] {
      plan.bodies.push_back(plan_body(scene, body, *plan.files, particle_bytes, regions));
      plan.particles += plan.bodies.back().particles;
      plan.bytes += plan.bodies.back().bytes;
    });
  problems.raise();  // what follows compares the bodies
  problems.attempt([&] { check_spacings(scene, plan); });
  plan.memory = memory_budget(memory);
  problems.attempt([&] { check_memory(scene, memory, plan); });
  problems.raise();  // a spacing that is a slip is not told a second time as a distance
  for (const BodyRegion& region : regions)
    problems.attempt([&] { check_reach(scene, *region.body, region.bounds); });
  check_motions(scene, problems);
  const OverlapReport overlaps = find_overlaps(scene, regions, *plan.files);
  for (const InputError& error : overlaps.errors) problems.add(error);
  problems.raise();
  plan.compared = overlaps.pairs;
  warn_of_single_particles(scene, plan);
  for (const auto& warnings :
       {thin_body_warnings(scene, regions), thin_colliders(scene, *plan.files),
        sink_warnings(scene, regions, *plan.files)})
    plan.warnings.insert(plan.warnings.end(), warnings.begin(), warnings.end());
  plan.meetings = find_meetings(scene, regions, *plan.files);
  for (const Meeting& meeting : plan.meetings) plan.warnings.push_back(meeting.warning);
  return plan;
}

}  // namespace phyxel
