#pragma once

#include "phyxel/core/vec.h"
#include "phyxel/matter/sph_kernel.h"

namespace phyxel::sph {

/// The numbers of a liquid that the passes of a step use.
struct Law {
  Real density = 1000;      // kg/m^3, at rest
  Real sound_speed = 1;     // m/s, at rest
  Real gamma = 7;           // exponent of Tait's equation; 1 is linear
  Real viscosity = 0;       // Pa s
  Real bulk_viscosity = 0;  // Pa s, alpha c h density: acts on pairs that approach each other
  Real tension = 0;         // N/m, of a free surface
  Real xsph = 0;            // share of the mean motion of neighbours in what moves a particle
};

/// b^e, fast for the usual exponents 1 and 7.
PHYXEL_FN Real power(Real b, Real e) {
  if (e == 1) return b;
  if (e == 7) {
    const Real b3 = b * b * b;
    return b3 * b3 * b;
  }
  return std::pow(b, e);
}

/// Tait's equation of the ratio of density to density at rest, Pa: Monaghan 1994. Never
/// negative: particles at a free surface, which lack neighbours, would clump.
PHYXEL_FN Real pressure(const Law& law, Real ratio) {
  const Real modulus = law.density * law.sound_speed * law.sound_speed / law.gamma;
  return max(modulus * (power(ratio, law.gamma) - 1), Real(0));
}

/// Speed of sound in matter compressed to `ratio`, m/s.
PHYXEL_FN Real sound_speed(const Law& law, Real ratio) {
  return law.sound_speed * std::pow(max(ratio, Real(1)), (law.gamma - 1) / 2);
}

/// Work that compressed one m^3 at rest to `ratio`, J/m^3: the integral of p / ratio^2.
PHYXEL_FN double compression_energy(const Law& law, double ratio) {
  if (ratio <= 1) return 0;
  const double gamma = law.gamma;
  const double modulus = law.density * double(law.sound_speed) * law.sound_speed / gamma;
  const double work = gamma == 1 ? std::log(ratio) : (std::pow(ratio, gamma - 1) - 1) / (gamma - 1);
  return modulus * (work + 1 / ratio - 1);
}

/// Viscosity between two liquids: the harmonic mean, which keeps the shear stress continuous
/// (Cleary 1998). Equal values give the same value.
template <class T>
PHYXEL_FN T shared_viscosity(const T& a, const T& b) {
  return T(2) * a * b / (a + b + T(smallest_normal<T>));
}

/// A pair of particles i and j, seen from i.
template <class T>
struct Pair {
  T squared;         // m^2, distance
  T parting;         // m^2/s, (v_j - v_i) . (x_j - x_i)
  T tension;         // Pa, sum of p / ratio^2 of both
  T viscosity;       // Pa s
  T bulk_viscosity;  // Pa s
};

/// Pair force: times x_j - x_i and the volumes at rest of both it is the force of j on i, N. It
/// acts along the line between them and is the same seen from j, so that both momenta are kept.
/// The pressure and the artificial viscosity are those of Monaghan 1992; the laminar one has
/// 2 (dimensions + 2) nu instead of alpha c h and acts on separating pairs too (Monaghan 2005).
template <class T>
PHYXEL_FN T pull(const SmoothingKernel& kernel, int dimensions, const Pair<T>& pair) {
  const T r = Quick<T>::root(max(pair.squared, T(smallest_normal<T>)));
  const T bulk = select(pair.parting < T(0), pair.bulk_viscosity, T(0));
  const T friction = T(Real(2 * (dimensions + 2))) * pair.viscosity + bulk;
  const T soft = pair.squared + T(Real(1e-4) * kernel.h * kernel.h);
  const T stress = friction * pair.parting * Quick<T>::reciprocal(soft) - pair.tension;
  return stress * inward_slope(kernel, r);
}

/// Share of the other particle's relative velocity that is added to the drift, before its volume:
/// XSPH of Monaghan 1989. `density` is that of the other over the mean of both, so that the centre
/// of mass moves with the momentum.
template <class T>
PHYXEL_FN T carry(const T& weight, const T& xsph, const T& density) {
  return weight * xsph * density;
}

}  // namespace phyxel::sph
