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
  if (!(packed.table.law == law) || packed.table.scale == 0) packed.table = make_force_table(law);
#endif
  packed.law = law;
}

/// Degree of the law's table, 0 where it has none.
inline int degree_of([[maybe_unused]] const PackLaw& packed) {
#ifdef PHYXEL_DOUBLE
  return 0;
#else
  return packed.table.degree;
#endif
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
                        [[maybe_unused]] const Pack::batch_bool_type& wanted) {
#ifndef PHYXEL_DOUBLE
  if (packed.table.degree > 0) {
    const Pack u = squared * Pack(packed.table.scale);
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
                      [[maybe_unused]] const Pack::batch_bool_type& wanted) {
#ifndef PHYXEL_DOUBLE
  if (packed.table.degree > 0) {
    const Pack u = squared * Pack(packed.table.scale);
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

  PHYXEL_INLINE PackDistance(const PairView& in, Index i, const Index* neighbour) {
    const QuadPack x = gather(in.x, neighbour);
    for (int k = 0; k < 3; ++k) {
      d[k] = x.c[k] - Pack(in.x[i].c[k]);
      if constexpr (periodic) d[k] = nearest(d[k], in.period.size[k], in.period.half[k]);
    }
    squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
    material = x.c[3];
  }
};

/// Forces and stiffness of a row, lane by lane.
struct PlainSum {
  Pack force[3] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  Pack stiffness = Pack(Real(0));

  PHYXEL_INLINE void add_force(const Pack* d, const Pack& slope_over_r) {
    for (int k = 0; k < 3; ++k) force[k] = xsimd::fma(slope_over_r, d[k], force[k]);
  }
  void add(const PlainSum& other) {
    for (int k = 0; k < 3; ++k) force[k] += other.force[k];
    stiffness += other.stiffness;
  }
};

/// One pack of a row from the law itself, or from the table with care for near pairs.
template <bool periodic>
PlainSum one_carefully(const PairView& in, const PackLaw& law, Index i, const Index* neighbour) {
  PlainSum sum;
  const Pack zero(Real(0));
  const PackDistance<periodic> at(in, i, neighbour);
  const auto wanted = at.squared < Pack(law.law.cutoff * law.law.cutoff);
  const PackTerm term = term_of(law, select(wanted, at.squared, Pack(safe_squared(law))), wanted);
  sum.add_force(at.d, select(wanted, term.slope_over_r, zero));
  sum.stiffness = select(wanted, term.stiffness, zero);
  return sum;
}

#ifndef PHYXEL_DOUBLE
/// A row by the table. False where a pair is nearer than the table reaches; the sum is then wrong.
template <bool periodic, bool stiffness, int degree>
PHYXEL_INLINE bool sum_by_table(const PairView& in, const ForceTable& table, Index i,
                                PlainSum& sum) {
  const Pack scale(table.scale), limit(table.limit), zero(Real(0));
  Pack nearest(Real(1));
  const Index end = in.start[i + 1];
  for (Index e = in.start[i]; e < end; e += lanes) {
    const PackDistance<periodic> at(in, i, in.neighbour + e);
    const Pack u = at.squared * scale;
    nearest = min(nearest, u);
    const auto wanted = u < limit;
    const auto [interval, t] = detail::place_of(u);
    Pack value = look_up(table.slope[degree], interval), derivative = value;
    for (int k = degree - 1; k >= 0; --k) {
      value = xsimd::fma(value, t, look_up(table.slope[k], interval));
      if (stiffness && k > 0) derivative = xsimd::fma(derivative, t, value);
    }
    sum.add_force(at.d, select(wanted, value, zero));
    if constexpr (stiffness) {
      const Pack bend = xsimd::fma(u + u, derivative, value);
      sum.stiffness += select(wanted, max(abs(bend), abs(value)), zero);
    }
  }
  return !any(nearest < Pack(ForceTable::least));
}
#endif

/// Force and stiffness of a row, whatever its pairs.
template <bool periodic>
[[gnu::noinline]] Quad sum_carefully(const PairView& in, const PackLaw& law, Index i) {
  PlainSum sum;
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes)
    sum.add(one_carefully<periodic>(in, law, i, in.neighbour + e));
  return sums_of_lanes(sum.force[0], sum.force[1], sum.force[2], sum.stiffness);
}

/// The plain case, one material without viscosity or softening: force and stiffness of row i.
/// `degree` is that of the law's table, or 0.
template <bool periodic, bool stiffness, int degree>
PHYXEL_INLINE Quad sum_plain(const PairView& in, const PackLaw& law, Index i) {
#ifndef PHYXEL_DOUBLE
  if constexpr (degree > 0) {
    PlainSum sum;
    if (sum_by_table<periodic, stiffness, degree>(in, law.table, i, sum)) [[likely]]
      return sums_of_lanes(sum.force[0], sum.force[1], sum.force[2], sum.stiffness);
  }
#endif
  return sum_carefully<periodic>(in, law, i);
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
