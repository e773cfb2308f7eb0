#pragma once

#include "phyxel/matter/force_fields/force_field_view.h"
#include "phyxel/methods/pbd/step_view.h"
#include "phyxel/methods/skeleton/field_stage.h"

// Air on the triangles of sheets: drag and lift of flat plates in the velocity of wind fields.

namespace phyxel::pbd {

/// What air does to triangles of a material.
struct AirLaw {
  Real drag = 0, lift = 0;  // coefficients
  Real density = 0;         // kg/m^3, of the air
};

/// Force over area of a flat plate with the unit normal n in air that moves by u against it, Pa.
/// Drag acts along u on the area that air sees, lift at right angles to u, most at 45 degrees.
PHYXEL_FN Vec3 plate_stress(const AirLaw& law, const Vec3& u, const Vec3& n) {
  const Real speed = length(u);
  if (!(speed > 0)) return Vec3::zero();
  const Vec3 along = u / speed;
  const Real turned = dot(along, n), cosine = abs(turned);
  const Vec3 facing = turned < 0 ? -n : n;
  const Real pressure = law.density / 2 * speed * speed * cosine;
  return along * (law.drag * pressure) + (facing - along * cosine) * (law.lift * pressure);
}

inline namespace PHYXEL_BACKEND {

/// Triangles of sheets for kernels.
struct AirView {
  const Int3* triangle = nullptr;  // particles
  Index triangles = 0;
  const Index* start = nullptr;  // of each particle's triangles in `entry`; n + 1
  const Index* entry = nullptr;
  const AirLaw* law = nullptr;  // by material
  Vec3* push = nullptr;         // N s, of each triangle on each of its corners
};

/// Velocities after dt in the air of all wind fields; what pins hold is counted as their reaction.
FieldPass push_triangles(const Exec& exec, const StepView& view, const ForceFieldViews& fields,
                         const AirView& air, Real dt);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
