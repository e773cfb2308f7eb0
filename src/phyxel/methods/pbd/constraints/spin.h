#pragma once

#include <limits>

#include "phyxel/core/mat.h"

// The spin of free bodies. A step ends at p with velocities (p - x) / h, so that its moment of
// momentum is sum m x * p / h, while corrections w grad C dl have no moment about the p where they
// act: each takes sum (x - p) * grad C dl / h of it, whatever the constraint. A turning body loses
// spin at the rate h w^2 / 2 and more where it swings (as by any step that is implicit to first
// order). What corrections took is given back as a rigid rotation.

namespace phyxel::pbd {

/// Sums over the particles of a body; places count from one of them.
struct SpinSums {
  double mass = 0;
  Vec3d first = Vec3d::zero();    // m p, kg m
  Vec3d square = Vec3d::zero();   // m p_k p_k
  Vec3d product = Vec3d::zero();  // m p_y p_z, m p_z p_x, m p_x p_y
  Vec3d taken = Vec3d::zero();    // moment x * m dv of corrections, kg m^2/s
  double held = 0;                // particles that pins hold
};

PHYXEL_FN SpinSums spin_term(double mass, const Vec3d& x, const Vec3d& p, const Vec3d& change) {
  SpinSums s;
  s.mass = mass;
  s.first = p * mass;
  s.square = Vec3d{p[0] * p[0], p[1] * p[1], p[2] * p[2]} * mass;
  s.product = Vec3d{p[1] * p[2], p[2] * p[0], p[0] * p[1]} * mass;
  s.taken = cross(x, change) * mass;
  return s;
}
PHYXEL_FN SpinSums operator+(const SpinSums& a, const SpinSums& b) {
  return {a.mass + b.mass,       a.first + b.first, a.square + b.square,
          a.product + b.product, a.taken + b.taken, a.held + b.held};
}

/// A rotation about a centre.
struct Turn {
  Vec3d rate = Vec3d::zero();    // rad/s
  Vec3d centre = Vec3d::zero();  // m, from the same particle
};

/// What is added to moments of inertia, over the sum of all squares: above the rounding of sums in
/// Real, which are all that straight bodies have about themselves, and of the inverse.
constexpr double least_inertia =
    sizeof(Real) == 8 ? 1e-8 : 16.0 * std::numeric_limits<Real>::epsilon();

/// The rotation whose moment of momentum is -taken. Straight bodies turn about other axes alone.
PHYXEL_FN Turn turn_of(const SpinSums& s) {
  Turn turn;
  turn.centre = s.first / s.mass;
  const Vec3d& c = turn.centre;
  const Vec3d square = s.square - Vec3d{c[0] * c[0], c[1] * c[1], c[2] * c[2]} * s.mass;
  const Vec3d mixed = s.product - Vec3d{c[1] * c[2], c[2] * c[0], c[0] * c[1]} * s.mass;
  const double all = square[0] + square[1] + square[2], least = least_inertia * all;
  if (!(all > 0)) return turn;
  const Mat3d inertia = {{{all - square[0] + least, -mixed[2], -mixed[1]},
                          {-mixed[2], all - square[1] + least, -mixed[0]},
                          {-mixed[1], -mixed[0], all - square[2] + least}}};
  // One step of refinement takes back what was added.
  const Mat3d over = inverse(inertia);
  const Vec3d rate = over * s.taken;
  turn.rate = -(rate + over * (s.taken - (inertia * rate - rate * least)));
  return turn;
}

}  // namespace phyxel::pbd
