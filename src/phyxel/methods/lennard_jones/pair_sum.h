#pragma once

#include <limits>

#include "phyxel/core/quad.h"
#include "phyxel/core/vec.h"
#include "phyxel/methods/lennard_jones/law.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::lennard_jones {

/// Sum over neighbours of one particle.
struct PairSum {
  Vec3 force = Vec3::zero();          // N, from the potential
  Vec3 viscous_force = Vec3::zero();  // N
  Real stiffness = 0;                 // N/m
  Real viscosity = 0;                 // kg/s
};

/// Energies of one particle; every pair is met twice, so that they count half.
struct PairEnergy {
  Real energy = 0;  // J
  Real virial = 0;  // J, r . f
};

/// What the sums read. Columns have one more element, a particle far away that pads of rows name.
struct PairView {
  const Quad* x = nullptr;  // position and material
  const Quad* v = nullptr;  // velocity and root of the strength; null where nothing depends on them
  const Index* start = nullptr;
  const Index* count = nullptr;
  const Index* neighbour = nullptr;
  const PairLaw* laws = nullptr;  // materials x materials
  Index materials = 0;
  Period period;
  // Between these no neighbour lies beyond a periodic face.
  Vec3 inner_low = Vec3::filled(-std::numeric_limits<Real>::infinity());
  Vec3 inner_high = Vec3::filled(std::numeric_limits<Real>::infinity());

  PHYXEL_FN const PairLaw& law(Index i, Index j) const {
    return laws[static_cast<Index>(x[i].c[3]) * materials + static_cast<Index>(x[j].c[3])];
  }
  PHYXEL_FN Real strength(Index i, Index j) const { return v ? v[i].c[3] * v[j].c[3] : Real(1); }
};

/// Sets inner_low and inner_high. Rows reach `radius` when they are built, and stay in use until a
/// pair may have moved apart by the skin, radius - cutoff: no neighbour is farther than both.
inline void set_inner(const PeriodicBox& box, Real radius, Real cutoff, PairView& view) {
  const Real reach = 2 * radius - cutoff;
  for (int k = 0; k < 3; ++k) {
    if (!box.periodic[k]) continue;
    view.inner_low[k] = box.min[k] + reach;
    view.inner_high[k] = box.min[k] + box.size[k] - reach;
  }
}

PHYXEL_FN Vec3 difference(const PairView& in, Index i, Index j) {
  Vec3 d;
  for (int k = 0; k < 3; ++k)
    d[k] = nearest(in.x[j].c[k] - in.x[i].c[k], in.period.size[k], in.period.half[k]);
  return d;
}

/// One pair at a time and from the law itself: what a GPU thread does, and what the packs of the
/// CPU are tested against.
PHYXEL_FN void add_pair(const PairView& in, Index i, Index j, PairSum& sum) {
  const PairLaw& law = in.law(i, j);
  const Vec3 d = difference(in, i, j);
  const Real squared = length_squared(d);
  if (squared >= law.cutoff * law.cutoff) return;
  const Real r = sqrt(squared), strength = in.strength(i, j);
  const PairTerm<Real> term = pair_term(law, r);
  sum.force += d * (strength * term.slope / r);
  sum.stiffness += strength * term.stiffness;
  if (!in.v) return;
  // Tonnesen, eq. 3.18, weighted by w(r) so that it has no jump at the cut-off:
  // docs/methods/lennard_jones.md#damping
  const Real c = term.weight * law.viscosity;
  for (int k = 0; k < 3; ++k) sum.viscous_force[k] += (in.v[j].c[k] - in.v[i].c[k]) * c;
  sum.viscosity += c;
}

PHYXEL_FN PairSum sum_pairs_one_by_one(const PairView& in, Index i) {
  PairSum sum;
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) add_pair(in, i, in.neighbour[e], sum);
  return sum;
}

PHYXEL_FN PairEnergy sum_energy_one_by_one(const PairView& in, Index i) {
  PairEnergy sum;
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e];
    const PairLaw& law = in.law(i, j);
    const Real squared = length_squared(difference(in, i, j));
    if (squared >= law.cutoff * law.cutoff) continue;
    const Real r = sqrt(squared), half = Real(0.5) * in.strength(i, j);
    const PairTerm<Real> term = pair_term(law, r);
    sum.energy += half * term.energy;
    sum.virial -= half * term.slope * r;
  }
  return sum;
}

}  // namespace phyxel::lennard_jones
