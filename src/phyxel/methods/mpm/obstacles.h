#pragma once

#include "phyxel/methods/mpm/chunk.h"

// What particles do beside colliders and under pins, one after the other: few of them are there.

namespace phyxel::mpm {

/// m, of a place in cells of a block.
inline Vec3 world_place(const Int3& block, const Real* local, Real dx) {
  Vec3 x;
  for (int k = 0; k < 3; ++k)
    x[k] = static_cast<Real>((double(block[k]) * block_edge + double(local[k])) * double(dx));
  return x;
}

/// Whether particles of the block may touch the collider in this step. They are at most three cells
/// from the middle of their tile along each axis, and cross less than one.
inline bool may_touch(const ColliderView& collider, const Int3& block, Real dx) {
  const Real middle[3] = {Real(1.5), Real(1.5), Real(1.5)};
  return contact_at(collider, world_place(block, middle, dx)).distance < Real(4 * 1.7321) * dx;
}

/// A particle that would enter takes the velocity it may have there (Stomakhin et al. 2013, section
/// 8); one that is inside already is carried out. Returns how fast, m/s.
inline Vec3 push_beside(const ColliderView& collider, const Vec3& x, Real dt, Real dx, Vec3& v) {
  const Contact contact = contact_at(collider, x + v * dt);
  if (contact.distance >= 0) return Vec3::zero();
  v = velocity_on(v, contact, collider.contact, collider.friction);
  const Real left = contact_at(collider, x + v * dt).distance;
  return contact.normal * (std::clamp(-left, Real(0), largest_push * dx) / dt);
}

/// Corrects gathered velocities and sets paths where a chunk meets colliders or pins. False: it
/// meets none, and particles go where their velocities lead.
inline bool meet_obstacles(const Surroundings& around, const StepNumbers& in, const Int3& block,
                           const Chunk& chunk, const Row16* rows, const Index* particle,
                           const Index* pin, Buffers& b) {
  b.near.clear();
  for (const ColliderView& collider : around.colliders)
    if (may_touch(collider, block, in.dx)) b.near.push_back(&collider);
  if (b.near.empty() && around.pins.empty()) return false;
  for (Index k = 0; k < chunk.count; ++k) {
    const Real* const local = rows[b.at[k]].c;
    const Vec3 x = world_place(block, local, in.dx);
    Vec3 v{b.gathered[0][k], b.gathered[1][k], b.gathered[2][k]}, push = Vec3::zero();
    const Index held = around.pins.empty() ? -1 : pin[particle[b.at[k]]];
    if (held >= 0 && around.pins[held].active) {
      v = (apply(around.pins[held].moved, x) - x) * (1 / in.dt);
    } else {
      for (const ColliderView* collider : b.near)
        push += push_beside(*collider, x, in.dt, in.dx, v);
    }
    if (around.flat) v[2] = push[2] = 0;
    for (int a = 0; a < 3; ++a) b.gathered[a][k] = v[a], b.path[a][k] = v[a] + push[a];
  }
  for (Index k = chunk.count; k < chunk.count + 16; ++k)
    for (int a = 0; a < 3; ++a) {
      b.path[a][k] = b.path[a][chunk.count - 1];
      b.gathered[a][k] = b.gathered[a][chunk.count - 1];
    }
  return true;
}

}  // namespace phyxel::mpm
