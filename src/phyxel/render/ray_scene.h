#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "phyxel/render/scene.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace phyxel::render {

/// World to picture units: the camera's target is the origin and the camera at distance one, so
/// that float and one set of tolerances serve any scene.
struct PictureUnits {
  Vec3 origin = Vec3::zero();  // m
  Real scale = 1;              // picture units per m
};
PictureUnits picture_units(const Camera& camera);
inline Vec3f to_picture(const PictureUnits& units, const Vec3& x) {
  return cast<float>((x - units.origin) * units.scale);
}
inline Vec3 to_scene(const PictureUnits& units, const Vec3f& x) {
  return cast<Real>(x) * (1 / units.scale) + units.origin;
}

/// Where a ray starts: what it can meet of a closed surface of discs.
enum class RayStart { outside, inside, anywhere };

struct Ray {
  Vec3f origin;
  Vec3f direction;  // unit
  float near = 0;
  float far = std::numeric_limits<float>::infinity();
  RayStart start = RayStart::outside;
};

/// How far off a surface rays start that leave it, in picture units: enough for rounding, less than
/// can be seen. Sphere tracing needs many steps to get away from a solid and starts farther off.
inline constexpr float surface_offset = 4e-5f;
inline constexpr float solid_offset = 1.6e-4f;

/// Where a ray ends; picture units.
struct Surface {
  float distance;
  Vec3f point;
  Vec3f normal;  // unit, towards the side the ray came from
  Colour albedo;
  Finish finish;  // lengths in picture units
  bool is_ground = false;
  bool inside = false;            // the ray came from within the body
  float offset = surface_offset;  // rays that leave start this far off, along the normal
};

/// The scene prepared for ray tracing. Refers to `scene`, which must outlive it.
class RayScene {
 public:
  RayScene(const PictureScene& scene, const PictureUnits& units);
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  std::optional<Surface> intersect(const Ray& ray) const;
  bool occluded(const Ray& ray) const;
  /// What is left of light along the ray: clear bodies take a part of it, all others everything.
  Colour transmitted(Ray ray) const;

 private:
  bool has_clear() const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phyxel::render
