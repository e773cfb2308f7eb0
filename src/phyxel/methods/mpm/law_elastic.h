#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Jelly and rubber. Memory is not used.
struct CorotatedLaw {
  Lame elastic;
  static constexpr const char* name = "corotated";
  static constexpr Real fresh = 0;
  static constexpr bool is_plastic = false;
};
inline void describe(Fields&, CorotatedLaw&) {}

template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const CorotatedLaw& law, const Vec<T, 3>& stretch, const T&) {
  return fixed_corotated_stress(T(law.elastic.mu), T(law.elastic.lambda), stretch);
}
template <class T>
PHYXEL_FN Response<T> respond(const CorotatedLaw& law, const Vec<T, 3>& trial, T& memory,
                              LaneOf<T>) {
  return {trial, elastic_stress(law, trial, memory),
          fixed_corotated_modulus(T(law.elastic.mu), T(law.elastic.lambda), trial)};
}

/// Neo-Hookean rubber: mu (s^2 - 1) + lambda ln J, continued along its tangent below stretches of a
/// tenth, so that the force on matter that is flattened or inverted is finite and restoring.
struct NeoHookeanLaw {
  Lame elastic;
  static constexpr const char* name = "neo_hookean";
  static constexpr Real fresh = 0;
  static constexpr bool is_plastic = false;
};
inline void describe(Fields&, NeoHookeanLaw&) {}

/// ln J, with each ln s straight below a tenth.
template <class T>
PHYXEL_FN T logarithm_of_volume(const NeoHookeanLaw&, const Vec<T, 3>& stretch) {
  using std::log;
  constexpr LaneOf<T> least = LaneOf<T>(0.1);
  T sum = T(0);
  for (int k = 0; k < 3; ++k) {
    const T held = max(stretch[k], T(least));
    sum += log(held) + (stretch[k] - held) * T(1 / least);
  }
  return sum;
}
template <class T>
PHYXEL_FN Vec<T, 3> stress_of(const NeoHookeanLaw& law, const Vec<T, 3>& s, const T& log_volume) {
  Vec<T, 3> stress;
  for (int k = 0; k < 3; ++k)
    stress[k] = T(law.elastic.mu) * (s[k] * abs(s[k]) - T(1)) + T(law.elastic.lambda) * log_volume;
  return stress;
}

template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const NeoHookeanLaw& law, const Vec<T, 3>& stretch, const T&) {
  return stress_of(law, stretch, logarithm_of_volume(law, stretch));
}
template <class T>
PHYXEL_FN Response<T> respond(const NeoHookeanLaw& law, const Vec<T, 3>& trial, T&, LaneOf<T>) {
  const T log_volume = logarithm_of_volume(law, trial);
  const T largest = max(max(abs(trial[0]), abs(trial[1])), abs(trial[2]));
  return {trial, stress_of(law, trial, log_volume),
          T(law.elastic.mu) * (T(1) + largest * largest) +
              T(law.elastic.lambda) * max(T(1) - log_volume, T(0))};
}

}  // namespace phyxel::mpm
