#pragma once

#include <optional>

#include "phyxel/render/ray_scene.h"

namespace phyxel::render {

/// The ground of a scene, ready for rays.
struct GroundPlane {
  const Ground* ground = nullptr;
  PictureUnits units;
  Vec3f point, normal;  // picture units
};

GroundPlane make_ground_plane(const Ground& ground, const PictureUnits& units);

/// How far along the ray it is; nothing where the ray does not meet it from above.
std::optional<float> meet(const GroundPlane& plane, const Ray& ray);

Surface surface_of(const GroundPlane& plane, const Ray& ray, float distance);

}  // namespace phyxel::render
