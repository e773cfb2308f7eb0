#pragma once

#include <cmath>

#include "phyxel/core/backend.h"

namespace phyxel::lennard_jones {

/// The interaction of two particles: Tonnesen, eq. 3.15 with the fade of eq. 3.12.
struct PairLaw {
  Real e0 = 1;         // dissociation energy, J
  Real r0 = 1;         // equilibrium separation, m
  Real n = 12;         // repulsive exponent
  Real m = 6;          // attractive exponent
  Real fade_from = 1;  // m
  Real cutoff = 2;     // m
  Real viscosity = 0;  // beta_1, kg/s
  bool faded = true;   // false: plain truncation at the cut-off
};

/// A function and its derivative.
struct EnergySlope {
  Real energy;  // J
  Real slope;   // J/m
};

/// q^exponent; whole exponents by repeated squaring, which is several times faster than pow.
PHYXEL_FN Real power(Real q, Real exponent) {
  const int whole = static_cast<int>(exponent);
  if (static_cast<Real>(whole) != exponent || whole > 64) return std::pow(q, exponent);
  Real result = 1;
  for (int bits = whole; bits > 0; bits >>= 1) {
    if (bits & 1) result *= q;
    q *= q;
  }
  return result;
}

/// w(r): 1 below fade_from, 0 beyond cutoff, smooth between. Tonnesen, eq. 3.12.
PHYXEL_FN EnergySlope fade(const PairLaw& law, Real r) {
  const Real width = law.cutoff - law.fade_from;
  const Real s = (r - law.fade_from) / width;
  if (s <= 0) return {1, 0};
  if (s >= 1) return {0, 0};
  return {1 + s * s * s * (-10 + s * (15 - 6 * s)), -30 * s * s * (1 - s) * (1 - s) / width};
}

/// What one pair contributes: energy, slope of the energy, weight of the viscous force, and a bound
/// of its stiffness.
struct PairTerm {
  Real energy;     // J
  Real slope;      // J/m; the force on i is slope * (x_j - x_i) / r
  Real weight;     // w(r)
  Real stiffness;  // N/m, |second derivative| of the energy before the fade
};

/// phi(r) = e0/(n-m) [ m (r0/r)^n - n (r0/r)^m ], times w(r). Tonnesen, eqs. 3.15 and 3.13.
PHYXEL_FN PairTerm pair_term(const PairLaw& law, Real r) {
  const Real q = law.r0 / r;
  const Real qn = power(q, law.n), qm = power(q, law.m);
  const Real scale = law.e0 / (law.n - law.m), nm = law.n * law.m;
  const Real phi = scale * (law.m * qn - law.n * qm);
  const Real dphi = scale * nm * (qm - qn) / r;
  const Real ddphi = scale * nm * ((law.n + 1) * qn - (law.m + 1) * qm) / (r * r);
  if (!law.faded) return {phi, dphi, 1, std::abs(ddphi)};
  const EnergySlope w = fade(law, r);
  return {w.energy * phi, w.energy * dphi + w.slope * phi, w.energy, std::abs(ddphi)};
}

/// Repulsion of a collider: alpha/d^eta + beta d + c up to d0, 0 beyond; continuous in energy and
/// force. Tonnesen, 3.22.
struct ObstacleLaw {
  Real d0 = 1;     // reach, m
  Real eta = 4;    // exponent
  Real alpha = 0;  // J m^eta
  Real beta = 0;   // N
  Real c = 0;      // J
};

/// The law with reach d0 whose constants follow from beta (the paper's c is its "gamma").
PHYXEL_FN ObstacleLaw obstacle_from_beta(Real d0, Real eta, Real beta) {
  const Real alpha = beta * std::pow(d0, eta + 1) / eta;
  return {d0, eta, alpha, beta, -alpha / std::pow(d0, eta) - beta * d0};
}
PHYXEL_FN ObstacleLaw obstacle_from_alpha(Real d0, Real eta, Real alpha) {
  return obstacle_from_beta(d0, eta, eta * alpha / std::pow(d0, eta + 1));
}

struct ObstacleTerm {
  Real energy;     // J
  Real force;      // N, along the outward normal
  Real stiffness;  // N/m
};

/// Below a hundredth of d0 the law is continued by its tangent: a particle pushed inside still
/// feels its way out.
PHYXEL_FN ObstacleTerm obstacle_term(const ObstacleLaw& law, Real distance) {
  if (distance >= law.d0) return {0, 0, 0};
  const Real floor = law.d0 * Real(0.01);
  const Real d = distance > floor ? distance : floor;
  const Real core = law.alpha / std::pow(d, law.eta);
  const Real force = law.eta * core / d - law.beta;
  const Real energy = core + law.beta * d + law.c + (d - distance) * force;
  return {energy, force, law.eta * (law.eta + 1) * core / (d * d)};
}

}  // namespace phyxel::lennard_jones
