#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Sand, Klar et al. 2016: Hencky elasticity within a Drucker-Prager cone. Memory: the volume that
/// expansion has gained, as a logarithm, which compression must take back first.
struct SandLaw {
  Lame elastic;
  Real friction_angle = 35;  // degrees
  static constexpr const char* name = "sand";
  static constexpr Real fresh = 0;
  static constexpr bool is_plastic = true;
};

inline void describe(Fields& field, SandLaw& law) {
  field("friction_angle", law.friction_angle, "degrees", {0, 80, true, true, ""},
        "angle of internal friction: how steep it can be piled, about");
}

/// alpha of Drucker and Prager for an angle of internal friction in degrees: 0.386 for 35 degrees.
PHYXEL_FN Real cone_of(Real degrees) {
  const Real sine = std::sin(degrees * Real(M_PI / 180));
  return std::sqrt(Real(2) / 3) * 2 * sine / (3 - sine);
}

/// Zero where the sand is in tension.
template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const SandLaw& law, const Vec<T, 3>& stretch, const T& gained) {
  const Vec<T, 3> e = logarithms_of(stretch);
  const auto apart = T(3) * mean(e) + gained > T(0);
  Vec<T, 3> stress = hencky_stress(law.elastic, e);
  for (int k = 0; k < 3; ++k) stress[k] = select(apart, T(0), stress[k]);
  return stress;
}

template <class T>
PHYXEL_FN Response<T> respond(const SandLaw& law, const Vec<T, 3>& trial, T& gained, LaneOf<T>) {
  using R = LaneOf<T>;
  Vec<T, 3> e = logarithms_of(trial);
  const T before = T(3) * mean(e);
  for (int k = 0; k < 3; ++k) e[k] += gained * T(R(1) / 3);
  const T volume = T(3) * mean(e);
  Vec<T, 3> deviator;
  for (int k = 0; k < 3; ++k) deviator[k] = e[k] - volume * T(R(1) / 3);
  const T shear = sqrt(dot(deviator, deviator));
  // Shear outside the cone is removed; sand in tension returns to its tip.
  const R stiffness = (3 * law.elastic.lambda + 2 * law.elastic.mu) / (2 * law.elastic.mu);
  const T excess = shear + T(stiffness * R(cone_of(law.friction_angle))) * volume;
  const auto apart = volume >= T(0);
  const T left = select(
      apart, T(0), select(excess <= T(0), T(1), T(1) - excess / max(shear, T(smallest_normal<T>))));
  const T kept = select(apart, T(0), volume);
  for (int k = 0; k < 3; ++k) e[k] = deviator[k] * left + kept * T(R(1) / 3);
  gained += before - T(3) * mean(e);
  const Vec<T, 3> stress = hencky_stress(law.elastic, e);
  return {exponentials_of(e), stress, hencky_modulus(law.elastic, stress)};
}

}  // namespace phyxel::mpm
