#pragma once

#include "phyxel/matter/force_fields/force_field_law.h"

namespace phyxel {

/// Pushes matter around an axis: strength r / radius within the radius, strength
/// (radius / r)^falloff outside of it (for falloff 1 the shape of Rankine's vortex).
struct VortexParameters {
  Vec3d point = Vec3d::zero();  // m, on the axis
  Vec3 axis = {0, 0, 1};
  Real strength = 10;  // m/s^2, at the radius
  Real radius = 1;     // m
  Real falloff = 1;
};

template <class Fields>
void describe(Fields& field, VortexParameters& p) {
  field("point", p.point, "m", any_number, "on the axis");
  field("axis", p.axis, "", any_number, "direction of the axis; its length does not matter");
  field("strength", p.strength, "m/s^2", any_number,
        "acceleration around the axis at the radius; counter-clockwise where it is positive and "
        "the axis points at the reader")
      .changeable = true;
  field("radius", p.radius, "m", positive,
        "of the core, in which the acceleration is proportional to the distance from the axis")
      .changeable = true;
  field("falloff", p.falloff, "", {0, 6, true, true, ""},
        "power of the distance that divides the acceleration outside of the core")
      .changeable = true;
}

PHYXEL_FN FieldEffect effect_of(const VortexParameters& p, const FieldPoint& at) {
  const Vec3 axis = normalized(p.axis), from = at.x - cast<Real>(p.point);
  const Vec3 around = cross(axis, from);  // as long as the distance from the axis
  const Real r = length(around);
  FieldEffect e;
  const Real over_r = r < p.radius ? 1 / p.radius : std::pow(p.radius / r, p.falloff) / r;
  e.acceleration = around * (p.strength * over_r);
  e.squared_frequency = abs(p.strength) * over_r * max(p.falloff, Real(1));
  return e;
}

}  // namespace phyxel
