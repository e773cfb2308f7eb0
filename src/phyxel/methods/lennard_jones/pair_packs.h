#pragma once

#include "phyxel/methods/lennard_jones/force_table.h"
#include "phyxel/methods/lennard_jones/pair_sum.h"

// Sums over a row of neighbours on the CPU, a pack of neighbours at a time.

namespace phyxel::lennard_jones {

/// A law as packs evaluate it.
struct PackLaw {
  PairLaw law;
#ifndef PHYXEL_DOUBLE
  ForceTable table;
#endif
};

/// Makes `packed` stand for `law`; does nothing where it already does.
inline void set_law(const PairLaw& law, PackLaw& packed) {
#ifndef PHYXEL_DOUBLE
  if (!(packed.table.law == law) || packed.table.over_cutoff2 == 0)
    packed.table = make_force_table(law);
#endif
  packed.law = law;
}

/// What a pack of pairs contributes, before strengths.
struct PackTerm {
  Pack slope_over_r;
  Pack stiffness;
};

inline PackTerm term_from_law(const PairLaw& law, const Pack& squared) {
  const Pack r = sqrt(squared);
  const PairTerm<Pack> term = pair_term(law, r);
  return {term.slope / r, term.stiffness};
}

#ifndef PHYXEL_DOUBLE
/// Puts right the lanes of pairs that are nearer than the table reaches.
inline void correct_near_lanes(const PairLaw& law, const Pack& squared, std::uint32_t near,
                               PackTerm& term) {
  const PackTerm exact = term_from_law(law, squared);
  alignas(64) bool is_near[lanes];
  for (Index l = 0; l < lanes; ++l) is_near[l] = near >> l & 1;
  const auto mask = Pack::batch_bool_type::load_aligned(is_near);
  term.slope_over_r = select(mask, exact.slope_over_r, term.slope_over_r);
  term.stiffness = select(mask, exact.stiffness, term.stiffness);
}
#endif

/// A squared distance at which the law is finite, for lanes that do not count.
inline Real safe_squared(const PackLaw& law) {
  return Real(0.5) * law.law.cutoff * law.law.cutoff;
}

/// Lanes outside `wanted` mean nothing.
inline PackTerm term_of(const PackLaw& packed, const Pack& squared,
                        const Pack::batch_bool_type& wanted) {
#ifndef PHYXEL_DOUBLE
  if (packed.table.is_accurate) {
    const Pack u = squared * Pack(packed.table.over_cutoff2);
    const TableValue value = look_up(packed.table, max(u, Pack(ForceTable::least)));
    PackTerm term{value.slope_over_r, value.stiffness};
    if (const std::uint32_t near = bits_of((u < Pack(ForceTable::least)) & wanted))
      correct_near_lanes(packed.law, squared, near, term);
    return term;
  }
#endif
  return term_from_law(packed.law, squared);
}

inline Pack energy_of(const PackLaw& packed, const Pack& squared,
                      const Pack::batch_bool_type& wanted) {
#ifndef PHYXEL_DOUBLE
  if (packed.table.is_accurate) {
    const Pack u = squared * Pack(packed.table.over_cutoff2);
    if (bits_of((u < Pack(ForceTable::least)) & wanted) == 0)
      return look_up_energy(packed.table, max(u, Pack(ForceTable::least)));
  }
#endif
  return pair_term(packed.law, sqrt(squared)).energy;
}

/// Differences of a particle from a pack of its neighbours.
template <bool periodic>
struct PackDistance {
  Pack d[3];
  Pack squared;
  Pack material;

  PackDistance(const PairView& in, Index i, const Index* neighbour) {
    const QuadPack x = gather(in.x, neighbour);
    for (int k = 0; k < 3; ++k) {
      d[k] = x.c[k] - Pack(in.x[i].c[k]);
      if constexpr (periodic) d[k] = nearest(d[k], in.period.size[k], in.period.half[k]);
    }
    squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
    material = x.c[3];
  }
};

/// The plain case: one material, no viscosity, no softening.
template <bool periodic>
PairSum sum_plain(const PairView& in, const PackLaw& law, Index i) {
  Pack fx(Real(0)), fy(Real(0)), fz(Real(0)), stiffness(Real(0));
  const Pack cutoff2(law.law.cutoff * law.law.cutoff);
  const Index end = in.start[i + 1];
  for (Index e = in.start[i]; e < end; e += lanes) {
    const PackDistance<periodic> at(in, i, in.neighbour + e);
    const auto wanted = at.squared < cutoff2;
    const PackTerm term = term_of(law, at.squared, wanted);
    const Pack g = select(wanted, term.slope_over_r, Pack(Real(0)));
    fx = xsimd::fma(g, at.d[0], fx);
    fy = xsimd::fma(g, at.d[1], fy);
    fz = xsimd::fma(g, at.d[2], fz);
    stiffness += select(wanted, term.stiffness, Pack(Real(0)));
  }
  const Quad sums = sums_of_lanes(fx, fy, fz, stiffness);
  PairSum sum;
  sum.force = {sums.c[0], sums.c[1], sums.c[2]};
  sum.stiffness = sums.c[3];
  return sum;
}

/// Adds the neighbours of one material; strengths and viscosity count.
template <bool periodic>
void add_material(const PairView& in, const PackLaw& law, Real material, Index i, PairSum& sum) {
  Pack f[4] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  Pack viscous[4] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  const Pack cutoff2(law.law.cutoff * law.law.cutoff), safe(safe_squared(law)), zero(Real(0));
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
    const PackDistance<periodic> at(in, i, in.neighbour + e);
    const auto wanted = (at.squared < cutoff2) & (at.material == Pack(material));
    const QuadPack v = gather(in.v, in.neighbour + e);
    const Pack squared = select(wanted, at.squared, safe);
    const PackTerm term = term_of(law, squared, wanted);
    const Pack strength = select(wanted, v.c[3] * Pack(in.v[i].c[3]), zero);
    const Pack g = strength * term.slope_over_r;
    for (int k = 0; k < 3; ++k) f[k] = xsimd::fma(g, at.d[k], f[k]);
    f[3] += strength * term.stiffness;
    if (law.law.viscosity == 0) continue;
    const Pack weight = law.law.faded ? fade(law.law, sqrt(squared)).value : Pack(Real(1));
    const Pack c = select(wanted, weight * Pack(law.law.viscosity), zero);
    for (int k = 0; k < 3; ++k) viscous[k] = xsimd::fma(v.c[k] - Pack(in.v[i].c[k]), c, viscous[k]);
    viscous[3] += c;
  }
  const Quad a = sums_of_lanes(f[0], f[1], f[2], f[3]);
  const Quad b = sums_of_lanes(viscous[0], viscous[1], viscous[2], viscous[3]);
  sum.force += Vec3{a.c[0], a.c[1], a.c[2]};
  sum.stiffness += a.c[3];
  sum.viscous_force += Vec3{b.c[0], b.c[1], b.c[2]};
  sum.viscosity += b.c[3];
}

/// Energy and virial of the neighbours of one material.
inline void add_energy(const PairView& in, const PackLaw& law, Real material, Index i,
                       PairEnergy& sum) {
  Pack energy(Real(0)), virial(Real(0));
  const Pack cutoff2(law.law.cutoff * law.law.cutoff), safe(safe_squared(law)), zero(Real(0));
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
    const PackDistance<true> at(in, i, in.neighbour + e);
    const auto wanted = (at.squared < cutoff2) & (at.material == Pack(material));
    Pack half = select(wanted, Pack(Real(0.5)), zero);
    if (in.v) half *= gather(in.v, in.neighbour + e).c[3] * Pack(in.v[i].c[3]);
    const Pack squared = select(wanted, at.squared, safe);
    energy = xsimd::fma(half, energy_of(law, squared, wanted), energy);
    virial -= half * term_of(law, squared, wanted).slope_over_r * squared;
  }
  const Quad sums = sums_of_lanes(energy, virial, zero, zero);
  sum.energy += sums.c[0];
  sum.virial += sums.c[1];
}

}  // namespace phyxel::lennard_jones
