#pragma once

#include "phyxel/methods/mpm/law_elastic.h"
#include "phyxel/methods/mpm/stretches.h"

// Sheets: flat scenes with plane = "stress". The deformation gradient has the stretch across the
// sheet as its last element; nothing holds it, so that it is the one without stress. In the plane
// the force is then the slope of the energy per area that is least in that stretch.

namespace phyxel::mpm {

/// An elastic law in plane stress.
template <class Law>
struct SheetOf : Law {};

/// The stretches in the plane: singular values of the 2 x 2 part of F, the second negative where it
/// is inside out.
template <class T>
struct PlaneStretches {
  T larger, smaller;
};
template <class T>
PHYXEL_INLINE PlaneStretches<T> plane_stretches(const Mat<T, 3>& f) {
  const T half = T(LaneOf<T>(0.5));
  const T even = f[0][0] + f[1][1], odd = f[1][0] - f[0][1];
  const T wide = f[0][0] - f[1][1], tall = f[1][0] + f[0][1];
  const T mean = half * sqrt(even * even + odd * odd);
  const T apart = half * sqrt(wide * wide + tall * tall);
  return {mean + apart, mean - apart};
}

/// The stretch t across a sheet for which 2 mu (t - 1) t + lambda (a t - 1) a t = 0, with the
/// stretch a of its area; at least a twentieth, so that matter that is inside out does not turn
/// over.
template <class T>
PHYXEL_INLINE T stretch_across(const CorotatedLaw& law, const PlaneStretches<T>& s, const T&) {
  const T area = s.larger * s.smaller, mu2 = T(2 * law.elastic.mu), lambda = T(law.elastic.lambda);
  return max((mu2 + lambda * area) / (mu2 + lambda * area * area), T(LaneOf<T>(0.05)));
}

/// That of mu (t |t| - 1) + lambda (ln a + ln t) = 0 by Newton's method, beginning with the stretch
/// `before` of the last step. The left side rises with t; as in three dimensions, logarithms
/// continue along their tangents below a tenth.
template <class T>
PHYXEL_INLINE T stretch_across(const NeoHookeanLaw& law, const PlaneStretches<T>& s,
                               const T& before) {
  using R = LaneOf<T>;
  constexpr R least = R(0.1);
  // One of three stretches is 1, whose logarithm is 0.
  const T in_plane = logarithm_of_volume(law, Vec<T, 3>{s.larger, s.smaller, T(1)});
  const T mu = T(law.elastic.mu), lambda = T(law.elastic.lambda);
  T t = max(before, T(least));
  for (int k = 0; k < 6; ++k) {
    const T held = max(t, T(least));
    const T own = logarithm_of_volume(law, Vec<T, 3>{t, T(1), T(1)});
    const T stress = mu * (t * abs(t) - T(1)) + lambda * (in_plane + own);
    const T slope = T(2) * mu * abs(t) + lambda / held;
    // A step that would leave the range of the logarithm goes half of the way to its end.
    t = max(t - stress / slope, t * T(R(0.5)));
  }
  return t;
}

/// As deform() of three dimensions (deform.h).
template <class Law, class T>
PHYXEL_INLINE Symmetric<T> deform(const SheetOf<Law>& law, const Mat<T, 3>& c, LaneOf<T> dt,
                                  Mat<T, 3>& f, T& memory, T& modulus) {
  const Law& solid = law;
  if (dt != 0) f += (c * T(dt)) * f;
  f[2][2] = stretch_across(solid, plane_stretches(f), f[2][2]);
  return stress_without_flow(solid, f, memory, modulus);
}

}  // namespace phyxel::mpm
