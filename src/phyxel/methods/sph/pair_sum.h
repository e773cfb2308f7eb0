#pragma once

#include "phyxel/matter/moving.h"
#include "phyxel/matter/sph_cohesion.h"
#include "phyxel/matter/sph_law.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::sph {

/// What the sums over neighbours read. Columns have one more element, a particle far away without
/// volume that pads of rows name.
struct PairView {
  const Moving* at = nullptr;  // position, volume at rest; velocity, p / ratio^2
  // Viscosity, bulk viscosity, density at rest and xsph; null where all particles have those of
  // `common`.
  const Quad* liquid = nullptr;
  const Quad* bond = nullptr;  // Surface; null where no liquid has a surface tension
  const Index* start = nullptr;
  const Index* count = nullptr;
  const Index* neighbour = nullptr;
  SmoothingKernel kernel;
  int dimensions = 3;
  Law common;
  Period period;
  bool periodic = false;
  Cohesion cohesion;
};

/// The sum over a row that density needs.
struct DensitySum {
  Real ratio = 0;             // of the neighbours
  Real cover = 0;             // for surface tension
  Vec3 lean = Vec3::zero();   // 1/m, its slope
  Vec3 carry = Vec3::zero();  // m/s, XSPH
};

PHYXEL_FN Vec3 difference(const PairView& in, Index i, Index j) {
  Vec3 d;
  for (int k = 0; k < 3; ++k)
    d[k] = nearest(in.at[j].x.c[k] - in.at[i].x.c[k], in.period.size[k], in.period.half[k]);
  return d;
}
PHYXEL_FN Vec3 velocity_difference(const PairView& in, Index i, Index j) {
  Vec3 d;
  for (int k = 0; k < 3; ++k) d[k] = in.at[j].v.c[k] - in.at[i].v.c[k];
  return d;
}

/// (lean . d)^2 of a particle.
PHYXEL_FN Real lean_along(const Quad& bond, const Vec3& d) {
  const Real along = bond.c[0] * d[0] + bond.c[1] * d[1] + bond.c[2] * d[2];
  return along * along;
}

/// One pair at a time: what a GPU thread does, and what the packs of the CPU are tested against.
PHYXEL_FN DensitySum sum_density_one_by_one(const PairView& in, Index i, bool with_carry) {
  DensitySum sum;
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Vec3 d = difference(in, i, j);
    const Real r = length(d), volume = in.at[j].x.c[3], w = volume * weight(in.kernel, r);
    sum.ratio += w;
    if (in.bond) {
      sum.cover += volume * cover_weight(in.kernel, in.cohesion, r);
      sum.lean += d * (volume * cover_slope(in.kernel, in.cohesion, r));
    }
    if (!with_carry) continue;
    Real xsph = in.common.xsph, density = 1;
    if (in.liquid) {
      const Quad &a = in.liquid[i], &b = in.liquid[j];
      xsph = (a.c[3] + b.c[3]) / 2;
      density = 2 * b.c[2] / (a.c[2] + b.c[2]);
    }
    sum.carry += velocity_difference(in, i, j) * carry(w, xsph, density);
  }
  return sum;
}

/// Force on i over its volume at rest, N/m^3.
PHYXEL_FN Vec3 sum_force_one_by_one(const PairView& in, Index i) {
  Vec3 sum = Vec3::zero();
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const Vec3 d = difference(in, i, j);
    Pair<Real> pair{length_squared(d), dot(velocity_difference(in, i, j), d),
                    in.at[i].v.c[3] + in.at[j].v.c[3], in.common.viscosity,
                    in.common.bulk_viscosity};
    if (in.liquid) {
      const Quad &a = in.liquid[i], &b = in.liquid[j];
      pair.viscosity = shared_viscosity(a.c[0], b.c[0]);
      pair.bulk_viscosity = (a.c[1] + b.c[1]) / 2;
    }
    Real force = pull(in.kernel, in.dimensions, pair);
    if (in.bond) {
      const Quad &a = in.bond[i], &b = in.bond[j];
      force += surface_pull(in.kernel, in.cohesion, pair.squared, pair.parting, a.c[3] + b.c[3],
                            lean_along(a, d) + lean_along(b, d));
    }
    sum += d * (force * in.at[j].x.c[3]);
  }
  return sum;
}

}  // namespace phyxel::sph
