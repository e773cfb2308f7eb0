#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// -W'(r) / r of a smoothing kernel: (1 - r / support)^3, as Wendland's C2 kernel has it, scaled so
/// that conduction is exact in matter at rest.
struct HeatKernel {
  Real support = 1;  // m
  Real scale = 1;    // 1/m^(Dim + 2)

  PHYXEL_FN Real steepness(Real r) const {
    const Real t = max(1 - r / support, Real(0));
    return scale * t * t * t;
  }
};

/// The kernel of a packing. `conduction(kernel)` is the sum over the neighbours of a particle at
/// rest of V x^2 steepness, which is 1 where conduction is exact.
template <class Conduction>
HeatKernel calibrated_kernel(Real support, const Conduction& conduction) {
  HeatKernel kernel{support, 1};
  kernel.scale = static_cast<Real>(1 / conduction(kernel));
  return kernel;
}

}  // namespace phyxel
