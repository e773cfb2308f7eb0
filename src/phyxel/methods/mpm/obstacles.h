#pragma once

#include "phyxel/methods/mpm/chunk.h"
#include "phyxel/methods/mpm/contact_step.h"

// Particles that meet colliders or have pins, one after the other: they are few.

namespace phyxel::mpm {

/// A tile has eight parts, low or high along each axis; particles are at most one and a half cells
/// from the middle of theirs, and cross less than one in a step.
constexpr Real part_reach = Real(2.5 * 1.7321);

inline int part_of(const Real* local) {
  return (local[0] > Real(1.5) ? 4 : 0) + (local[1] > Real(1.5) ? 2 : 0) +
         (local[2] > Real(1.5) ? 1 : 0);
}

/// How far a collider has moved in the step near x, m.
inline Real way_of(const ColliderView& collider, const Contact& contact, const Vec3& x, Real dt) {
  return max(length(apply(collider.moved, x) - x), length(contact.velocity) * dt);
}

/// Bit p tells whether particles of part p may touch the collider in this step.
inline unsigned parts_that_touch(const ColliderView& collider, const Int3& block, Real dt,
                                 Real dx) {
  // Less the distance that the collider has moved: it may have passed the particles.
  const auto gap = [&](const Real(&local)[3]) {
    const Vec3 x = world_place(block, local, dx);
    const Contact contact = contact_at(collider, x);
    return contact.distance - way_of(collider, contact, x, dt);
  };
  if (gap({Real(1.5), Real(1.5), Real(1.5)}) > part_reach * dx * Real(1.65)) return 0;
  unsigned parts = 0;
  for (int p = 0; p < 8; ++p)
    if (gap({p & 4 ? Real(3) : Real(0), p & 2 ? Real(3) : Real(0), p & 1 ? Real(3) : Real(0)}) <
        part_reach * dx)
      parts |= 1u << p;
  return parts;
}

/// Keeps the velocity gradient that of the grid when the particle's velocity changes: the moments
/// are about a node, and gradient_of subtracts the new velocity from them.
inline void keep_gradient(const StepNumbers& in, const Real* local, const Vec3& v, Index k,
                          Buffers& b) {
  if (in.transfer != Transfer::apic) return;
  for (int a = 0; a < 3; ++a)
    for (int q = 0; q < 3; ++q)
      b.from_grid[3 + 3 * a + q][k] +=
          (v[a] - b.from_grid[a][k]) * (local[q] - std::floor(local[q] + Quadratic::middle));
}

/// Finds the colliders that a chunk may touch. Returns whether paths of particles may differ from
/// their velocities: beside colliders and with pins.
inline bool find_obstacles(const Boundaries& boundaries, const StepNumbers& in, const Int3& block,
                           Buffers& b) {
  b.near.clear();
  const Real middle[3] = {Real(1.5), Real(1.5), Real(1.5)};
  const Vec3 centre = world_place(block, middle, in.dx);
  // Particles are within three cells of the middle along each axis, and may be pushed by another.
  for (const ColliderView& collider : colliders_near(boundaries.colliders, centre, 8 * in.dx))
    if (const unsigned parts = parts_that_touch(collider, block, in.dt, in.dx))
      b.near.push_back({&collider, parts});
  return !b.near.empty() || boundaries.pins != nullptr;
}

/// The velocity of a particle that a pin holds, m/s.
inline Vec3 held_velocity(const Boundaries& boundaries, Index pin, const Vec3& x, Real dt) {
  Vec3 v = (apply(boundaries.pins[pin].moved, x) - x) * (1 / dt);
  if (boundaries.flat) v[2] = 0;
  return v;
}

/// Corrects velocities from the grid and sets paths where a batch meets what find_obstacles found.
inline void meet_obstacles(const Boundaries& boundaries, const StepNumbers& in, const Int3& block,
                           const Places& places, const Row16* rows, const Index* particle,
                           const Index* pin, Buffers& b) {
  unsigned touching = 0;
  for (const NearCollider& near : b.near) touching |= near.parts;
  for (int a = 0; a < 3; ++a) std::copy_n(b.from_grid[a], places.count(), b.path[a]);
  for (Index k = 0; k < places.count(); ++k) {
    const Index row = b.at[places.first + k];
    const Real* const local = rows[row].c;
    const Index held = !boundaries.pins ? -1 : pin[particle[row]];
    const bool is_held = held >= 0 && boundaries.pins[held].active;
    const int part = part_of(local);
    if (!is_held && !(touching >> part & 1)) continue;
    const Vec3 x = world_place(block, local, in.dx);
    Vec3 v{b.from_grid[0][k], b.from_grid[1][k], b.from_grid[2][k]}, push = Vec3::zero();
    bool met = false;
    const Real mass = rows[row].c[row_mass];
    if (is_held) {
      const Vec3 after = held_velocity(boundaries, held, x, in.dt);
      count_pin(boundaries.reactions, held, mass, x, v, after);
      v = after;
    }
    for (const NearCollider& near : b.near) {
      if (is_held || !(near.parts >> part & 1)) continue;
      const auto number = static_cast<Index>(near.collider - boundaries.colliders.data);
      const CountContact count{boundaries.reactions, mass};
      push += push_beside(*near.collider, x, in.dt, in.dx, v, met,
                          [&](const Contact& contact, Vec3 before, Vec3 after) {
                            if (boundaries.flat) before[2] = after[2] = 0;
                            count(number, x, contact, before, after);
                          });
    }
    if (boundaries.flat) v[2] = push[2] = 0;
    Vec3 path = v + push;
    if (met)
      for (const NearCollider& near : b.near)
        if (near.parts >> part & 1) path = path_beside(*near.collider, x, in.dt, in.dx, path);
    if (boundaries.flat) path[2] = 0;
    keep_gradient(in, local, v, k, b);
    for (int a = 0; a < 3; ++a) b.from_grid[a][k] = v[a], b.path[a][k] = path[a];
  }
}

}  // namespace phyxel::mpm
