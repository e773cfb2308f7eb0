#pragma once

#include "phyxel/colliders/collider_view.h"

// How particles with a size move beside colliders: for methods whose solids rest on them.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// A surface that leans over the plane of a flat scene acts along the plane only.
template <int Dim>
PHYXEL_FN Contact contact_in(const ColliderView& collider, const Vec3& x) {
  Contact contact = contact_at(collider, x);
  if (Dim == 2) {
    contact.normal[2] = contact.velocity[2] = 0;
    contact.normal = normalized(contact.normal);
  }
  return contact;
}

PHYXEL_FN Vec3 velocity_beside(const ColliderView& collider, const Contact& contact,
                               const Vec3& v) {
  return collider.contact == ContactKind::separate
             ? contact_response(v, contact, collider.friction, collider.restitution)
             : velocity_on(v, contact, collider.contact, collider.friction);
}

/// A particle that would come nearer than the gap takes the velocity it may have there, and is put
/// at the gap: one that stopped short would fall again, and never come to rest. Who is nearer
/// already stays so, because to push it out would do work on the body; nobody gets inside.
template <int Dim>
PHYXEL_FN Vec3 beside_colliders(const ColliderViews& colliders, const Vec3& from, Real gap, Real dt,
                                Vec3& v) {
  Vec3 x = from + v * dt;
  for (const ColliderView& collider : colliders) {
    Contact contact = contact_in<Dim>(collider, x);
    if (contact.distance >= gap) continue;
    const Vec3 after = velocity_beside(collider, contact, v);
    x += (after - v) * dt;
    v = after;
    contact = contact_in<Dim>(collider, x);
    x -= contact.normal * (contact.distance - clamp(contact.distance, Real(0), gap));
  }
  return x;
}

/// What colliders leave of the velocity that forces have given to a particle that touches them: at
/// rest nothing. Restitution is for those that arrive: who is pressed does not bounce.
template <int Dim>
PHYXEL_FN Vec3 held_by_colliders(const ColliderViews& colliders, const Vec3& x, Real gap, Vec3 v) {
  // A hundredth more than the gap: who hovers that near must not start to fall again.
  for (const ColliderView& collider : colliders)
    if (const Contact contact = contact_in<Dim>(collider, x); contact.distance < gap * Real(1.01))
      v = velocity_on(v, contact, collider.contact, collider.friction);
  return v;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
