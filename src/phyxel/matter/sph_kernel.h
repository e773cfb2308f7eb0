#pragma once

#include <cmath>

#include "phyxel/core/scalar_ops.h"

namespace phyxel::sph {

// Wendland's C2 kernel, W(r) = peak (1 - q/2)^4 (2q + 1) with q = r/h, zero from r = 2h on. Chosen
// instead of the cubic spline because particles do not clump in pairs under it (Dehnen and Aly
// 2012), because it is one polynomial without branches in two and three dimensions alike, and
// because its slope over r is a plain cube: forces need neither a division by r nor a special case
// at r = 0.

/// The numbers of the kernel for one smoothing length.
struct SmoothingKernel {
  Real h = 1;       // m, smoothing length: half of the reach
  Real over_h = 1;  // 1/m
  Real peak = 0;    // W(0), 1/m^dimensions
  Real slope = 0;   // -W'(r)/r at r = 0, 1/m^(dimensions + 2)

  PHYXEL_FN Real reach() const { return 2 * h; }
};

/// Its integral over the plane (2 dimensions) or over space (3) is one.
inline SmoothingKernel make_kernel(Real h, int dimensions) {
  constexpr double pi = 3.14159265358979323846;
  const double size = h;
  const double peak =
      dimensions == 2 ? 7 / (4 * pi * size * size) : 21 / (16 * pi * size * size * size);
  return {h, static_cast<Real>(1 / size), static_cast<Real>(peak),
          static_cast<Real>(5 * peak / (size * size))};
}

/// 1 - q/2, from 1 to 0 at the reach: the kernel is a polynomial of it.
template <class T>
PHYXEL_FN T remainder(const SmoothingKernel& kernel, const T& r) {
  return max(T(1) - T(Real(0.5) * kernel.over_h) * r, T(0));
}

/// W(r), 1/m^dimensions.
template <class T>
PHYXEL_FN T weight(const SmoothingKernel& kernel, const T& r) {
  const T t = remainder(kernel, r), t2 = t * t;
  return t2 * t2 * (T(5 * kernel.peak) - T(4 * kernel.peak) * t);  // 2q + 1 = 5 - 4t
}

/// -W'(r)/r, 1/m^(dimensions + 2): the gradient with respect to x_i is this times x_j - x_i.
template <class T>
PHYXEL_FN T inward_slope(const SmoothingKernel& kernel, const T& r) {
  const T t = remainder(kernel, r);
  return t * t * (T(kernel.slope) * t);
}

/// f(r) for all points but the one in the middle of a closest packing with one point per unit
/// volume: the points (i, j, k) of a cubic lattice with an even sum, in the plane those of a square
/// lattice stretched to triangles.
template <class F>
void for_packing(double reach, int dimensions, const F& f) {
  const bool flat = dimensions == 2;
  const double stretch = flat ? std::sqrt(3.0) : 1;
  const double edge = flat ? 1 / std::sqrt(2 * stretch) : std::cbrt(0.5);
  const int far = static_cast<int>(reach / edge) + 1, deep = flat ? 0 : far;
  for (int i = -far; i <= far; ++i)
    for (int j = -far; j <= far; ++j)
      for (int k = -deep; k <= deep; ++k)
        if ((i + j + k) % 2 == 0 && (i != 0 || j != 0 || k != 0))
          f(static_cast<Real>(edge * std::hypot(stretch * i, j, k)));
}

/// The kernel for sums over particles of volume spacing^dimensions instead of integrals.
struct SumKernel {
  SmoothingKernel kernel;
  Real self = 0;  // what a particle adds to its own density ratio
};

/// Gives closest packing at rest a density ratio of one, and the right slope of that ratio under
/// compression. Sums over few neighbours miss both by some percent: they count the middle of the
/// kernel too much (Dehnen and Aly 2012) and its flanks too little, which would be an
/// error of every pressure. Forces use the same kernel and remain slopes of an energy.
SumKernel make_sum_kernel(Real h, Real spacing, int dimensions);

}  // namespace phyxel::sph
