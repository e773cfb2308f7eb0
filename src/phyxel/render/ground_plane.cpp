#include "phyxel/render/ground_plane.h"

#include <algorithm>
#include <cmath>

namespace phyxel::render {
namespace {

/// 1 on the grid's lines, 0 between; lines keep their share of the spacing at any distance.
float grid_ink(const Ground& ground, const Vec3f& point, const PictureUnits& units) {
  if (!(ground.grid_spacing > 0)) return 0;
  const Vec3 p = to_scene(units, point);
  float ink = 0;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(ground.normal[k]) > Real(0.7)) continue;
    const Real cell = p[k] / ground.grid_spacing;
    const float off = static_cast<float>(std::abs(cell - std::round(cell)));
    ink = std::max(ink, std::clamp((0.016f - off) / 0.006f, 0.0f, 1.0f));
  }
  return ink;
}

}  // namespace

GroundPlane make_ground_plane(const Ground& ground, const PictureUnits& units) {
  return {&ground, units, to_picture(units, ground.point), normalized(cast<float>(ground.normal))};
}

std::optional<float> meet(const GroundPlane& plane, const Ray& ray) {
  const float slope = dot(ray.direction, plane.normal);
  if (!plane.ground->visible || slope > -1e-6f) return std::nullopt;
  const float distance = dot(plane.point - ray.origin, plane.normal) / slope;
  if (!(distance > ray.near && distance < ray.far)) return std::nullopt;
  return distance;
}

Surface surface_of(const GroundPlane& plane, const Ray& ray, float distance) {
  const Vec3f point = ray.origin + ray.direction * distance;
  Surface s{distance, point, plane.normal, {}, {0.6f, 0.5f}, true};
  const float ink = grid_ink(*plane.ground, s.point, plane.units) * plane.ground->grid_strength;
  s.albedo = plane.ground->colour * (1 - ink);
  return s;
}

}  // namespace phyxel::render
