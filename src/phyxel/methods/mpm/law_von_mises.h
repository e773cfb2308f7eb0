#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Clay and metal: Hencky elasticity; shear beyond the yield stress stays. Memory: the plastic
/// shear so far.
struct VonMisesLaw {
  Lame elastic;
  Real yield_stress = Real(1e3);  // Pa, in tension
  static constexpr const char* name = "von_mises";
  static constexpr Real fresh = 0;
  static constexpr bool is_plastic = true;
};
inline void describe(Fields& field, VonMisesLaw& law) {
  field("yield_stress", law.yield_stress, "Pa", positive,
        "tension from which on it flows instead of springing back");
}

template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const VonMisesLaw& law, const Vec<T, 3>& stretch, const T&) {
  return hencky_stress(law.elastic, logarithms_of(stretch));
}

template <class T>
PHYXEL_FN Response<T> respond(const VonMisesLaw& law, const Vec<T, 3>& trial, T& flowed,
                              LaneOf<T>) {
  using R = LaneOf<T>;
  Vec<T, 3> e = logarithms_of(trial);
  const T volume = mean(e);
  Vec<T, 3> deviator;
  for (int k = 0; k < 3; ++k) deviator[k] = e[k] - volume;
  const T shear = sqrt(dot(deviator, deviator));
  // |s| = 2 mu |dev e| <= sqrt(2/3) sigma_y
  const T most = T(std::sqrt(R(2) / 3) * law.yield_stress / (2 * law.elastic.mu));
  const T excess = max(shear - most, T(0));
  const T left = T(1) - excess / max(shear, T(smallest_normal<T>));
  for (int k = 0; k < 3; ++k) e[k] = deviator[k] * left + volume;
  flowed += excess;
  const Vec<T, 3> stress = hencky_stress(law.elastic, e);
  return {exponentials_of(e), stress, hencky_modulus(law.elastic, stress)};
}

}  // namespace phyxel::mpm
