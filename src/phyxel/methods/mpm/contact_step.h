#pragma once

#include "phyxel/colliders/collider_view.h"
#include "phyxel/methods/mpm/blocks.h"

// What a particle does beside a collider, in a step.

namespace phyxel::mpm {

/// Particles that have got into a collider come out by at most this part of a cell a step.
constexpr Real largest_push = Real(0.25);

/// m, of a place in cells of a block.
PHYXEL_FN Vec3 world_place(const Int3& block, const Real* local, Real dx) {
  Vec3 x;
  for (int k = 0; k < 3; ++k)
    x[k] = static_cast<Real>((double(block[k]) * block_edge + double(local[k])) * double(dx));
  return x;
}

inline namespace PHYXEL_BACKEND {

/// A particle that would enter takes the velocity it may have there (Stomakhin et al. 2013, section
/// 8); one that is inside already is carried out. Returns how fast, m/s.
PHYXEL_FN Vec3 push_beside(const ColliderView& collider, const Vec3& x, Real dt, Real dx, Vec3& v) {
  const Contact contact = contact_at(collider, x + v * dt);
  if (contact.distance >= 0) return Vec3::zero();
  v = velocity_on(v, contact, collider.contact, collider.friction);
  const Real left = contact_at(collider, x + v * dt).distance;
  return contact.normal * (clamp(-left, Real(0), largest_push * dx) / dt);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
