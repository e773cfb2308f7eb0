#include "phyxel/matter/sph_kernel.h"

namespace phyxel::sph {

SumKernel make_sum_kernel(Real h, Real spacing, int dimensions) {
  const SmoothingKernel unit = make_kernel(h / spacing, dimensions);
  double sum = 0, change = 0;  // of the ratio, and by a compression of the volume
  for_packing(unit.reach(), dimensions, [&](Real r) {
    sum += weight(unit, r);
    change += inward_slope(unit, r) * r * r / dimensions;
  });
  SmoothingKernel kernel = make_kernel(h, dimensions);
  kernel.peak = static_cast<Real>(kernel.peak / change);
  kernel.slope = static_cast<Real>(kernel.slope / change);
  return {kernel, static_cast<Real>(1 - sum / change)};
}

}  // namespace phyxel::sph
