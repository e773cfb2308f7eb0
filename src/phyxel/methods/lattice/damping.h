#pragma once

#include "phyxel/methods/lattice/spin.h"

// Damping of the non-rigid motion of a neighbourhood. With mass weights w m (m_i for i itself) the
// mean velocity and I^-1 L are the rigid motion nearest to that of the particles. The rest has
// neither momentum nor angular momentum, and removing a part of it, the same for all particles of
// the neighbourhood, changes neither. In the metric of the masses one neighbourhood removes
// sqrt(w) (1 - rigid) sqrt(w), a projection scaled by weights: where the weights that a particle
// has in all neighbourhoods sum up to no more than `full_weight`, no motion is removed more than
// once and energy can only fall. Wicke et al. 2006, eq. 11 put right: it lacks the inertia and
// turns the wrong way.

namespace phyxel::lattice {

/// Sums over the particles assigned to particle i; r = x_j - x_i, v = v_j - v_i, w m their weight
/// times mass.
template <class T, int Dim>
struct MotionMoments {
  T mass;                                  // with i itself
  Vec<T, Dim> r = Vec<T, Dim>::zero();     // w m r
  Vec<T, Dim> v = Vec<T, Dim>::zero();     // w m v
  Mat<T, Dim> rr = Mat<T, Dim>::zero();    // w m r r^T
  Spin<T, Dim> rv = Spin<T, Dim>::zero();  // w m r x v

  PHYXEL_FN explicit MotionMoments(T own_mass) : mass(own_mass) {}
};

template <class T, int Dim>
PHYXEL_FN void add(MotionMoments<T, Dim>& m, T weighted_mass, const Vec<T, Dim>& r,
                   const Vec<T, Dim>& v) {
  const Vec<T, Dim> wr = r * weighted_mass;
  m.mass += weighted_mass;
  m.r += wr;
  m.v += v * weighted_mass;
  m.rr += outer(wr, r);
  m.rv += wedge(wr, v);
}

/// The rigid motion nearest to that of a neighbourhood, relative to x_i and v_i.
template <class T, int Dim>
struct RigidMotion {
  Vec<T, Dim> centre, velocity;
  Spin<T, Dim> spin;
};

template <class T, int Dim>
PHYXEL_FN RigidMotion<T, Dim> rigid_motion(const MotionMoments<T, Dim>& m) {
  const Vec<T, Dim> centre = m.r / m.mass, velocity = m.v / m.mass;
  const Mat<T, Dim> spread = m.rr - outer(m.r, centre);
  return {centre, velocity, spin_from(spread, m.rv - wedge(m.r, velocity))};
}

/// Non-rigid velocity of a particle at r with velocity v, both relative to particle i.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> nonrigid(const RigidMotion<T, Dim>& motion, const Vec<T, Dim>& r,
                               const Vec<T, Dim>& v) {
  return v - motion.velocity - turned(motion.spin, r - motion.centre);
}

/// Part of the non-rigid velocity that one neighbourhood removes in a step: eta dt / m shared
/// between the neighbourhoods, and never more than all of it, eta <= m / dt.
template <class T>
PHYXEL_FN T damped_fraction(T eta, T dt, T mass, T full_weight) {
  return min(eta * dt / mass, T(1)) / full_weight;
}

/// Change of velocity of a particle with this weight in the neighbourhood; 1 and zero vectors for
/// i.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> damping(const RigidMotion<T, Dim>& motion, T fraction, T w,
                              const Vec<T, Dim>& r, const Vec<T, Dim>& v) {
  return nonrigid(motion, r, v) * (-fraction * w);
}

}  // namespace phyxel::lattice
