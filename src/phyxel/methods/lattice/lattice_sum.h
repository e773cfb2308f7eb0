#pragma once

#include "phyxel/methods/lattice/points.h"

namespace phyxel::lattice {

/// Conduction by a smoothing kernel on a full lattice over the exact one: the sum over neighbours
/// of V x^2 steepness (matter/heat.h). A few percent from 1 for small supports; methods divide by
/// it. `support` is where the kernel ends, in the unit of the spacing.
template <int Dim, class Kernel>
double lattice_conduction(const Kernel& kernel, Real spacing, Real support) {
  const Index reach = static_cast<Index>(2 * support / spacing) + 1, depth = Dim == 3 ? reach : 0;
  double sum = 0, volume = cell_volume<Dim>;
  for (int k = 0; k < Dim; ++k) volume *= spacing;
  Place<Dim> p;
  for (p[0] = -reach; p[0] <= reach; ++p[0])
    for (p[1] = -reach; p[1] <= reach; ++p[1])
      for (Index c = -depth; c <= depth; ++c) {
        if constexpr (Dim == 3) p[2] = c;
        const Vec<Real, Dim> x = offset(p, spacing);
        const Real r = length(x);
        if (((p[0] + p[1] + c) & 1) != 0 || r <= 0 || r >= support) continue;
        sum += volume * double(r * r) / Dim * kernel.steepness(r);
      }
  return sum;
}

}  // namespace phyxel::lattice
