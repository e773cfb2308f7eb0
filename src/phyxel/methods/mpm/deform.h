#pragma once

#include "phyxel/methods/mpm/laws.h"
#include "phyxel/methods/mpm/stretches.h"

namespace phyxel::mpm {

/// Deforms matter by the velocity gradient c (1/s) for dt. Returns the stress. With dt = 0 it is
/// that of the state as it is.
template <class Law, class T>
PHYXEL_INLINE Symmetric<T> deform(const Law& law, const Mat<T, 3>& c, LaneOf<T> dt, Mat<T, 3>& f,
                                  MemoryOf<Law, T>& memory, T& modulus) {
  if (dt == 0) return stress_without_flow(law, f, memory, modulus);
  f += (c * T(dt)) * f;
  return stress_after_flow(law, f, memory, dt, modulus);
}
template <class T>
PHYXEL_INLINE Symmetric<T> deform(const LiquidLaw& law, const Mat<T, 3>& c, LaneOf<T> dt,
                                  Mat<T, 3>&, T& j, T& modulus) {
  const Mat<T, 3> s = liquid_stress(law, c, T(dt), j);
  modulus = liquid_modulus(law, j);
  return {s[0][0], s[1][1], s[2][2], s[1][2], s[0][2], s[0][1]};
}

}  // namespace phyxel::mpm
