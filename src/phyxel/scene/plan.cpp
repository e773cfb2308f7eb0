#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "phyxel/core/memory.h"
#include "phyxel/core/random.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/check_scene.h"
#include "phyxel/scene/emitters.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/rest_spacing.h"

namespace phyxel {

namespace {

/// A body as the checks see it: points of its inside, and its shape where it has one.
struct Solid {
  const BodySpec* body;
  Shape shape;  // empty for points from a file
  Bounds bounds;
  std::vector<Vec3> samples;  // at most 20 000
};

std::string readable_bytes(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.3g} GB", bytes / 1e9)
                      : fmt::format("{:.3g} MB", bytes / 1e6);
}

constexpr std::size_t most_samples = 20000;

Solid solid_of_shape(const BodySpec& body, const Shape& shape, bool flat) {
  Solid solid{&body, shape, bounds_of(shape), {}};
  const Random random{7, 0};
  for (std::uint64_t k = 0; k < most_samples; ++k) {
    Vec3 p = solid.bounds.min + scaled(solid.bounds.size(), random.uniform3(k));
    if (flat) p[2] = 0;
    if (inside(shape, p)) solid.samples.push_back(p);
  }
  return solid;
}

Solid solid_of_points(const BodySpec& body, const std::vector<Vec3>& points) {
  Solid solid{&body, {}, {}, {}};
  for (const Vec3& p : points) solid.bounds.include(p);
  const std::size_t stride = points.size() / most_samples + 1;
  for (std::size_t i = 0; i < points.size(); i += stride) solid.samples.push_back(points[i]);
  return solid;
}

/// Fraction of the samples of `a` for which `test` holds.
template <class Test>
double fraction_of(const Solid& a, Test test) {
  const auto hits = std::count_if(a.samples.begin(), a.samples.end(), test);
  return a.samples.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(a.samples.size());
}

bool boxes_meet(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k)
    if (a.max[k] <= b.min[k] || b.max[k] <= a.min[k]) return false;
  return true;
}

/// More than this part of a body inside another thing is a mistake; less is a matter of rounding
/// and curvature.
constexpr double tolerated_overlap = 0.01;

void check_overlaps(const std::vector<Solid>& solids) {
  for (std::size_t a = 0; a < solids.size(); ++a)
    for (std::size_t b = 0; b < solids.size(); ++b) {
      const bool comparable = a != b && !solids[b].shape.nodes.empty();
      if (!comparable || !boxes_meet(solids[a].bounds, solids[b].bounds)) continue;
      const double part =
          fraction_of(solids[a], [&](const Vec3& p) { return inside(solids[b].shape, p); });
      if (part > tolerated_overlap)
        throw InputError(
            solids[std::max(a, b)].body->place,
            fmt::format("{} and {} overlap: {:.0f} % of {} is inside the other; move one "
                        "of them or join them with type = \"union\"",
                        solids[std::min(a, b)].body->path(), solids[std::max(a, b)].body->path(),
                        100 * part, solids[a].body->path()));
    }
}

void check_domain(const Scene& scene, const std::vector<Solid>& solids) {
  if (!scene.world.has_domain) return;
  const Bounds domain{scene.world.domain_min, scene.world.domain_max};
  for (const Solid& solid : solids) {
    if (solid.shape.nodes.empty()) continue;  // build() names the very point
    const double part = fraction_of(solid, [&](const Vec3& p) { return !domain.contains(p); });
    if (part > tolerated_overlap)
      throw InputError(
          solid.body->place,
          fmt::format("{}: {:.0f} % of it is outside the domain from [{:.4g}, {:.4g}, {:.4g}] to "
                      "[{:.4g}, {:.4g}, {:.4g}]; move it or enlarge world.domain",
                      solid.body->path(), 100 * part, domain.min[0], domain.min[1], domain.min[2],
                      domain.max[0], domain.max[1], domain.max[2]));
  }
}

void check_colliders(const Scene& scene, const std::vector<Solid>& solids) {
  for (const ColliderSpec& collider : scene.colliders) {
    if (collider.shape.type == "mesh_sequence") continue;
    const Shape shape = make_shape(collider.shape, scene.folder);
    const Pose pose = pose_at(collider.motion, 0);
    for (const Solid& solid : solids) {
      const double part = fraction_of(
          solid, [&](const Vec3& p) { return inside(shape, apply_inverse(pose.transform, p)); });
      if (part > tolerated_overlap)
        throw InputError(solid.body->place,
                         fmt::format("{}: {:.0f} % of it is inside collider.{}; move one of them",
                                     solid.body->path(), 100 * part, collider.name));
    }
  }
}

void check_bounded(const BodySpec& body, const Bounds& bounds) {
  if (is_bounded(bounds)) return;
  throw InputError(body.shape.place,
                   fmt::format("{}: its shape ({}) has no end and cannot be filled; intersect it "
                               "with a box",
                               body.path(), body.shape.type));
}

void check_memory(const Scene& scene, ScenePlan& plan) {
  const BodyPlan& largest = *std::max_element(plan.bodies.begin(), plan.bodies.end(),
                                              [](auto& a, auto& b) { return a.bytes < b.bytes; });
  const double available = available_memory();
  const std::string what =
      fmt::format("{} particles need about {}", plan.particles, readable_bytes(plan.bytes));
  if (plan.bytes > 0.8 * available || plan.particles > 1.5e9)
    fail(scene, largest.path + ".spacing",
         fmt::format("{}, of which {} with spacing = {:.4g} m takes {}; {} are free: raise "
                     "the spacing (twice the "
                     "spacing is an eighth of the particles)",
                     what, largest.path, largest.spacing, readable_bytes(largest.bytes),
                     readable_bytes(available)));
  if (plan.bytes > 4e9) plan.warnings.push_back(what);
}

void check_packing(const Scene& scene, const BodySpec& body) {
  if (scene.dimensions == 3 && body.packing == Packing::hexagonal)
    fail(scene, body.path() + ".packing",
         fmt::format("{}.packing = \"hexagonal\" is flat and needs dimensions = 2; "
                     "\"closest\" is its like in 3D",
                     body.path()));
}

/// A flat body away from the plane has none either, however fine its spacing.
[[noreturn]] void refuse_empty(const Scene& scene, const BodySpec& body, Real spacing) {
  const char* flat = scene.dimensions == 2 ? " or does not meet the plane z = 0" : "";
  throw InputError(body.place,
                   fmt::format("{} has no particle: its shape is smaller than spacing = "
                               "{:.4g} m{}; lower the spacing or enlarge the shape",
                               body.path(), spacing, flat));
}

/// Of a stream that flows as the scene says at the start, until it stops.
std::size_t estimate_count(const Scene& scene, const NozzleSpec& nozzle, const Stream& stream) {
  const double seconds = std::max(0.0, std::min(scene.duration, nozzle.stop) - nozzle.start);
  const double layers = seconds * stream_speed(nozzle, stream) / stream.thickness + held_layers + 1;
  const double points = layers * 0.5 * double(stream.layers[0].size() + stream.layers[1].size());
  return static_cast<std::size_t>(std::min(points, 1e18));
}

BodyPlan plan_body(const Scene& scene, const BodySpec& body, std::vector<Solid>& solids) {
  BodyPlan result{body.path(), body.material, rest_spacing(scene, body), 0, 0};
  if (body.nozzle) {
    const Stream stream = stream_of(scene, body);
    result.particles = estimate_count(scene, *body.nozzle, stream);
    std::vector<Vec3> mouth = stream.layers[0];
    mouth.insert(mouth.end(), stream.layers[1].begin(), stream.layers[1].end());
    solids.push_back(solid_of_points(body, mouth));
  } else if (body.shape.type == "particles") {
    const std::vector<Vec3> points = read_shape_points(body.shape, scene.folder);
    result.particles = points.size();
    solids.push_back(solid_of_points(body, points));
  } else {
    const Shape shape = make_shape(body.shape, scene.folder);
    check_bounded(body, bounds_of(shape));
    check_packing(scene, body);
    result.particles = estimate_count(shape, body.packing, result.spacing, scene.dimensions);
    solids.push_back(solid_of_shape(body, shape, scene.dimensions == 2));
  }
  if (result.particles == 0) refuse_empty(scene, body, result.spacing);
  result.bytes =
      double(result.particles) * find_method(material_of(scene, body).method)->bytes_per_particle;
  return result;
}

void check_same_spacing(const Scene& scene, const BodyPlan& first, const BodyPlan& body) {
  if (std::abs(first.spacing - body.spacing) > 1e-4 * body.spacing)
    fail(scene, body.path + ".spacing",
         fmt::format("{}.spacing = {:.6g} m but {} of the same material has {:.6g} m; "
                     "give them the same "
                     "spacing or two materials",
                     body.path, body.spacing, first.path, first.spacing));
}

/// Packings of which a point stands for the same volume may meet in one material.
void check_same_volume(const Scene& scene, BodySpec first, BodySpec body) {
  const auto volume = [&](const BodySpec& b) {
    return volume_per_point(b.packing, 1, scene.dimensions);
  };
  const auto word = [](BodySpec& b) {
    Fields fields;
    describe(fields, b);
    return value_text(*fields.find("packing"));
  };
  if (volume(first) != volume(body))
    fail(scene, body.path() + ".packing",
         fmt::format("{}.packing = {} but {} of the same material has {}, where a "
                     "particle fills another volume and has another mass; give them the same "
                     "packing or two materials",
                     body.path(), word(body), first.path(), word(first)));
}

/// A material keeps one spacing, as its rest state cannot fit two, and one mass of its particles.
void check_spacings(const Scene& scene, const ScenePlan& plan) {
  std::map<std::string, std::size_t> first;
  for (std::size_t k = 0; k < plan.bodies.size(); ++k) {
    const auto [known, fresh] = first.emplace(plan.bodies[k].material, k);
    if (fresh) continue;
    check_same_spacing(scene, plan.bodies[known->second], plan.bodies[k]);
    check_same_volume(scene, scene.bodies[known->second], scene.bodies[k]);
  }
}

}  // namespace

ScenePlan plan(const Scene& scene) {
  check_methods(scene);
  ScenePlan plan;
  std::vector<Solid> solids;
  for (const BodySpec& body : scene.bodies) {
    plan.bodies.push_back(plan_body(scene, body, solids));
    plan.particles += plan.bodies.back().particles;
    plan.bytes += plan.bodies.back().bytes;
  }
  check_spacings(scene, plan);
  check_memory(scene, plan);
  check_overlaps(solids);
  check_domain(scene, solids);
  check_colliders(scene, solids);
  return plan;
}

}  // namespace phyxel
