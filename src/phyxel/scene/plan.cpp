#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <unistd.h>

#include "phyxel/core/random.h"
#include "phyxel/methods/registry.h"
#include "phyxel/scene/build.h"
#include "phyxel/scene/read_shape.h"
#include "phyxel/scene/rest_spacing.h"

namespace phyxel {

namespace {

struct Solid {
  const BodySpec* body;
  Shape shape;
  Bounds bounds;
};

/// What can be had without swapping. Free pages alone would leave out what files only borrow.
double available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);)
    if (double kilobytes = 0; std::sscanf(line.c_str(), "MemAvailable: %lf kB", &kilobytes) == 1)
      return kilobytes * 1024;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string readable_bytes(double bytes) {
  return bytes >= 1e9 ? fmt::format("{:.3g} GB", bytes / 1e9)
                      : fmt::format("{:.3g} MB", bytes / 1e6);
}

/// Fraction of the points of `a` (by sampling its bounds) for which `test` holds.
template <class Test>
double fraction_of(const Solid& a, bool flat, Test test) {
  const Random random{7, 0};
  int in = 0, hits = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    Vec3 p = a.bounds.min + scaled(a.bounds.size(), random.uniform3(k));
    if (flat) p[2] = 0;
    if (!inside(a.shape, p)) continue;
    ++in;
    hits += test(p);
  }
  return in > 0 ? double(hits) / in : 0;
}

bool boxes_meet(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k)
    if (a.max[k] <= b.min[k] || b.max[k] <= a.min[k]) return false;
  return true;
}

/// More than this part of a body inside another thing is a mistake; less is a matter of rounding
/// and curvature.
constexpr double tolerated_overlap = 0.01;

void check_overlaps(const Scene& scene, const std::vector<Solid>& solids) {
  for (std::size_t a = 0; a < solids.size(); ++a)
    for (std::size_t b = 0; b < solids.size(); ++b) {
      if (a == b || !boxes_meet(solids[a].bounds, solids[b].bounds)) continue;
      const double part = fraction_of(solids[a], scene.dimensions == 2,
                                      [&](const Vec3& p) { return inside(solids[b].shape, p); });
      if (part > tolerated_overlap)
        throw InputError(
            solids[std::max(a, b)].body->place,
            fmt::format(
                "body.{} and body.{} overlap: {:.0f} % of body.{} is inside the other; move one "
                "of them or join them with type = \"union\"",
                solids[std::min(a, b)].body->name, solids[std::max(a, b)].body->name, 100 * part,
                solids[a].body->name));
    }
}

void check_domain(const Scene& scene, const std::vector<Solid>& solids) {
  if (!scene.world.has_domain) return;
  const Bounds domain{scene.world.domain_min, scene.world.domain_max};
  for (const Solid& solid : solids) {
    const double part = fraction_of(solid, scene.dimensions == 2,
                                    [&](const Vec3& p) { return !domain.contains(p); });
    if (part > tolerated_overlap)
      throw InputError(
          solid.body->place,
          fmt::format(
              "body.{}: {:.0f} % of it is outside the domain from [{:.4g}, {:.4g}, {:.4g}] to "
              "[{:.4g}, {:.4g}, {:.4g}]; move it or enlarge world.domain",
              solid.body->name, 100 * part, domain.min[0], domain.min[1], domain.min[2],
              domain.max[0], domain.max[1], domain.max[2]));
  }
}

void check_colliders(const Scene& scene, const std::vector<Solid>& solids) {
  for (const ColliderSpec& collider : scene.colliders) {
    if (collider.shape.type == "mesh_sequence") continue;
    const Shape shape = make_shape(collider.shape, scene.folder);
    const Pose pose = pose_at(collider.motion, 0);
    for (const Solid& solid : solids) {
      const double part = fraction_of(solid, scene.dimensions == 2, [&](const Vec3& p) {
        return inside(shape, apply_inverse(pose.transform, p));
      });
      if (part > tolerated_overlap)
        throw InputError(
            solid.body->place,
            fmt::format("body.{}: {:.0f} % of it is inside collider.{}; move one of them",
                        solid.body->name, 100 * part, collider.name));
    }
  }
}

void check_bounded(const BodySpec& body, const Bounds& bounds) {
  if (is_bounded(bounds)) return;
  throw InputError(
      body.shape.place,
      fmt::format("body.{}: its shape ({}) has no end and cannot be filled; intersect it "
                  "with a box",
                  body.name, body.shape.type));
}

void check_memory(const Scene& scene, ScenePlan& plan) {
  const BodyPlan& largest = *std::max_element(plan.bodies.begin(), plan.bodies.end(),
                                              [](auto& a, auto& b) { return a.bytes < b.bytes; });
  const double available = available_memory();
  const std::string what =
      fmt::format("{} particles need about {}", plan.particles, readable_bytes(plan.bytes));
  if (plan.bytes > 0.8 * available || plan.particles > 1.5e9)
    fail(scene, "body." + largest.name + ".spacing",
         fmt::format("{}, of which body.{} with spacing = {:.4g} m takes {}; {} are free: raise "
                     "the spacing (twice the "
                     "spacing is an eighth of the particles)",
                     what, largest.name, largest.spacing, readable_bytes(largest.bytes),
                     readable_bytes(available)));
  if (plan.bytes > 4e9) plan.warnings.push_back(what);
}

void check_packing(const Scene& scene, const BodySpec& body) {
  if (scene.dimensions == 3 && body.packing == Packing::hexagonal)
    fail(scene, "body." + body.name + ".packing",
         fmt::format("body.{}.packing = \"hexagonal\" is flat and needs dimensions = 2; "
                     "\"closest\" is its like in 3D",
                     body.name));
}

/// A flat body away from the plane has none either, however fine its spacing.
[[noreturn]] void refuse_empty(const Scene& scene, const BodySpec& body, Real spacing) {
  const char* flat = scene.dimensions == 2 ? " or does not meet the plane z = 0" : "";
  throw InputError(body.place,
                   fmt::format("body.{} has no particle: its shape is smaller than spacing = "
                               "{:.4g} m{}; lower the spacing or enlarge the shape",
                               body.name, spacing, flat));
}

BodyPlan plan_body(const Scene& scene, const BodySpec& body, std::vector<Solid>& solids) {
  BodyPlan result{body.name, body.material, rest_spacing(scene, body), 0, 0};
  if (body.shape.type == "particles") {
    result.particles = read_shape_points(body.shape, scene.folder).size();
  } else {
    const Shape shape = make_shape(body.shape, scene.folder);
    const Bounds bounds = bounds_of(shape);
    check_bounded(body, bounds);
    check_packing(scene, body);
    result.particles = estimate_count(shape, body.packing, result.spacing, scene.dimensions);
    solids.push_back({&body, shape, bounds});
  }
  if (result.particles == 0) refuse_empty(scene, body, result.spacing);
  result.bytes =
      double(result.particles) * find_method(material_of(scene, body).method)->bytes_per_particle;
  return result;
}

/// A material keeps one spacing: its rest state cannot fit two.
void check_spacings(const Scene& scene, const ScenePlan& plan) {
  std::map<std::string, const BodyPlan*> first;
  for (const BodyPlan& body : plan.bodies) {
    const auto [known, fresh] = first.emplace(body.material, &body);
    if (!fresh && std::abs(known->second->spacing - body.spacing) > 1e-4 * body.spacing)
      fail(scene, "body." + body.name + ".spacing",
           fmt::format("body.{}.spacing = {:.6g} m but body.{} of the same material has {:.6g} m; "
                       "give them the same "
                       "spacing or two materials",
                       body.name, body.spacing, known->second->name, known->second->spacing));
  }
}

}  // namespace

ScenePlan plan(const Scene& scene) {
  ScenePlan plan;
  std::vector<Solid> solids;
  for (const BodySpec& body : scene.bodies) {
    plan.bodies.push_back(plan_body(scene, body, solids));
    plan.particles += plan.bodies.back().particles;
    plan.bytes += plan.bodies.back().bytes;
  }
  check_spacings(scene, plan);
  check_memory(scene, plan);
  check_overlaps(scene, solids);
  check_domain(scene, solids);
  check_colliders(scene, solids);
  return plan;
}

}  // namespace phyxel
