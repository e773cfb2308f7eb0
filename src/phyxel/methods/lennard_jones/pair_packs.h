#pragma once

#include "phyxel/methods/lennard_jones/force_table.h"
#include "phyxel/methods/lennard_jones/pair_sum.h"

// Sums over a row of neighbours on the CPU, a pack of neighbours at a time.

namespace phyxel::lennard_jones {

/// Rows that are summed together at most: a bit for each.
constexpr Index run_of_rows = 64;
static_assert(run_of_rows % lanes == 0);

/// A law as packs evaluate it.
struct PackLaw {
  PairLaw law;
#ifndef PHYXEL_DOUBLE
  ForceTable table;
#endif
};

/// Makes `packed` from `law`; does nothing where it already is.
inline void set_law(const PairLaw& law, PackLaw& packed) {
#ifndef PHYXEL_DOUBLE
  if (!(packed.table.law == law) || packed.table.scale == 0) packed.table = make_force_table(law);
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
/// Corrects the lanes of pairs that are nearer than the table covers.
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

/// A squared distance at which the law is finite, for lanes that are not used.
inline Real safe_squared(const PackLaw& law) {
  return Real(0.5) * law.law.cutoff * law.law.cutoff;
}

/// Lanes outside `wanted` are not valid.
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

/// Vectors from a particle to a pack of its neighbours.
struct PackDistance {
  Pack d[3];
  Pack squared;
  Pack material;

  /// Within the domain.
  PHYXEL_INLINE PackDistance(const PairView& in, Index i, const QuadPack& x) {
    for (int k = 0; k < 3; ++k) d[k] = x.c[k] - Pack(in.x[i].c[k]);
    square();
    material = x.c[3];
  }
  /// Across periodic faces.
  PHYXEL_INLINE void wrap(const Period& period) {
    for (int k = 0; k < 3; ++k) d[k] = nearest(d[k], period.size[k], period.half[k]);
    square();
  }
  /// The same where the shift is known.
  PHYXEL_INLINE void shift(const Real* by) {
    for (int k = 0; k < 3; ++k) d[k] = smaller_of(d[k], d[k] + Pack(by[k]));
    square();
  }
  PHYXEL_INLINE void square() {
    squared = xsimd::fma(d[2], d[2], xsimd::fma(d[1], d[1], d[0] * d[0]));
  }
};

/// Of the nearest copies, in a periodic domain or not.
PHYXEL_INLINE PackDistance nearest_distance(const PairView& in, Index i, const Index* neighbour) {
  PackDistance at(in, i, gather(in.x, neighbour));
  at.wrap(in.period);
  return at;
}

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
inline PlainSum one_carefully(const PairView& in, const PackLaw& law, Index i,
                              const Index* neighbour) {
  PlainSum sum;
  const Pack zero(Real(0));
  const PackDistance at = nearest_distance(in, i, neighbour);
  const auto wanted = at.squared < Pack(law.law.cutoff * law.law.cutoff);
  const PackTerm term = term_of(law, select(wanted, at.squared, Pack(safe_squared(law))), wanted);
  sum.add_force(at.d, select(wanted, term.slope_over_r, zero));
  sum.stiffness = select(wanted, term.stiffness, zero);
  return sum;
}

/// Force and stiffness of a row with pairs at any distance.
[[gnu::noinline]] inline Quad sum_carefully(const PairView& in, const PackLaw& law, Index i) {
  PlainSum sum;
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes)
    sum.add(one_carefully(in, law, i, in.neighbour + e));
  return sums_of_lanes(sum.force[0], sum.force[1], sum.force[2], sum.stiffness);
}

// The plain case, one material without viscosity or softening, is summed by an evaluator: `scale`
// makes u of a squared distance, `limit` is u at the cut-off, `least` the smallest u it is good
// for.

#ifndef PHYXEL_DOUBLE
/// By the table, whose degree is known to the compiler.
template <int degree>
struct TableEvaluator {
  static constexpr Real least = ForceTable::least;
  ForceTable table;
  Real scale, limit;

  explicit TableEvaluator(const PackLaw& law)
      : table(law.table), scale(law.table.scale), limit(law.table.limit) {}

  template <bool stiffness>
  PHYXEL_INLINE PackTerm at(const Pack& u) const {
    const auto [interval, t] = detail::place_of(u);
    Pack value = look_up(table.slope[degree], interval), stiff(Real(0));
    for (int k = degree - 1; k >= 0; --k)
      value = xsimd::fma(value, t, look_up(table.slope[k], interval));
    if constexpr (stiffness)
      stiff = xsimd::fma(look_up(table.stiffness[1], interval), t,
                         look_up(table.stiffness[0], interval));
    return {value, stiff};
  }
};
#endif

/// The 12-6 law without a fade: powers of 1/u are quicker than the table.
struct TwelveSixEvaluator {
  static constexpr Real least = 0;
  Real scale, limit = 1;
  Real twelve, six;  // of (dE/dr)/r, by powers of 1/u

  explicit TwelveSixEvaluator(const PackLaw& law) {
    const Real q2 = law.law.r0 * law.law.r0 / (law.law.cutoff * law.law.cutoff), q6 = q2 * q2 * q2;
    scale = 1 / (law.law.cutoff * law.law.cutoff);
    six = 12 * law.law.e0 * q6 * scale;
    twelve = six * q6;
  }

  template <bool stiffness>
  PHYXEL_INLINE PackTerm at(const Pack& u) const {
    // Lanes beyond the cut-off do not count, but their powers would underflow, which is slow.
    const Pack w = quick_reciprocal(min(u, Pack(Real(1)))), w3 = w * w * w, w4 = w3 * w;
    const Pack value = w4 * xsimd::fnma(Pack(twelve), w3, Pack(six));
    Pack stiff(Real(0));
    if constexpr (stiffness)
      stiff = max(abs(value), abs(w4 * xsimd::fms(Pack(13 * twelve), w3, Pack(7 * six))));
    return {value, stiff};
  }
};

/// Shift of the neighbours of a particle that lie beyond a periodic face.
struct FaceShift {
  Real by[3] = {0, 0, 0};
  bool any = false;

  PHYXEL_INLINE FaceShift(const PairView& in, Index i) {
    for (int k = 0; k < 3; ++k) {
      const Real x = in.x[i].c[k];
      by[k] = x < in.inner_low[k] ? -in.period.size[k] : Real(0);
      by[k] = x > in.inner_high[k] ? in.period.size[k] : by[k];
      any |= by[k] != 0;
    }
  }
};

/// Whether the domain is so narrow that neighbours of one particle lie beyond two opposite faces.
inline bool is_narrow(const PairView& in) {
  return in.inner_low[0] > in.inner_high[0] || in.inner_low[1] > in.inner_high[1] ||
         in.inner_low[2] > in.inner_high[2];
}

/// At most `run_of_rows` rows. Returns a bit for each row with a pair that is nearer than the
/// evaluator is good for: its sum is wrong. The neighbours of a pack are gathered while the pack
/// before is summed, across the ends of rows: either alone leaves half of the processor waiting.
template <bool periodic, bool stiffness, class Evaluator>
PHYXEL_INLINE std::uint64_t sum_quickly(const PairView& in, const Evaluator& law, Index first,
                                        Index last, Quad* sums) {
  constexpr Index prefetched = 16 * lanes;
  const Pack scale(law.scale), limit(law.limit), zero(Real(0));
  std::uint64_t near = 0;
  Index e = in.start[first];
  const Index* const last_pack = in.neighbour + in.start[last] - lanes;
  QuadPack ahead = gather(in.x, in.neighbour + e);
  for (Index i = first; i < last; ++i) {
    PlainSum sum;
    Pack nearest_u(Real(1));
    [[maybe_unused]] const FaceShift shift(in, i);
    for (const Index end = in.start[i + 1]; e < end;) {
      PackDistance at(in, i, ahead);
      e += lanes;
      __builtin_prefetch(in.neighbour + e + prefetched);
      ahead = gather(in.x, std::min(in.neighbour + e, last_pack));
      if (periodic && shift.any) at.shift(shift.by);
      const Pack u = at.squared * scale;
      if constexpr (Evaluator::least > 0) nearest_u = min(nearest_u, u);
      const auto wanted = u < limit;
      const PackTerm term = law.template at<stiffness>(u);
      sum.add_force(at.d, select(wanted, term.slope_over_r, zero));
      if constexpr (stiffness) sum.stiffness += select(wanted, term.stiffness, zero);
    }
    near |= std::uint64_t{any(nearest_u < Pack(Evaluator::least))} << (i - first);
    sums[i - first] = sums_of_lanes(sum.force[0], sum.force[1], sum.force[2], sum.stiffness);
  }
  return near;
}

/// Forces and stiffness of the rows [first, last), `run_of_rows` at most.
template <bool periodic, bool stiffness, class Evaluator>
PHYXEL_INLINE void sum_plain(const PairView& in, const PackLaw& law, const Evaluator& evaluator,
                             Index first, Index last, Quad* sums) {
  std::uint64_t left = ~std::uint64_t{0} >> (run_of_rows - (last - first));
  if (in.start[first] < in.start[last] && !(periodic && is_narrow(in)))
    left = sum_quickly<periodic, stiffness>(in, evaluator, first, last, sums);
  for (; left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    sums[k] = sum_carefully(in, law, first + k);
  }
}

/// The law itself, one pack after the other: in double, and where no evaluator is good enough.
struct CarefulEvaluator {};

template <bool periodic, bool stiffness>
void sum_plain(const PairView& in, const PackLaw& law, const CarefulEvaluator&, Index first,
               Index last, Quad* sums) {
  for (Index i = first; i < last; ++i) sums[i - first] = sum_carefully(in, law, i);
}

/// do_with(evaluator) with the quickest for the law.
template <class DoWith>
auto with_evaluator(const PackLaw& packed, const DoWith& do_with) {
  const PairLaw& law = packed.law;
  if (law.n == 12 && law.m == 6 && !law.faded) return do_with(TwelveSixEvaluator(packed));
#ifndef PHYXEL_DOUBLE
  if (packed.table.degree == 4) return do_with(TableEvaluator<4>(packed));
  if (packed.table.degree == 5) return do_with(TableEvaluator<5>(packed));
#endif
  return do_with(CarefulEvaluator{});
}

/// Adds the neighbours of one material; strengths and viscosity count.
inline void add_material(const PairView& in, const PackLaw& law, Real material, Index i,
                         PairSum& sum) {
  Pack f[4] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  Pack viscous[4] = {Pack(Real(0)), Pack(Real(0)), Pack(Real(0)), Pack(Real(0))};
  const Pack cutoff2(law.law.cutoff * law.law.cutoff), safe(safe_squared(law)), zero(Real(0));
  for (Index e = in.start[i]; e < in.start[i + 1]; e += lanes) {
    const PackDistance at = nearest_distance(in, i, in.neighbour + e);
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
    const PackDistance at = nearest_distance(in, i, in.neighbour + e);
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
