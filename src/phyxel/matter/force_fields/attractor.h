#pragma once

#include "phyxel/matter/force_fields/force_field_law.h"

namespace phyxel {

/// Pulls towards a point: strength (radius / r)^falloff, with r softened to sqrt(r^2 + softening^2)
/// (Plummer 1911 for falloff 2).
struct AttractorParameters {
  Vec3d point = Vec3d::zero();  // m
  Real strength = 10;           // m/s^2, at the distance `radius`; negative: repels
  Real radius = 1;              // m
  Real falloff = 2;
  Real softening = 0;      // m
  Real limit = not_given;  // m/s^2
};

template <class Fields>
void describe(Fields& field, AttractorParameters& p) {
  field("point", p.point, "m", any_number, "that matter is pulled to");
  field("strength", p.strength, "m/s^2", any_number,
        "acceleration at the distance `radius`; where it is negative, matter is pushed away")
      .changeable = true;
  field("radius", p.radius, "m", positive, "distance at which the acceleration is `strength`")
      .changeable = true;
  field("falloff", p.falloff, "", {-1, 6, true, true, "gravity of a mass has 2, a spring -1"},
        "power of the distance that divides the acceleration")
      .changeable = true;
  field("softening", p.softening, "m", not_negative,
        "distances count as sqrt(r^2 + softening^2), so that nothing is infinite at the point")
      .changeable = true;
  field("limit", p.limit, "m/s^2", positive, "of the acceleration; none when absent").changeable =
      true;
}

PHYXEL_FN FieldEffect effect_of(const AttractorParameters& p, const FieldPoint& at) {
  const Vec3 away = at.x - cast<Real>(p.point);
  const Real r = std::sqrt(length_squared(away) + p.softening * p.softening);
  FieldEffect e;
  if (!(r > 0)) return e;
  const Real pull = p.strength * std::pow(p.radius / r, p.falloff) / r;  // over the distance
  const Real size = abs(pull) * length(away);
  const Real kept = size > p.limit ? p.limit / size : Real(1);  // a limit that is not given is none
  e.acceleration = away * (-pull * kept);
  e.squared_frequency = abs(pull) * kept * max(abs(p.falloff), Real(1));
  return e;
}

/// Whether it is the slope of potential_of.
inline bool has_potential(const AttractorParameters& p) {
  return !is_given(p.limit);
}
/// Potential energy over mass, J/kg; 0 at an infinite distance where that is finite.
inline double potential_of(const AttractorParameters& p, const Vec3& x) {
  const double r = std::sqrt(double(length_squared(x - cast<Real>(p.point))) +
                             double(p.softening) * double(p.softening));
  const double n = p.falloff, r0 = p.radius, scale = double(p.strength) * r0;
  if (std::abs(n - 1) < 1e-6) return scale * std::log(r / r0);
  return -scale / (n - 1) * std::pow(r / r0, 1 - n);
}

}  // namespace phyxel
