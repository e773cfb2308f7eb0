#pragma once

#include <cstdint>

#include "phyxel/core/vec.h"

namespace phyxel {

/// A point against the surface of a collider.
struct Contact {
  Real distance;  // m, negative inside
  Vec3 normal;    // outward unit vector
  Vec3 velocity;  // m/s, of the collider's surface there
};

/// What a surface does to matter that touches it, for methods that collide by velocity.
enum class ContactKind : std::int32_t {
  separate,  // matter may leave
  slip,      // it stays on the surface and slides along it
  sticky     // it moves with the surface
};

/// Velocity after touching, for methods that collide by velocity: an approaching normal part is
/// reversed and scaled by `restitution`, the tangential part slowed by at most `friction` times the
/// change of the normal part (Coulomb). The velocity of a point that leaves stays as it is.
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

/// Velocity of a point on a surface, after Stomakhin et al. 2013, section 8. Nothing enters;
/// sliding is slowed by at most `friction` times the approach that was stopped (Coulomb).
PHYXEL_FN Vec3 velocity_on(const Vec3& v, const Contact& contact, ContactKind kind, Real friction) {
  if (kind == ContactKind::sticky) return contact.velocity;
  const Real leaving = dot(v - contact.velocity, contact.normal);
  if (kind == ContactKind::slip && leaving > 0) return v - contact.normal * leaving;
  return contact_response(v, contact, friction, 0);
}

}  // namespace phyxel
