#pragma once

#include "phyxel/core/polar.h"
#include "phyxel/methods/pbd/constraint.h"

// Constraints of a deformation gradient F = R S, of a shape and of a volume, after Macklin &
// Mueller 2021, "A constraint-based formulation of stable neo-Hookean materials". With the Lame
// moduli mu and lambda of small strains and a volume V at rest their compliances are 1 / (mu V) and
// 1 / (lambda V).
//
// The paper takes C = |F| and C = det F - 1 - mu / lambda, which pull against each other at rest.
// That works in steps so short that they could be explicit; in longer ones the last of the two wins
// (the volume grows by mu / lambda), and solving for both multipliers at once diverges, because all
// stiffness against shear is in second derivatives of |F|, which XPBD leaves out. So the same
// energy is divided otherwise here: each constraint is zero at F = R.

namespace phyxel::pbd {

/// A function of F, and its derivative.
template <class T>
struct SlopeOfF {
  T value;
  Mat<T, 3> derivative;
};

/// C = det F - 1.
template <class T>
PHYXEL_FN SlopeOfF<T> volume_of(const Mat<T, 3>& f) {
  const Mat<T, 3> c = cofactor(f);
  return {dot(f[0], c[0]) - T(Real(1)), c};
}

/// C = sqrt(2) |F - R|: with the volume the energy of fixed corotated matter (Stomakhin et al.
/// 2012). R is a rotation for inverted F too, so that the way back is the shortest, and F = 0 is no
/// place of rest.
struct Corotated {
  static constexpr const char* of_cell = "cell_shape";
  static constexpr const char* of_tetrahedron = "tetrahedron_shape";

  template <class T>
  PHYXEL_FN static SlopeOfF<T> of(const Mat<T, 3>& f) {
    const Mat<T, 3> d = f - polar(f).rotation;
    const T squared = max(T(Real(2)) * norm_squared(d), T(smallest_normal<T>));
    const T over = Quick<T>::over_root(squared);
    return {squared * over, d * (T(Real(2)) * over)};
  }
};

/// C^2 = |F|^2 + J^2 - 4 J, J = det F: with the volume the stable neo-Hookean energy of Smith et
/// al. 2018, eq. 13, mu / 2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu) / 2 (J - 1)^2. Written in D =
/// S - 1, since its terms of order 0 and 1 cancel. As theirs it has a place of rest at F = 0.
struct NeoHookean {
  static constexpr const char* of_cell = "cell_neo_hookean";
  static constexpr const char* of_tetrahedron = "tetrahedron_neo_hookean";

  template <class T>
  PHYXEL_FN static SlopeOfF<T> of(const Mat<T, 3>& f) {
    const Polar<T> parts = polar(f);
    Mat<T, 3> d = parts.stretch;
    for (int k = 0; k < 3; ++k) d[k][k] = d[k][k] - T(Real(1));
    const Mat<T, 3> minors = cofactor(d);
    const T first = trace(d), third = dot(d[0], minors[0]);
    const T growth = first + trace(minors) + third;  // J - 1
    const T squared = T(Real(2)) * (norm_squared(d) - third) + growth * growth - first * first;
    const T over = Quick<T>::over_root(max(squared, T(smallest_normal<T>)));
    Mat<T, 3> slope = d * T(Real(2)) + cofactor(parts.stretch) * growth - minors;
    for (int k = 0; k < 3; ++k) slope[k][k] = slope[k][k] - first;
    return {max(squared, T(Real(0))) * over, parts.rotation * slope * over};
  }
};

/// The Lame moduli, Pa.
struct LameModuli {
  Real mu, lambda;
};

/// Of a thin sheet, whose faces are free: plane stress.
PHYXEL_FN LameModuli membrane_moduli(Real modulus, Real poissons_ratio) {
  return {modulus / (2 * (1 + poissons_ratio)),
          modulus * poissons_ratio / (1 - poissons_ratio * poissons_ratio)};
}

PHYXEL_FN LameModuli lame_moduli(Real youngs_modulus, Real poissons_ratio) {
  const Real mu = youngs_modulus / (2 * (1 + poissons_ratio));
  return {mu, 2 * mu * poissons_ratio / (1 - 2 * poissons_ratio)};
}

}  // namespace phyxel::pbd
