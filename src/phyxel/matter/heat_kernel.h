#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// -W'(r) / r of a smoothing kernel: (1 - r / support)^3, as Wendland's C2 kernel has it, scaled so
/// that conduction is exact in closest packing, as bodies are filled unless a scene says otherwise.
struct HeatKernel {
  Real support = 1;  // m
  Real scale = 1;    // 1/m^(Dim + 2)

  PHYXEL_FN Real steepness(Real r) const {
    const Real t = max(1 - r / support, Real(0));
    return scale * t * t * t;
  }
};

/// Volume of a particle in closest packing over the spacing to the power of the dimensions.
PHYXEL_FN constexpr double packed_volume(int dimensions) {
  return dimensions == 2 ? 0.86602540378443865 : 0.70710678118654752;
}

/// Distance of particles of that volume at rest, m.
PHYXEL_FN Real packed_spacing(Real volume, int dimensions) {
  return dimensions == 2 ? std::sqrt(volume / Real(packed_volume(2)))
                         : std::cbrt(volume / Real(packed_volume(3)));
}

/// Conduction by a smoothing kernel in closest packing over the exact one: the sum over neighbours
/// of V x^2 steepness (matter/heat.h). A few percent from 1 for small supports; methods divide by
/// it. `support` is where the kernel ends, in the unit of the spacing.
template <class Kernel>
double packed_conduction(const Kernel& kernel, Real spacing, Real support, int dimensions) {
  const Index reach = static_cast<Index>(2 * support / spacing) + 1,
              depth = dimensions == 3 ? reach : 0;
  const Real edge = spacing * Real(packed_volume(dimensions));
  const Vec3 step{dimensions == 2 ? spacing * Real(0.5) : edge, edge, edge};
  double sum = 0, volume = packed_volume(dimensions);
  for (int k = 0; k < dimensions; ++k) volume *= spacing;
  // Points of the packing are those with an even sum of whole numbers.
  for (Index a = -reach; a <= reach; ++a)
    for (Index b = -reach; b <= reach; ++b)
      for (Index c = -depth; c <= depth; ++c) {
        const Real r = length(Vec3{Real(a) * step[0], Real(b) * step[1], Real(c) * step[2]});
        if (((a + b + c) & 1) != 0 || r <= 0 || r >= support) continue;
        sum += volume * double(r * r) / dimensions * kernel.steepness(r);
      }
  return sum;
}

inline HeatKernel make_heat_kernel(Real spacing, Real support, int dimensions) {
  HeatKernel kernel{support, 1};
  kernel.scale = static_cast<Real>(1 / packed_conduction(kernel, spacing, support, dimensions));
  return kernel;
}

}  // namespace phyxel
