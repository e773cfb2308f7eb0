#pragma once

#include "phyxel/core/svd.h"
#include "phyxel/matter/parameters.h"
#include "phyxel/methods/mpm/law_memory.h"

// Isotropic laws depend on the principal stretches of a deformation alone. Each law is a struct of
// its constants and a pure function
//
//     respond(law, stretch, memory, dt) -> Response
//
// from the stretches of a trial step of dt (s) to the elastic ones that are left and the stress
// they cause, and that stress as a function of its own,
//
//     elastic_stress(law, stretch, memory) -> principal Kirchhoff stress
//
// which implicit steps differentiate (stress_change.h). Beside them describe(field, law) names the
// constants in scene files. A law with a member `elastic` gets it from youngs_modulus and
// poissons_ratio. `fresh` is the memory at the start, one number or a type of the law's own
// (law_memory.h); `is_plastic` says whether respond may change the stretches. With dt = 0 respond
// tells the state as it is. T is a number or a pack, in elastic_stress also one with slopes (Dual).

namespace phyxel::mpm {

template <class T>
struct Response {
  Vec<T, 3> stretch;  // elastic, after plastic flow
  Vec<T, 3> stress;   // principal Kirchhoff stress: Cauchy stress times J, Pa
  T modulus;          // largest of pressure waves, Pa: speed^2 times the density at rest
};

/// Lame constants from Young's modulus and Poisson's ratio (the paper loses nu from lambda).
struct Lame {
  Real mu = 0, lambda = 0;  // Pa
};
PHYXEL_FN Lame lame(Real youngs_modulus, Real poissons_ratio) {
  const Real e = youngs_modulus, nu = poissons_ratio;
  return {e / (2 * (1 + nu)), e * nu / ((1 + nu) * (1 - 2 * nu))};
}

template <class T>
PHYXEL_FN T product(const Vec<T, 3>& s) {
  return s[0] * s[1] * s[2];
}
template <class T>
PHYXEL_FN T mean(const Vec<T, 3>& s) {
  return (s[0] + s[1] + s[2]) * T(LaneOf<T>(1) / 3);
}

/// Fixed corotated elasticity: 2 mu (s - 1) s + lambda (J - 1) J. Stomakhin et al. 2012; finite and
/// restoring where matter is inverted, too.
template <class T>
PHYXEL_FN Vec<T, 3> fixed_corotated_stress(const T& mu, const T& lambda, const Vec<T, 3>& s) {
  const T j = product(s), pressure = lambda * (j - T(1)) * j;
  Vec<T, 3> stress;
  for (int k = 0; k < 3; ++k) stress[k] = T(2) * mu * (s[k] - T(1)) * s[k] + pressure;
  return stress;
}

/// Modulus of pressure waves: s^2 dP/ds of the stretch that makes it largest.
template <class T>
PHYXEL_FN T fixed_corotated_modulus(const T& mu, const T& lambda, const Vec<T, 3>& s) {
  const T j = product(s);
  const T largest = max(max(s[0] * s[0], s[1] * s[1]), s[2] * s[2]);
  return T(2) * mu * largest + lambda * j * j;
}

/// Hencky elasticity: 2 mu ln s + lambda (sum of ln s), from the logarithms of the stretches.
template <class T>
PHYXEL_FN Vec<T, 3> hencky_stress(const Lame& c, const Vec<T, 3>& logarithms) {
  const T pressure = T(3) * mean(logarithms) * T(c.lambda);
  Vec<T, 3> stress;
  for (int k = 0; k < 3; ++k) stress[k] = logarithms[k] * T(2 * c.mu) + pressure;
  return stress;
}

template <class T>
PHYXEL_FN T hencky_modulus(const Lame& c, const Vec<T, 3>& stress) {
  return T(2 * c.mu + c.lambda) - min(min(min(stress[0], stress[1]), stress[2]), T(0));
}

/// Logarithms of stretches; those below a hundredth, negative ones too, count as a hundredth.
template <class T>
PHYXEL_FN Vec<T, 3> logarithms_of(const Vec<T, 3>& s) {
  using std::log;
  Vec<T, 3> e;
  for (int k = 0; k < 3; ++k) e[k] = log(max(s[k], T(LaneOf<T>(0.01))));
  return e;
}
template <class T>
PHYXEL_FN Vec<T, 3> exponentials_of(const Vec<T, 3>& e) {
  using std::exp;
  return {exp(e[0]), exp(e[1]), exp(e[2])};
}

/// Puts a trial deformation gradient through a law: F becomes the elastic part that is left.
/// Returns the Kirchhoff stress tensor.
template <class Law, class T>
PHYXEL_FN Mat<T, 3> respond(const Law& law, Mat<T, 3>& f, MemoryOf<Law, T>& memory, LaneOf<T> dt) {
  const Svd<T> parts = svd(f);
  const Response<T> r = respond(law, parts.sigma, memory, dt);
  const auto rebuilt = [](const Mat<T, 3>& left, const Vec<T, 3>& d, const Mat<T, 3>& right) {
    Mat<T, 3> scaled_left = left;
    for (int k = 0; k < 3; ++k) scaled_left[k] = scaled(left[k], d);
    return scaled_left * transpose(right);
  };
  f = rebuilt(parts.u, r.stretch, parts.v);
  return rebuilt(parts.u, r.stress, parts.u);
}

}  // namespace phyxel::mpm
