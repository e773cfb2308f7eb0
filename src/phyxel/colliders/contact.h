#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// A point against the surface of a collider.
struct Contact {
  Real distance;  // m, negative inside
  Vec3 normal;    // outward unit vector
  Vec3 velocity;  // m/s, of the collider's surface there
};

/// Velocity after touching, for methods that collide by velocity: an approaching normal part is
/// reversed and scaled by `restitution`, the tangential part slowed by at most `friction` times the
/// change of the normal part (Coulomb). A point that leaves is left alone.
PHYXEL_FN Vec3 contact_response(const Vec3& v, const Contact& contact, Real friction,
                                Real restitution) {
  const Vec3 relative = v - contact.velocity;
  const Real approach = -dot(relative, contact.normal);
  if (!(approach > 0)) return v;
  const Vec3 sliding = relative + contact.normal * approach;
  const Real speed = length(sliding), slowed = friction * (1 + restitution) * approach;
  const Real kept = speed > slowed ? 1 - slowed / speed : 0;
  return contact.velocity + sliding * kept + contact.normal * (restitution * approach);
}

}  // namespace phyxel
