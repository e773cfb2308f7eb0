#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Snow, Stomakhin et al. 2013: elastic up to a small critical stretch and compression; beyond, it
/// yields, hardens where packed and weakens where drawn out. Memory: J_P, the volume change by
/// yielding.
struct SnowLaw {
  Lame elastic;
  Real critical_compression = Real(2.5e-2);  // theta_c
  Real critical_stretch = Real(7.5e-3);      // theta_s
  Real hardening = 10;                       // xi
  static constexpr const char* name = "snow";
  static constexpr Real fresh = 1;
  static constexpr bool is_plastic = true;
};

inline void describe(Fields& field, SnowLaw& law) {
  field("critical_compression", law.critical_compression, "", {0, 0.5, false, true, ""},
        "snow yields where it is pressed by more than this share");
  field("critical_stretch", law.critical_stretch, "", {0, 0.5, false, true, ""},
        "snow yields where it is drawn by more than this share");
  field("hardening", law.hardening, "", {0, 30, true, true, "Stomakhin et al. use 5 to 10"},
        "how fast snow stiffens as it is packed, and weakens as it is drawn apart");
}

/// How much stiffer than fresh snow.
template <class T>
PHYXEL_FN T strength_of(const SnowLaw& law, const T& plastic) {
  using std::exp;
  return exp(min(T(law.hardening) * (T(1) - plastic), T(5)));
}
template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const SnowLaw& law, const Vec<T, 3>& stretch, const T& plastic) {
  const T strength = strength_of(law, plastic);
  return fixed_corotated_stress(T(law.elastic.mu) * strength, T(law.elastic.lambda) * strength,
                                stretch);
}

template <class T>
PHYXEL_FN Response<T> respond(const SnowLaw& law, const Vec<T, 3>& trial, T& plastic, LaneOf<T>) {
  const T least = T(1 - law.critical_compression), most = T(1 + law.critical_stretch);
  Response<T> r;
  // The plastic part gets what the clamp takes from the elastic one: their product stays.
  for (int k = 0; k < 3; ++k) r.stretch[k] = min(max(trial[k], least), most);
  const T taken = product(trial) * Quick<T>::reciprocal(product(r.stretch));
  // Between a twentieth and twenty: beyond, snow is dust or ice all the same.
  plastic = min(max(plastic * taken, T(Real(0.05))), T(20));
  const T strength = strength_of(law, plastic);
  const T mu = T(law.elastic.mu) * strength, lambda = T(law.elastic.lambda) * strength;
  r.stress = fixed_corotated_stress(mu, lambda, r.stretch);
  r.modulus = fixed_corotated_modulus(mu, lambda, r.stretch);
  return r;
}

}  // namespace phyxel::mpm
