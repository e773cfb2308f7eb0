#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Jelly and rubber. Memory is not used.
struct CorotatedLaw {
  Lame elastic;
  static constexpr Real fresh = 0;
};
template <class T>
PHYXEL_FN Response<T> respond(const CorotatedLaw& law, const Vec<T, 3>& trial, T&) {
  return {trial, fixed_corotated_stress(T(law.elastic.mu), T(law.elastic.lambda), trial)};
}

/// Neo-Hookean rubber: mu (s^2 - 1) + lambda ln J, continued along its tangent below stretches of a
/// tenth, so that matter that is pressed flat or inside out is pushed back with a finite force.
struct NeoHookeanLaw {
  Lame elastic;
  static constexpr Real fresh = 0;
};
template <class T>
PHYXEL_FN Response<T> respond(const NeoHookeanLaw& law, const Vec<T, 3>& trial, T&) {
  using std::log;
  constexpr LaneOf<T> least = LaneOf<T>(0.1);
  Response<T> r{trial, {}};
  // ln s, straight below `least`.
  T sum = T(0);
  for (int k = 0; k < 3; ++k) {
    const T held = max(trial[k], T(least));
    sum += log(held) + (trial[k] - held) * T(1 / least);
  }
  for (int k = 0; k < 3; ++k)
    r.stress[k] =
        T(law.elastic.mu) * (trial[k] * abs(trial[k]) - T(1)) + T(law.elastic.lambda) * sum;
  return r;
}

}  // namespace phyxel::mpm
