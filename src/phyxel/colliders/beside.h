#pragma once

#include "phyxel/colliders/collider_tree.h"
#include "phyxel/colliders/sweep.h"

// Contact of particles that keep a gap from colliders: for methods whose solids rest on them.

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// The contact in the plane of a flat scene: an inclined surface acts along the plane only.
template <int Dim>
PHYXEL_FN Contact in_plane(Contact contact) {
  if (Dim == 2) {
    contact.normal[2] = contact.velocity[2] = 0;
    contact.normal = normalized(contact.normal);
  }
  return contact;
}
template <int Dim>
PHYXEL_FN Contact contact_in(const ColliderView& collider, const Vec3& x) {
  return in_plane<Dim>(contact_at(collider, x));
}

PHYXEL_FN Vec3 velocity_beside(const ColliderView& collider, const Contact& contact,
                               const Vec3& v) {
  return collider.contact == ContactKind::separate
             ? contact_response(v, contact, collider.friction, collider.restitution)
             : velocity_on(v, contact, collider.contact, collider.friction);
}

/// Where nothing counts what colliders do to a particle.
struct CountsNothing {
  PHYXEL_FN void operator()(Index, const Vec3&, const Contact&, const Vec3&, const Vec3&) const {}
};

/// A particle that would come nearer than the gap takes the velocity that contact allows, and is
/// put at the gap: one that stopped short would fall again, and never come to rest. A particle that
/// is nearer already stays there, as pushing it out would do work on the body; none gets inside.
/// count(collider, x, contact, v before, v after) is told of each that changes the velocity.
template <int Dim, class Count = CountsNothing>
PHYXEL_FN Vec3 beside_colliders(const ColliderViews& colliders, const Vec3& from, Real gap, Real dt,
                                Vec3& v, const Count& count = {}) {
  Vec3 x = from + v * dt;
  const auto answer = [&](const ColliderView& collider) {
    return in_plane<Dim>(contact_on_path(collider, from, x, dt, gap / 16));
  };
  // A path that has been bent may lead to colliders that were not near it.
  const auto next = [&](Index k) { return colliders_near_path(colliders, from, x, gap).next(k); };
  for (Index k = next(0); k < colliders.count; k = next(k + 1)) {
    const ColliderView& collider = colliders.data[k];
    Contact contact = answer(collider);
    if (contact.distance >= gap) continue;
    const Vec3 after = velocity_beside(collider, contact, v);
    count(k, from, contact, v, after);
    x += (after - v) * dt;
    v = after;
    contact = answer(collider);
    x -= contact.normal * (contact.distance - clamp(contact.distance, Real(0), gap));
  }
  return x;
}

/// Velocity of a particle that touches colliders, after forces have changed it: none at rest. There
/// is no restitution here: only particles that arrive bounce, not those that are pressed on.
/// `count` as of beside_colliders.
template <int Dim, class Count = CountsNothing>
PHYXEL_FN Vec3 held_by_colliders(const ColliderViews& colliders, const Vec3& x, Real gap, Vec3 v,
                                 const Count& count = {}) {
  // A hundredth more than the gap: a particle that hovers there must not start to fall again.
  const Real reach = gap * Real(1.01);
  for (const ColliderView& collider : colliders_near(colliders, x, reach))
    if (const Contact contact = contact_in<Dim>(collider, x); contact.distance < reach) {
      const Vec3 before = v;
      v = velocity_on(v, contact, collider.contact, collider.friction);
      count(static_cast<Index>(&collider - colliders.data), x, contact, before, v);
    }
  return v;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
