#pragma once

#include "phyxel/colliders/sweep.h"
#include "phyxel/grid/blocks.h"

// Contact of a particle with a collider in a step.

namespace phyxel::mpm {

using namespace grid;

/// Particles that have got into a collider come out by at most this part of a cell a step.
constexpr Real largest_push = Real(0.25);

inline namespace PHYXEL_BACKEND {

/// A thin collider is not passed along a path that comes nearer to its surface than this part of a
/// cell.
constexpr Real least_sweep = Real(0.02);

/// A particle that would enter takes the velocity it may have there (Stomakhin et al. 2013, section
/// 8); one that is inside already is carried out. Returns how fast, m/s. `met`: it did either.
/// count(contact, v before, v after) is told of a contact.
template <class Count>
PHYXEL_FN Vec3 push_beside(const ColliderView& collider, const Vec3& x, Real dt, Real dx, Vec3& v,
                           bool& met, const Count& count) {
  const Real least = least_sweep * dx;
  const Contact contact = contact_on_path(collider, x, x + v * dt, dt, least);
  if (contact.distance >= 0) return Vec3::zero();
  met = true;
  const Vec3 before = v;
  v = velocity_on(v, contact, collider.contact, collider.friction);
  count(contact, before, v);
  const Real left = contact_on_path(collider, x, x + v * dt, dt, least).distance;
  return contact.normal * (clamp(-left, Real(0), largest_push * dx) / dt);
}

/// A path cut where it enters the collider, m/s: the response to one surface may lead into another.
PHYXEL_FN Vec3 path_beside(const ColliderView& collider, const Vec3& x, Real dt, Real dx,
                           const Vec3& path) {
  if (collider.sweep == Sweep::none) return path;
  const Vec3 to = x + path * dt, end = stopped_by(collider, x, to, dt, least_sweep * dx);
  return end == to ? path : (end - x) / dt;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
