#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "phyxel/core/exec.h"
#include "phyxel/core/random.h"
#include "phyxel/geometry/box_tree.h"
#include "phyxel/scene/plan_checks.h"

namespace phyxel {

namespace {

/// More than this part of a body inside another thing is a mistake; less is a matter of rounding
/// and curvature.
constexpr double tolerated_overlap = 0.01;

/// Points that are tried in the box of a body: many in a scene of few bodies. What fewer find is
/// decided by all of them.
constexpr std::size_t most_samples = 20'000, fewest_samples = 200, samples_of_all = 4'000'000;

std::size_t samples_of_one(std::size_t bodies) {
  return std::clamp(samples_of_all / std::max<std::size_t>(1, bodies), fewest_samples,
                    most_samples);
}

/// A collider at time 0.
struct Obstacle {
  Shape shape;
  Transform pose;
};

bool inside(const Obstacle& obstacle, const Vec3& p) {
  return inside(obstacle.shape, apply_inverse(obstacle.pose, p));
}

/// Points of a body, made when the first pair needs them.
struct Samples {
  const BodyRegion* region;
  bool flat;
  std::vector<Vec3> points = {};
  std::size_t tried = 0;

  void take(std::size_t tries) {
    if (region->shape.nodes.empty()) {
      points = region->points;
      return;
    }
    const Random random{7, 0};
    for (; tried < tries; ++tried) {
      Vec3 p = region->bounds.min + scaled(region->bounds.size(), random.uniform3(tried));
      if (flat) p[2] = 0;
      if (inside(region->shape, p)) points.push_back(p);
    }
  }

  /// Part of the body for which `test` holds. Few points tell what cannot matter; before a body is
  /// refused, all are asked.
  template <class Test>
  double part(std::size_t few, Test test) {
    double result = 0;
    for (const std::size_t tries : {few, most_samples}) {
      take(tries);
      const auto hits = std::count_if(points.begin(), points.end(), test);
      result = points.empty() ? 0 : static_cast<double>(hits) / static_cast<double>(points.size());
      if (result <= tolerated_overlap) break;
    }
    return result;
  }
};

/// The distance of a region is never too large: far from the middle of a box it is far from all of
/// it.
bool may_overlap(const BodyRegion& region, const Shape& other, const Vec3& centre) {
  const double reach = length(region.bounds.size()) / 2;
  return signed_distance(other, centre).distance < 1.001 * reach;
}

struct Finding {
  Place place;
  std::string message;
};

/// What is wrong with one body.
struct BodyFindings {
  std::optional<Finding> body, domain, collider;
  std::size_t pairs = 0;
};

Finding within_body(const BodyRegion& a, const BodyRegion& b, bool a_first, double part) {
  const BodySpec &first = a_first ? *a.body : *b.body, &last = a_first ? *b.body : *a.body;
  return {last.place, fmt::format("{} and {} overlap: {:.0f} % of {} is inside the other; move one "
                                  "of them or join them with type = \"union\"",
                                  first.path(), last.path(), 100 * part, a.body->path())};
}

Finding beyond_domain(const BodyRegion& region, const Scene& scene, double part) {
  const Vec3d low = scene.origin + scene.world.domain_min,
              high = scene.origin + scene.world.domain_max;
  return {region.body->place,
          fmt::format("{}: {:.0f} % of it is outside the domain from [{:.7g}, {:.7g}, {:.7g}] to "
                      "[{:.7g}, {:.7g}, {:.7g}]; move it or enlarge world.domain",
                      region.body->path(), 100 * part, low[0], low[1], low[2], high[0], high[1],
                      high[2])};
}

Finding within_collider(const BodyRegion& region, const ColliderSpec& collider, double part) {
  return {region.body->place,
          fmt::format("{}: {:.0f} % of it is inside collider.{}; move one of them",
                      region.body->path(), 100 * part, collider.name)};
}

/// Everything that bodies are compared with.
struct OverlapSearch {
  const Scene* scene;
  const std::vector<BodyRegion>* regions;
  std::vector<Obstacle> colliders;
  BoxTree bodies_tree, colliders_tree;
  std::size_t samples;
};

OverlapSearch search_of(const Scene& scene, const std::vector<BodyRegion>& regions,
                        ShapeFiles& files) {
  OverlapSearch s{&scene, &regions, {}, {}, {}, samples_of_one(regions.size())};
  std::vector<Bounds> of_bodies, of_colliders;
  for (const BodyRegion& region : regions)
    of_bodies.push_back(region.shape.nodes.empty() ? Bounds{} : region.bounds);
  for (const ColliderSpec& collider : scene.colliders) {
    const bool moves = collider.shape.type == "mesh_sequence";
    Obstacle obstacle;
    if (!moves)
      obstacle = {make_shape(collider.shape, files), pose_at(collider.motion, 0).transform};
    of_colliders.push_back(moves ? Bounds{}
                                 : bounds_of(transformed(obstacle.shape, obstacle.pose)));
    s.colliders.push_back(std::move(obstacle));
  }
  s.bodies_tree = make_box_tree(std::move(of_bodies));
  s.colliders_tree = make_box_tree(std::move(of_colliders));
  return s;
}

bool contains(const Bounds& box, const Bounds& other) {
  return box.contains(other.min) && box.contains(other.max);
}

void compare_with_bodies(const OverlapSearch& s, Index a, Samples& samples, BodyFindings& found) {
  const BodyRegion& region = (*s.regions)[a];
  for (const Index b : boxes_meeting(s.bodies_tree, region.bounds)) {
    const BodyRegion& other = (*s.regions)[b];
    if (a == b || !may_overlap(region, other.shape, region.bounds.centre())) continue;
    ++found.pairs;
    const double part =
        samples.part(s.samples, [&](const Vec3& p) { return inside(other.shape, p); });
    if (part <= tolerated_overlap) continue;
    found.body = within_body(region, other, a < b, part);
    return;
  }
}

void compare_with_domain(const OverlapSearch& s, Index a, Samples& samples, BodyFindings& found) {
  const BodyRegion& region = (*s.regions)[a];
  const Bounds domain{cast<Real>(s.scene->world.domain_min), cast<Real>(s.scene->world.domain_max)};
  if (!s.scene->world.has_domain || contains(domain, region.bounds)) return;
  if (region.shape.nodes.empty()) return;  // build() reports the exact point
  const double part = samples.part(s.samples, [&](const Vec3& p) { return !domain.contains(p); });
  if (part > tolerated_overlap) found.domain = beyond_domain(region, *s.scene, part);
}

void compare_with_colliders(const OverlapSearch& s, Index a, Samples& samples,
                            BodyFindings& found) {
  const BodyRegion& region = (*s.regions)[a];
  for (const Index c : boxes_meeting(s.colliders_tree, region.bounds)) {
    const Obstacle& obstacle = s.colliders[c];
    const Vec3 centre = apply_inverse(obstacle.pose, region.bounds.centre());
    if (!may_overlap(region, obstacle.shape, centre)) continue;
    ++found.pairs;
    const double part = samples.part(s.samples, [&](const Vec3& p) { return inside(obstacle, p); });
    if (part <= tolerated_overlap) continue;
    found.collider = within_collider(region, s.scene->colliders[c], part);
    return;
  }
}

}  // namespace

BodyRegion region_of_shape(const BodySpec& body, const Shape& shape) {
  return {&body, shape, bounds_of(shape), {}};
}

BodyRegion region_of_points(const BodySpec& body, const std::vector<Vec3>& points,
                            std::size_t bodies) {
  BodyRegion region{&body, {}, {}, {}};
  for (const Vec3& p : points) region.bounds.include(p);
  const std::size_t stride = points.size() / samples_of_one(bodies) + 1;
  for (std::size_t i = 0; i < points.size(); i += stride) region.points.push_back(points[i]);
  return region;
}

OverlapReport find_overlaps(const Scene& scene, const std::vector<BodyRegion>& regions,
                            ShapeFiles& files) {
  const OverlapSearch s = search_of(scene, regions, files);
  std::vector<BodyFindings> found(regions.size());
  for_each_coarse(Exec{}, "scene.find_overlaps", static_cast<Index>(regions.size()), [&](Index a) {
    Samples samples{&regions[a], scene.dimensions == 2};
    compare_with_bodies(s, a, samples, found[a]);
    compare_with_domain(s, a, samples, found[a]);
    compare_with_colliders(s, a, samples, found[a]);
  });
  OverlapReport report;
  for (const auto kind : {&BodyFindings::body, &BodyFindings::domain, &BodyFindings::collider})
    for (const BodyFindings& f : found)
      if (f.*kind) report.errors.emplace_back((f.*kind)->place, (f.*kind)->message);
  for (const BodyFindings& f : found) report.pairs += f.pairs;
  return report;
}

}  // namespace phyxel
