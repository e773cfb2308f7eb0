#pragma once

#include <optional>

#include "phyxel/render/implicit.h"

namespace phyxel::render {

/// The surface of a field, cut into small boxes that it may pass through: what rays search.
struct FieldBoxes {
  const FieldObject* object = nullptr;
  PictureUnits units;
  Real edge = 0;            // of a box, m
  std::vector<Vec3> boxes;  // lower corners, m
};

FieldBoxes make_field_boxes(const FieldObject& object, const PictureUnits& units);

BoundsOf<float> picture_bounds(const FieldBoxes& field, std::size_t box);

/// First place in the box where the ray passes through the surface, from either side. The normal
/// points out of the body.
std::optional<ImplicitHit> intersect(const FieldBoxes& field, std::size_t box, const Ray& ray);

/// Mean colour of the points around a place of the picture.
Colour colour_at(const FieldBoxes& field, const Vec3f& point);

}  // namespace phyxel::render
