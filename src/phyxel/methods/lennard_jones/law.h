#pragma once

#include <cmath>

#include "phyxel/core/scalar_ops.h"

namespace phyxel::lennard_jones {

/// The interaction of two particles: Tonnesen, eq. 3.15 with the fade of eq. 3.12.
template <class T>
struct PairLawOf {
  T e0 = 1;           // dissociation energy, J
  T r0 = 1;           // equilibrium separation, m
  T n = 12;           // repulsive exponent
  T m = 6;            // attractive exponent
  T fade_from = 1;    // m
  T cutoff = 2;       // m
  T viscosity = 0;    // beta_1, kg/s
  bool faded = true;  // false: plain truncation at the cut-off

  bool operator==(const PairLawOf&) const = default;
};
using PairLaw = PairLawOf<Real>;

/// A function with its first and second derivative.
template <class T>
struct Curve {
  T value;
  T slope;
  T bend;  // second derivative
};

// Numbers of the law have type S; the distance r is one number or a pack of them (T).

/// q^exponent; whole exponents by repeated squaring, which is several times faster than pow.
template <class T, class S>
PHYXEL_FN T power(T q, S exponent) {
  using std::pow;
  const int whole = static_cast<int>(exponent);
  if (static_cast<S>(whole) != exponent || whole > 64) return pow(q, T(exponent));
  T result(1);
  for (int bits = whole; bits > 0; bits >>= 1) {
    if (bits & 1) result = result * q;
    q = q * q;
  }
  return result;
}

/// w(r): 1 below fade_from, 0 beyond cutoff, smooth between. Tonnesen, eq. 3.12.
template <class T, class S>
PHYXEL_FN Curve<T> fade(const PairLawOf<S>& law, const T& r) {
  const S over_width = 1 / (law.cutoff - law.fade_from);
  const T s = min(max((r - T(law.fade_from)) * T(over_width), T(0)), T(1));
  const T rest = T(1) - s;
  return {T(1) + s * s * s * (T(-10) + s * (T(15) - T(6) * s)),
          s * s * rest * rest * T(-30 * over_width),
          s * rest * (rest - s) * T(-60 * over_width * over_width)};
}

/// What one pair contributes.
template <class T>
struct PairTerm {
  T energy;     // J
  T slope;      // J/m; the force on i is slope * (x_j - x_i) / r
  T weight;     // w(r), of the viscous force
  T stiffness;  // N/m, the larger of both eigenvalues of the pair's stiffness, without sign
};

/// phi(r) = e0/(n-m) [ m (r0/r)^n - n (r0/r)^m ]. Tonnesen, eq. 3.15.
template <class T, class S>
PHYXEL_FN Curve<T> potential(const PairLawOf<S>& law, const T& r) {
  const T over_r = T(1) / r, q = T(law.r0) * over_r;
  const T qn = power(q, law.n), qm = power(q, law.m);
  const S scale = law.e0 / (law.n - law.m), nm = scale * law.n * law.m;
  return {T(scale * law.m) * qn - T(scale * law.n) * qm, T(nm) * (qm - qn) * over_r,
          T(nm) * (T(law.n + 1) * qn - T(law.m + 1) * qm) * over_r * over_r};
}

/// w(r) phi(r). Tonnesen, eq. 3.13.
template <class T, class S>
PHYXEL_FN PairTerm<T> pair_term(const PairLawOf<S>& law, const T& r) {
  const Curve<T> phi = potential(law, r);
  const Curve<T> w = law.faded ? fade(law, r) : Curve<T>{T(1), T(0), T(0)};
  const T slope = w.value * phi.slope + w.slope * phi.value;
  const T bend = w.value * phi.bend + T(2) * w.slope * phi.slope + w.bend * phi.value;
  return {w.value * phi.value, slope, w.value, max(abs(bend), abs(slope / r))};
}

/// Repulsion of a collider: alpha/d^eta + beta d + c up to d0, 0 beyond; continuous in energy and
/// force. Tonnesen, 3.22.
struct ObstacleLaw {
  Real d0 = 1;     // reach, m
  Real eta = 4;    // exponent
  Real alpha = 0;  // J / unit^eta
  Real beta = 0;   // N
  Real c = 0;      // J
  Real unit = 1;   // 1/m, of the lengths in alpha
};

/// Powers of a reach of micrometres would underflow a float: such lengths are taken in a unit of
/// their own, a power of two. Others stay in m.
PHYXEL_FN Real obstacle_unit(Real d0, Real eta) {
  const Real power = (eta + 1) * std::log2(d0);
  return power > -80 && power < 80 ? Real(1) : std::exp2(-std::floor(std::log2(d0)));
}

/// The law with reach d0 whose constants follow from beta (the paper's c is its "gamma").
PHYXEL_FN ObstacleLaw obstacle_from_beta(Real d0, Real eta, Real beta) {
  const Real unit = obstacle_unit(d0, eta);
  const Real alpha = beta * std::pow(d0 * unit, eta + 1) / (eta * unit);
  return {d0, eta, alpha, beta, -alpha / std::pow(d0 * unit, eta) - beta * d0, unit};
}
PHYXEL_FN ObstacleLaw obstacle_from_alpha(Real d0, Real eta, Real alpha) {
  return obstacle_from_beta(d0, eta, eta * alpha / std::pow(d0, eta + 1));
}

struct ObstacleTerm {
  Real energy;     // J
  Real force;      // N, along the outward normal
  Real stiffness;  // N/m
};

/// Below a hundredth of d0 the law is continued by its tangent, so that a particle inside the
/// collider is still pushed out.
PHYXEL_FN ObstacleTerm obstacle_term(const ObstacleLaw& law, Real distance) {
  if (distance >= law.d0) return {0, 0, 0};
  const Real floor = law.d0 * Real(0.01);
  const Real d = distance > floor ? distance : floor;
  const Real core = law.alpha / std::pow(d * law.unit, law.eta);
  const Real force = law.eta * core / d - law.beta;
  const Real energy = core + law.beta * d + law.c + (d - distance) * force;
  return {energy, force, law.eta * (law.eta + 1) * core / (d * d)};
}

}  // namespace phyxel::lennard_jones
