#include "phyxel/matter/sph_kernel.h"

#include <cmath>

namespace phyxel::sph {

namespace {

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

}  // namespace

SumKernel make_sum_kernel(Real h, Real spacing, int dimensions) {
  const Kernel unit = make_kernel(h / spacing, dimensions);
  double sum = 0, change = 0;  // of the ratio, and by a compression of the volume
  for_packing(unit.reach(), dimensions, [&](Real r) {
    sum += weight(unit, r);
    change += inward_slope(unit, r) * r * r / dimensions;
  });
  Kernel kernel = make_kernel(h, dimensions);
  kernel.peak = static_cast<Real>(kernel.peak / change);
  kernel.slope = static_cast<Real>(kernel.slope / change);
  return {kernel, static_cast<Real>(1 - sum / change)};
}

}  // namespace phyxel::sph
