#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Jelly and rubber. Memory is not used.
struct CorotatedLaw {
  Lame elastic;
  static constexpr const char* name = "corotated";
  static constexpr Real fresh = 0;
  static constexpr bool flows = false;
};
inline void describe(Fields&, CorotatedLaw&) {}

template <class T>
PHYXEL_FN Response<T> respond(const CorotatedLaw& law, const Vec<T, 3>& trial, T&) {
  const T mu = T(law.elastic.mu), lambda = T(law.elastic.lambda);
  return {trial, fixed_corotated_stress(mu, lambda, trial),
          fixed_corotated_modulus(mu, lambda, trial)};
}

/// Neo-Hookean rubber: mu (s^2 - 1) + lambda ln J, continued along its tangent below stretches of a
/// tenth, so that matter that is pressed flat or inside out is pushed back with a finite force.
struct NeoHookeanLaw {
  Lame elastic;
  static constexpr const char* name = "neo_hookean";
  static constexpr Real fresh = 0;
  static constexpr bool flows = false;
};
inline void describe(Fields&, NeoHookeanLaw&) {}

template <class T>
PHYXEL_FN Response<T> respond(const NeoHookeanLaw& law, const Vec<T, 3>& trial, T&) {
  using std::log;
  constexpr LaneOf<T> least = LaneOf<T>(0.1);
  Response<T> r{trial, {}, {}};
  // ln s, straight below `least`.
  T sum = T(0);
  for (int k = 0; k < 3; ++k) {
    const T held = max(trial[k], T(least));
    sum += log(held) + (trial[k] - held) * T(1 / least);
  }
  for (int k = 0; k < 3; ++k)
    r.stress[k] =
        T(law.elastic.mu) * (trial[k] * abs(trial[k]) - T(1)) + T(law.elastic.lambda) * sum;
  const T largest = max(max(abs(trial[0]), abs(trial[1])), abs(trial[2]));
  r.modulus = T(law.elastic.mu) * (T(1) + largest * largest) +
              T(law.elastic.lambda) * max(T(1) - sum, T(0));
  return r;
}

}  // namespace phyxel::mpm
