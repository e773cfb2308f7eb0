#pragma once

#include "phyxel/colliders/beside.h"
#include "phyxel/core/quad.h"
#include "phyxel/methods/mls/step_view.h"

// How colliders and pins hold phyxels during an implicit step: a velocity that the solve leaves as
// it is, along the normal or in all directions. The first three numbers of a hold are the normal.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

constexpr Real hold_none = 0, hold_normal = 1, hold_all = 2;

PHYXEL_FN Vec3 normal_of(const Quad& hold) {
  return {hold.c[0], hold.c[1], hold.c[2]};
}

/// The part of a change of velocity that a hold allows.
PHYXEL_FN Vec3 allowed(const Quad& hold, const Vec3& v) {
  if (hold.c[3] == hold_none) return v;
  if (hold.c[3] == hold_all) return Vec3::zero();
  const Vec3 n = normal_of(hold);
  return v - n * dot(n, v);
}

/// What is known of a phyxel where a step begins.
struct HoldState {
  Vec3 x, v;     // at the start; the velocity at the end, as far as known
  Vec3 impulse;  // N s, that has to come from outside to make it so
  Quad hold;
  Index holder;
  Vec3 rub;
};

/// A phyxel that would come nearer than its radius is held at it; one that the collider would have
/// to pull is let go. It sticks where friction is strong enough, or slides under friction. A phyxel
/// that is inside comes out by a tenth of its radius a step.
PHYXEL_FN void hold_at_colliders(const StepView& s, Index i, Real dt, HoldState& state) {
  const Real radius = s.radius_of(i);
  const Quad before = state.hold;
  const Index holder = state.holder;
  state.hold = {{0, 0, 0, hold_none}};
  state.holder = -1;
  state.rub = Vec3::zero();
  const Real path = length(state.v) * dt;
  for (const ColliderView& collider : colliders_near(s.colliders, state.x, radius + path)) {
    const Index k = static_cast<Index>(&collider - s.colliders.data);
    const Contact contact =
        s.flat ? contact_in<2>(collider, state.x) : contact_in<3>(collider, state.x);
    const Vec3 n = contact.normal, relative = state.v - contact.velocity;
    const Real gap = max(contact.distance - radius, Real(-0.1) * radius);
    const Real approach = dot(n, relative) * dt + gap, pressed = dot(n, state.impulse);
    const bool was = holder == k && before.c[3] != hold_none;
    if (was ? !(pressed > 0) && !(approach < 0) : !(approach < 0)) continue;
    const Vec3 along = relative - n * dot(n, relative);
    const Vec3 sideways = state.impulse - n * pressed;
    const Real most = collider.friction * max(pressed, Real(0));
    const bool sticks = collider.friction > 0 && (!was || length(sideways) <= most);
    const bool second = state.hold.c[3] != hold_none;
    state.hold = {{n[0], n[1], n[2], sticks || second ? hold_all : hold_normal}};
    state.holder = k;
    state.v = contact.velocity - n * (gap / dt);
    if (!sticks && !second) {
      state.v += along;
      state.rub = normalized(along) * -most;
    }
  }
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
