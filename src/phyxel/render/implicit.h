#pragma once

#include <optional>

#include "phyxel/render/ray_scene.h"
#include "phyxel/render/shape_grid.h"

namespace phyxel::render {

/// A part of a ray, in picture units.
struct Interval {
  Real first, last;
};
/// The part of `t` that lies within a box. `step`: m per picture unit.
Interval cut(const Bounds& box, const Vec3& origin, const Vec3& step, Interval t);

/// A solid given by its signed distance, ready for rays in picture units.
struct Implicit {
  const ShapeObject* object = nullptr;
  PictureUnits units;
  Bounds clip;     // box of the shape in its own frame; unbounded solids are cut near the camera
  ShapeGrid grid;  // of costly shapes
};

Implicit make_implicit(const ShapeObject& object, const PictureUnits& units);

/// Box of the solid in picture units.
BoundsOf<float> picture_bounds(const Implicit& solid);

struct ImplicitHit {
  float distance;
  Vec3f normal;
};

/// First entry of the ray into the solid, by sphere tracing (Hart 1996). A ray that starts inside
/// first leaves the solid unseen.
std::optional<ImplicitHit> intersect(const Implicit& solid, const Ray& ray);

}  // namespace phyxel::render
