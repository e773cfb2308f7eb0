#pragma once

#include <cstring>

#include "phyxel/geometry/shape_view.h"
#include "phyxel/matter/force_fields/attractor.h"
#include "phyxel/matter/force_fields/drag.h"
#include "phyxel/matter/force_fields/vortex.h"
#include "phyxel/matter/force_fields/wind.h"

// Force fields for kernels, and the one function that changes velocities by them. The velocity of
// a field and its rate are solved exactly while the rest is constant, so that no rate, however
// large, makes a step unstable.

namespace phyxel {

/// How kernels find the law of a field. `other`: a law of a program's own, for the CPU.
enum class ForceFieldKind : std::int32_t { wind, drag, attractor, vortex, other };

struct ForceFieldView {
  static constexpr std::size_t room = 192 * sizeof(Real) + 64;  // bytes of the numbers of a law

  alignas(16) std::byte law[room] = {};
  FieldEffect (*other)(const void* law, const FieldPoint& at) = nullptr;
  ForceFieldKind kind = ForceFieldKind::other;
  Index first_node = 0, nodes = 0;  // of its region; none: it is everywhere
  Real edge = 0;                    // m, within the region, over which it grows to its strength

  template <class Law>
  PHYXEL_FN const Law& as() const {
    return *reinterpret_cast<const Law*>(law);
  }
};

/// Non-owning view of all fields that are active.
struct ForceFieldViews {
  const ForceFieldView* data = nullptr;
  Index count = 0;
  const Shape::Node* nodes = nullptr;  // of all regions
  const std::uint8_t* acts = nullptr;  // `materials` numbers for each field: 1 where it acts
  Index materials = 0;
  Real time = 0;  // s
};

inline namespace PHYXEL_BACKEND {

PHYXEL_FN FieldEffect effect_of(const ForceFieldView& field, const FieldPoint& at) {
  switch (field.kind) {
    case ForceFieldKind::wind:
      return effect_of(field.as<Wind>(), at);
    case ForceFieldKind::drag:
      return effect_of(field.as<DragParameters>(), at);
    case ForceFieldKind::attractor:
      return effect_of(field.as<AttractorParameters>(), at);
    case ForceFieldKind::vortex:
      return effect_of(field.as<VortexParameters>(), at);
    default:
#ifdef __CUDA_ARCH__
      return {};  // refused before it comes here
#else
      return field.other(field.law, at);
#endif
  }
}

/// How much of a field there is at x: 1 deep inside its region, 0 outside, smooth between.
PHYXEL_FN Real share_at(const ForceFieldViews& fields, const ForceFieldView& field, const Vec3& x) {
  if (field.nodes == 0) return 1;
  ShapeView region;
  region.nodes = fields.nodes + field.first_node;
  region.node_count = static_cast<std::size_t>(field.nodes);
  const Real depth = -signed_distance(region, x).distance;
  if (depth <= 0) return 0;
  if (depth >= field.edge) return 1;
  const Real s = depth / field.edge;
  return s * s * (3 - 2 * s);
}

/// What all fields do to matter of a material at x with the velocity v, together.
struct FieldSum {
  Vec3 gain = Vec3::zero();    // m/s^2, of all but -rate v
  Real rate = 0;               // 1/s
  Real squared_frequency = 0;  // 1/s^2
};

/// `dt`: s, of the step: a quadratic drag alone is exact over it.
PHYXEL_FN FieldSum sum_fields(const ForceFieldViews& fields, Index material, const Vec3& x,
                              const Vec3& v, Real dt) {
  FieldSum sum;
  for (Index k = 0; k < fields.count; ++k) {
    if (!fields.acts[k * fields.materials + material]) continue;
    const ForceFieldView& field = fields.data[k];
    const Real share = share_at(fields, field, x);
    if (!(share > 0)) continue;
    const FieldEffect e = effect_of(field, {x, fields.time});
    Real rate = e.rate * share;
    if (e.quadratic > 0) {
      // w' = -q |w| w has the solution w / (1 + q |w| t).
      const Real growth = e.quadratic * share * length(v - e.velocity);
      rate += growth * dt > Real(1e-4) ? std::log1p(growth * dt) / dt : growth;
    }
    sum.gain += e.acceleration * share + e.velocity * rate;
    sum.rate += rate;
    sum.squared_frequency += e.squared_frequency * share;
  }
  return sum;
}

/// The velocity after dt of v' = gain - rate v.
PHYXEL_FN Vec3 velocity_after(const FieldSum& sum, const Vec3& v, Real dt) {
  const Real turns = sum.rate * dt;
  if (!(turns > 0)) return v + sum.gain * dt;
  const Real lost = -std::expm1(-turns);
  return v + (sum.gain / sum.rate - v) * lost;
}

/// v after dt in all fields. Nothing leaves the plane of a flat scene.
PHYXEL_FN_APART Vec3 pushed_by_fields(const ForceFieldViews& fields, Index material, const Vec3& x,
                                      const Vec3& v, bool flat, Real dt) {
  Vec3 after = velocity_after(sum_fields(fields, material, x, v, dt), v, dt);
  if (flat) after[2] = v[2];
  return after;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
