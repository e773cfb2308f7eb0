#pragma once

#include "phyxel/methods/mls/material.h"

namespace phyxel::mls {

PHYXEL_FN Real stiffness_between(const Touch& a, const Touch& b) {
  return 2 * a.stiffness * b.stiffness / (a.stiffness + b.stiffness);
}

/// Change of the force below where the other moves by p relative to the phyxel, m: of its spring.
PHYXEL_FN Vec3 touch_stiffness(const Touch& a, const Touch& b, const Vec3& d, const Vec3& p) {
  const Real distance = length(d);
  if (!(distance < a.radius + b.radius) || !(distance > 0)) return Vec3::zero();
  const Vec3 n = d / distance;
  return n * (stiffness_between(a, b) * dot(n, p));
}

/// What a phyxel feels of one that it touches, N.
struct TouchForce {
  Vec3 push = Vec3::zero();  // along the line between them
  Vec3 rub = Vec3::zero();   // friction, across it
};

/// d: from the phyxel to the other, m; v: of the other relative to it, m/s. A spring that pushes
/// only, a damper along it, and friction that at slow sliding is a damper as strong as it.
PHYXEL_FN TouchForce touch_force(const Touch& a, const Touch& b, Real mass_a, Real mass_b,
                                 const Vec3& d, const Vec3& v) {
  const Real distance = length(d), reach = a.radius + b.radius;
  if (!(distance < reach) || !(distance > 0)) return {};
  const Vec3 n = d / distance;
  const Real stiffness = stiffness_between(a, b);
  const Real mass = mass_a * mass_b / (mass_a + mass_b);
  const Real drag = (a.damping + b.damping) * sqrt(stiffness * mass);  // twice the mean share
  const Real closing = -dot(n, v);
  const Real push = max(stiffness * (reach - distance) + drag * closing, Real(0));
  const Vec3 sliding = v + n * closing;
  const Real most = push * (a.friction + b.friction) / 2;
  const Real slow = 2 * sqrt(stiffness * mass), speed = length(sliding);
  const Vec3 rub = speed * slow > most ? sliding * (most / speed) : sliding * slow;
  return {-n * push, rub};
}

}  // namespace phyxel::mls
