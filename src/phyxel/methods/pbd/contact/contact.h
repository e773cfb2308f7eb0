#pragma once

#include "phyxel/methods/pbd/contact/advance.h"

// Contact as a constraint on up to four particles: two elements that keep their distance, or a
// point of an element that stays outside of a collider. One formula serves both (Umenhoffer,
// section 4.4, with n towards the side of x).

namespace phyxel::pbd {

/// C = normal . sum part[k] p[k] - gap >= 0.
struct Contact {
  Index corner[4];
  Real part[4];             // 0: no corner
  Vec3 normal;              // from the second element, or the collider, to the first; a unit vector
  Real gap;                 // m
  Vec3 carried;             // m, what the collider moves in the substep there; 0 between elements
  Real friction;            // Coulomb's coefficient
  Index collider;           // -1: between elements
  Real press = 0;           // multiplier of C, kg m
  Vec3 rub = Vec3::zero();  // of friction, kg m
};

/// What pushes the corners of a contact: corner k by inverse mass times part times this, kg m.
struct ContactPush {
  Real press;  // change of the multiplier
  Vec3 rub;
};

/// The change of both multipliers. `value` is C, `slide` what the points have moved against each
/// other in the substep, `weight` the sum of inverse masses times squared parts. Coulomb: rubbing
/// is limited by all that presses, not by its change.
PHYXEL_FN ContactPush contact_push(const Contact& c, Real value, const Vec3& slide, Real weight) {
  if (!(weight > 0)) return {0, Vec3::zero()};
  const Real press = max(c.press - value / weight, Real(0));
  const Vec3 along = slide - c.normal * dot(c.normal, slide);
  Vec3 rub = c.rub - along / weight;
  const Real most = c.friction * press, size = length(rub);
  if (size > most) rub *= most / size;
  return {press - c.press, rub - c.rub};
}

/// The contact of two elements whose corners go from x to p; `gap` is the distance they keep. They
/// touch if they are nearer than it at x, or get there on the way: at that moment the direction
/// still leads to the side from which they came. Returns whether they do.
PHYXEL_FN bool meet(PairKind kind, const Vec3 (&x)[4], const Vec3 (&p)[4], Real gap, Contact& c) {
  Nearest<Real> at = nearest(kind, x);
  if (at.squared >= gap * gap) {
    Vec3 move[4], met[4];
    for (int k = 0; k < 4; ++k) move[k] = p[k] - x[k];
    const Real part = free_part(kind, x, move, gap);
    if (part >= 1) return false;
    for (int k = 0; k < 4; ++k) met[k] = (x[k] - x[0]) + (move[k] - move[0]) * part;
    at = nearest(kind, met);
  }
  const Real distance = sqrt(at.squared);
  if (!(distance > 0)) return false;  // one is in the other: no side is known
  for (int k = 0; k < 4; ++k) c.part[k] = at.part[k];
  c.normal = at.difference / distance;
  c.gap = gap;
  c.carried = Vec3::zero();
  c.collider = -1;
  c.press = 0;
  c.rub = Vec3::zero();
  return true;
}

}  // namespace phyxel::pbd
