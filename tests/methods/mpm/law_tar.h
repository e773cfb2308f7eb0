#pragma once

#include "phyxel/methods/mpm/principal.h"

namespace phyxel::mpm {

/// Tar: Hencky elasticity whose shear relaxes (Maxwell). Rubber for an instant, a liquid in the
/// end.
struct TarLaw {
  Lame elastic;              // from youngs_modulus and poissons_ratio
  Real relaxation_time = 1;  // s
  /// Without this type the memory is one number.
  template <class T>
  struct Memory {
    T relaxed;     // shear that has relaxed so far
    T dissipated;  // Pa, energy that this took from a volume
  };
  static constexpr const char* name = "tar";
  static constexpr Memory<Real> fresh{0, 0};  // at the start
  static constexpr bool is_plastic = true;    // false: the law never changes F, which is faster
};

inline void describe(Fields& field, TarLaw& law) {
  field("relaxation_time", law.relaxation_time, "s", positive,
        "time in which shear falls to 1/e of what it was");
}

template <class T>
PHYXEL_FN Vec<T, 3> elastic_stress(const TarLaw& law, const Vec<T, 3>& stretch,
                                   const TarLaw::Memory<T>&) {
  return hencky_stress(law.elastic, logarithms_of(stretch));
}

template <class T>
PHYXEL_FN Response<T> respond(const TarLaw& law, const Vec<T, 3>& trial, TarLaw::Memory<T>& memory,
                              LaneOf<T> dt) {
  // The same part of the shear is left after a time, however that is cut into steps.
  const LaneOf<T> left = std::exp(-dt / LaneOf<T>(law.relaxation_time));
  Vec<T, 3> e = logarithms_of(trial);
  const T volume = mean(e);
  T squares = T(0);
  for (int k = 0; k < 3; ++k) {
    const T shear = e[k] - volume;
    squares += shear * shear;
    e[k] = volume + shear * T(left);
  }
  memory.relaxed += sqrt(squares) * T(1 - left);
  memory.dissipated += squares * T(LaneOf<T>(law.elastic.mu) * (1 - left * left));
  const Vec<T, 3> stress = hencky_stress(law.elastic, e);
  return {exponentials_of(e), stress, hencky_modulus(law.elastic, stress)};
}

}  // namespace phyxel::mpm
