#pragma once

#include <algorithm>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/methods/mass_interaction/pair_sum.h"

// Sums over a row of neighbours on the CPU, a pack of neighbours at a time, where all masses are of
// one material.

namespace phyxel::mass_interaction {

/// Sums of packs, one number for each lane.
struct PackSums {
  using Sum = OrderlessSum<Pack>;
  const PairView& in;
  Sum force[3] = {Sum(in.force_grid), Sum(in.force_grid), Sum(in.force_grid)};
  Sum torque[3] = {Sum(in.torque_grid), Sum(in.torque_grid), Sum(in.torque_grid)};
  Pack stiffness = Pack(Real(0)), viscosity = stiffness, energy = stiffness;

  template <bool with_energy>
  PHYXEL_INLINE void add(const Effect<Pack>& e) {
    for (int k = 0; k < 3; ++k) force[k].add(in.force_grid, e.force[k]);
    stiffness += e.stiffness;
    viscosity += e.viscosity;
    if constexpr (with_energy) energy += e.energy;
  }
  template <bool with_energy, bool rubs>
  PHYXEL_INLINE PairSums total() const {
    const SumGrid &f = in.force_grid, &t = in.torque_grid;
    const Quad coarse =
        sums_of_lanes(force[0].whole(f), force[1].whole(f), force[2].whole(f), stiffness);
    const Quad fine = sums_of_lanes(force[0].fine, force[1].fine, force[2].fine, viscosity);
    PairSums sums;
    for (int k = 0; k < 3; ++k) sums.force[k] = coarse.c[k] + fine.c[k];
    sums.stiffness = coarse.c[3];
    sums.viscosity = fine.c[3];
    if constexpr (with_energy) sums.energy = xsimd::hadd(energy) / 2;
    if constexpr (!rubs) return sums;
    const Pack zero(Real(0));
    const Quad much =
        sums_of_lanes(torque[0].whole(t), torque[1].whole(t), torque[2].whole(t), zero);
    const Quad little = sums_of_lanes(torque[0].fine, torque[1].fine, torque[2].fine, zero);
    for (int k = 0; k < 3; ++k) sums.torque[k] = much.c[k] + little.c[k];
    return sums;
  }
};

/// A pack of neighbours of i, from entry e on.
template <bool periodic>
PHYXEL_INLINE Motion<Pack> motion_of(const PairView& in, const Quad& x, const Quad& v,
                                     const QuadPack& other_x, const QuadPack& other_v) {
  Motion<Pack> motion;
  for (int k = 0; k < 3; ++k) {
    motion.d[k] = other_x.c[k] - Pack(x.c[k]);
    if constexpr (periodic)
      motion.d[k] = nearest(motion.d[k], in.period.size[k], in.period.half[k]);
    motion.v[k] = other_v.c[k] - Pack(v.c[k]);
  }
  return motion;
}

/// Gathers the neighbours of a pack while the pack before is summed, across the ends of rows.
struct PackStream {
  const PairView& in;
  Index e;
  Index last_pack;
  QuadPack x, v;

  PHYXEL_INLINE PackStream(const PairView& pairs, Index first, Index last)
      : in(pairs), e(pairs.start[first]), last_pack(pairs.start[last] - lanes) {
    fetch();
  }
  PHYXEL_INLINE void fetch() {
    const Index* const row = in.neighbour + std::min(e, last_pack);
    x = load_many_fours([&](Index l) __attribute__((always_inline)) { return in.at[row[l]].x.c; });
    v = load_many_fours([&](Index l) __attribute__((always_inline)) { return in.at[row[l]].v.c; });
  }
  PHYXEL_INLINE void next() {
    e += lanes;
    __builtin_prefetch(in.neighbour + e + 16 * lanes);
    fetch();
  }
};

template <bool periodic, bool with_energy>
PHYXEL_INLINE void sum_thresholds(const PairView& in, Index first, Index last, PairSums* sums) {
  if (in.start[first] == in.start[last]) {
    std::fill_n(sums, last - first, PairSums{});
    return;
  }
  PackStream stream(in, first, last);
  for (Index i = first; i < last; ++i) {
    const Quad x = in.at[i].x, v = in.at[i].v;
    PackSums sum{in};
    for (const Index end = in.start[i + 1]; stream.e < end;) {
      const Motion<Pack> motion = motion_of<periodic>(in, x, v, stream.x, stream.v);
      stream.next();
      sum.add<with_energy>(act(in.thresholds[0], motion));
    }
    sums[i - first] = sum.total<with_energy, false>();
  }
}

template <bool rests, bool rubs>
PHYXEL_INLINE Memory<Pack> memory_of(const PairView& in, Index e) {
  Memory<Pack> m;
  m.state = Pack::load_unaligned(in.state + e);
  if constexpr (rests) m.rest = Pack::load_unaligned(in.rest + e);
  if constexpr (rubs)
    for (int k = 0; k < 3; ++k) m.slip[k] = Pack::load_unaligned(in.slip[k] + e);
  return m;
}
template <bool rests, bool rubs>
PHYXEL_INLINE void remember(const PairView& in, Index e, const Memory<Pack>& m) {
  m.state.store_unaligned(in.state + e);
  if constexpr (rests) m.rest.store_unaligned(in.rest + e);
  if constexpr (rubs)
    for (int k = 0; k < 3; ++k) m.slip[k].store_unaligned(in.slip[k] + e);
}

/// With dt = 0 nothing is remembered.
template <bool periodic, bool with_energy, bool rests, bool rubs>
PHYXEL_INLINE void sum_automata(const PairView& in, Index first, Index last, Real dt,
                                PairSums* sums) {
  if (in.start[first] == in.start[last]) {
    std::fill_n(sums, last - first, PairSums{});
    return;
  }
  const Automaton& automaton = in.automata[0];
  PackStream stream(in, first, last);
  for (Index i = first; i < last; ++i) {
    const Quad x = in.at[i].x, v = in.at[i].v;
    PackSums sum{in};
    for (const Index end = in.start[i + 1]; stream.e < end;) {
      const Index e = stream.e;
      Motion<Pack> motion = motion_of<periodic>(in, x, v, stream.x, stream.v);
      stream.next();
      if constexpr (rubs) {
        const Quad own = in.spin[i];
        const QuadPack other = gather(in.spin, in.neighbour + e);
        for (int k = 0; k < 3; ++k) {
          motion.spins[k] = Pack(own.c[k]) + other.c[k];
          motion.rolling[k] = other.c[k] - Pack(own.c[k]);
        }
      }
      Memory<Pack> memory = memory_of<rests, rubs>(in, e);
      const Effect<Pack> effect = advance(automaton, motion, dt, memory);
      if (dt > 0) remember<rests, rubs>(in, e, memory);
      sum.add<with_energy>(effect);
      if constexpr (rubs)
        for (int k = 0; k < 3; ++k) sum.torque[k].add(in.torque_grid, effect.torque[k]);
    }
    sums[i - first] = sum.total<with_energy, rubs>();
  }
}

}  // namespace phyxel::mass_interaction
