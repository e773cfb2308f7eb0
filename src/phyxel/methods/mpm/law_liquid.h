#pragma once

#include "phyxel/methods/mpm/stress_change.h"

namespace phyxel::mpm {

/// Water and oil by Tait's equation of state: pressure K/gamma (J^-gamma - 1), none in tension.
/// Memory: J; F is not used. Viscosity acts on the velocity gradient.
struct LiquidLaw {
  Real bulk_modulus = Real(1e5);  // K, Pa
  Real gamma = 7;
  Real viscosity = 0;  // Pa s
  static constexpr const char* name = "liquid";
  static constexpr Real fresh = 1;
  static constexpr bool is_plastic = true;
  static constexpr bool has_shape = false;  // F is not used
};
inline void describe(Fields& field, LiquidLaw& law) {
  field("bulk_modulus", law.bulk_modulus, "Pa", positive,
        "resistance to compression; softer than nature, as is customary: 100 density v^2 for the "
        "largest speed v of the flow keeps the density within a percent");
  field("gamma", law.gamma, "", {1, 15, true, true, "7 is Tait's for water"},
        "exponent of the equation of state");
  field("viscosity", law.viscosity, "Pa s", not_negative, "resistance to shear");
}

/// Pressure at the volume ratio j, Pa.
template <class T>
PHYXEL_INLINE T pressure_of(const LiquidLaw& law, const T& j) {
  using std::pow;
  const T r = Quick<T>::reciprocal(j);
  const T power = law.gamma == 7 ? r * (r * r) * (r * r) * (r * r) : pow(r, T(law.gamma));
  return max(T(law.bulk_modulus / law.gamma) * (power - T(1)), T(0));
}

/// Of pressure waves: density at rest times the square of their speed, Pa.
template <class T>
PHYXEL_INLINE T liquid_modulus(const LiquidLaw& law, const T& j) {
  return min(j, T(1)) * (pressure_of(law, j) * T(law.gamma) + T(law.bulk_modulus));
}

/// Kirchhoff stress of a liquid with the volume ratio j, and how j goes on under the velocity
/// gradient c for dt. J never comes to exceed 1: a liquid under tension counts as at rest. One that
/// starts above 1, as melted snow does, falls freely until it has its own density.
template <class T>
PHYXEL_INLINE Mat<T, 3> liquid_stress(const LiquidLaw& law, const Mat<T, 3>& c, const T& dt, T& j) {
  j = min(max(j * (T(1) + dt * trace(c)), T(Real(0.1))), max(j, T(1)));
  const Mat<T, 3> rate = c + transpose(c);
  const T spherical = trace(c) * T(LaneOf<T>(2) / 3);
  const T p = pressure_of(law, j), viscous = T(law.viscosity);
  Mat<T, 3> stress = rate * (viscous * j);
  for (int k = 0; k < 3; ++k) stress[k][k] -= j * (p + viscous * spherical);
  return stress;
}

/// Stiffness by the pressure alone, -j^2 dp/dj, as j follows the trace of the gradient: one number
/// for a solver of liquids. Zero where there is no pressure; viscosity stays explicit.
template <class T>
PHYXEL_FN T volume_stiffness(const LiquidLaw& law, const T& j) {
  using std::pow;
  return select(j < T(1), T(law.bulk_modulus) * pow(j, T(1 - law.gamma)), T(0));
}
template <class T>
PHYXEL_FN Stiffness<T> stiffness_of(const LiquidLaw& law, const Mat<T, 3>&, const T& j) {
  return stiffness_of_volume(volume_stiffness(law, j));
}

}  // namespace phyxel::mpm
