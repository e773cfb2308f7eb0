#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "phyxel/matter/pack_stream.h"
#include "phyxel/methods/mass_interaction/pair_sum.h"

// Sums over a row of neighbours on the CPU, a pack of neighbours at a time, where all masses are of
// one material.

namespace phyxel::mass_interaction {

/// A vector of orderless sums, one for each lane; there is room for terms_in_whole of them.
struct LaneSums {
  WholePack whole[3] = {WholePack(0), WholePack(0), WholePack(0)};
  WholeSums flushed;

  PHYXEL_INLINE void add(const Vec3Pack& units) {
    for (int k = 0; k < 3; ++k) whole[k] += xsimd::nearbyint_as_int(units[k]);
  }
  PHYXEL_INLINE void flush() {
    add_lanes(whole, flushed);
    for (WholePack& lanes_of_axis : whole) lanes_of_axis = WholePack(0);
  }
  PHYXEL_INLINE Vec3 total(const SumUnit& unit) {
    add_lanes(whole, flushed);
    return scaled(flushed, unit.size);
  }
};

/// Sums over the packs of a row, one number for each lane, and the totals flushed before.
template <bool with_energy, bool rubs>
struct PackSums {
  LaneSums force, torque;
  Pack stiffness = Pack(Real(0)), viscosity = stiffness, energy = stiffness;
  PairSums row;

  PHYXEL_INLINE void add(const Effect<Pack>& e) {
    force.add(e.force);
    if constexpr (rubs) torque.add(e.torque);
    stiffness += e.stiffness;
    viscosity += e.viscosity;
    if constexpr (with_energy) energy += e.energy;
  }
  PHYXEL_INLINE void flush_numbers() {
    const Quad beside = sums_of_lanes(stiffness, viscosity, stiffness, viscosity);
    row.stiffness += beside.c[0];
    row.viscosity += beside.c[1];
    stiffness = viscosity = Pack(Real(0));
    if constexpr (with_energy) row.energy += xsimd::hadd(std::exchange(energy, stiffness)) / 2;
  }
  PHYXEL_INLINE void flush() {
    force.flush();
    if constexpr (rubs) torque.flush();
    flush_numbers();
  }
  PHYXEL_INLINE PairSums total(const PairView& in) {
    flush_numbers();
    row.force = force.total(in.force_unit);
    if constexpr (rubs) row.torque = torque.total(in.torque_unit);
    return row;
  }
};

/// A pack of neighbours of i, from entry e on.
template <bool periodic>
PHYXEL_INLINE PairMotion<Pack> motion_of(const PairView& in, const Quad& x, const Quad& v,
                                         const QuadPack& other_x, const QuadPack& other_v) {
  PairMotion<Pack> motion;
  for (int k = 0; k < 3; ++k) {
    motion.d[k] = other_x.c[k] - Pack(x.c[k]);
    if constexpr (periodic)
      motion.d[k] = nearest(motion.d[k], in.period.size[k], in.period.half[k]);
    motion.v[k] = other_v.c[k] - Pack(v.c[k]);
  }
  return motion;
}

/// The same where pairs have no memory: counts the springs and the dampers that act.
template <bool with_energy>
struct TouchSums {
  const Thresholds law;
  LaneSums force{};
  Index pushing = 0, resisting = 0;
  Pack energy = Pack(Real(0));

  PHYXEL_INLINE void add(const Touch<Pack>& touch) {
    force.add(touch.force);
    pushing += std::popcount(bits_of(touch.pushes));
    resisting += std::popcount(bits_of(touch.resists));
    if constexpr (with_energy) energy += touch.energy;
  }
  PHYXEL_INLINE void flush() { force.flush(); }
  PHYXEL_INLINE PairSums total(const PairView& in) {
    PairSums row;
    row.force = force.total(in.force_unit);
    row.stiffness = law.stiffness * Real(pushing);
    row.viscosity = law.viscosity * Real(resisting);
    if constexpr (with_energy) row.energy = xsimd::hadd(energy) / 2;
    return row;
  }
};

/// Sums the rows of masses [first, last): effect(i, e, motion) is that of a pack from entry e on.
template <bool periodic, class Sums, class EffectOf>
PHYXEL_INLINE void sum_rows_of(const PairView& in, Index first, Index last, const Sums& nothing,
                               const EffectOf& effect_of, PairSums* sums) {
  if (in.start[first] == in.start[last]) {
    std::fill_n(sums, last - first, PairSums{});
    return;
  }
  PackStream<true> stream(in.at, in.neighbour, in.start[first], in.start[last]);
  for (Index i = first; i < last; ++i) {
    const Quad x = in.at[i].x, v = in.at[i].v;
    Sums sum = nothing;
    const Index end = in.start[i + 1];
    while (stream.e < end) {
      const Index stop = std::min(end, stream.e + terms_in_whole * lanes);
      while (stream.e < stop) {
        const Index e = stream.e;
        const PairMotion<Pack> motion = motion_of<periodic>(in, x, v, stream.x, stream.v);
        stream.next();
        sum.add(effect_of(i, e, motion));
      }
      if (stop < end) sum.flush();
    }
    sums[i - first] = sum.total(in);
  }
}

template <bool periodic, bool with_energy>
PHYXEL_INLINE void sum_thresholds(const PairView& in, Index first, Index last, PairSums* sums) {
  const Thresholds law = in.thresholds[0];
  const Real per_newton = in.force_unit.per_one;
  sum_rows_of<periodic>(
      in, first, last, TouchSums<with_energy>{law},
      [=](Index, Index, const PairMotion<Pack>& motion)
          __attribute__((always_inline)) { return act(law, motion, per_newton); },
      sums);
}

/// Rules for packs of pairs: looked up in tables of all states. The template parameters leave out
/// code for memory that no pair needs.
template <bool may_move_rest, bool may_rub>
struct PackRules {
  const Automaton automaton;  // a copy: the compiler knows that stores to memory leave it alone
  const Real dt;
  Table16 stiffness_of{}, viscosity_of{}, rest_of{}, slack_of{}, creeps_of{}, friction_of{},
      rolling_of{}, pulls_of{};

  PackRules(const Automaton& a, Real step) : automaton(a), dt(step) {
    const Rules rules{a, step};
    for (int s = 0; s < a.states; ++s) {
      const Real state(s);
      stiffness_of.value[s] = rules.stiffness(state);
      viscosity_of.value[s] = rules.viscosity(state);
      rest_of.value[s] = rules.rest(state);
      slack_of.value[s] = rules.slack(state);
      creeps_of.value[s] = rules.creeps(state);
      friction_of.value[s] = rules.friction(state);
      rolling_of.value[s] = rules.rolling(state);
      pulls_of.value[s] = rules.pulls(state);
    }
  }
  PHYXEL_INLINE bool moves_rest() const { return may_move_rest && automaton.moves_rest; }
  PHYXEL_INLINE bool rubs() const { return may_rub && automaton.rubs; }
  PHYXEL_INLINE Pack stiffness(const Pack& s) const { return look_up(stiffness_of, s); }
  PHYXEL_INLINE Pack viscosity(const Pack& s) const { return look_up(viscosity_of, s); }
  PHYXEL_INLINE Pack rest(const Pack& s) const { return look_up(rest_of, s); }
  PHYXEL_INLINE Pack slack(const Pack& s) const { return look_up(slack_of, s); }
  PHYXEL_INLINE Pack creeps(const Pack& s) const { return look_up(creeps_of, s); }
  PHYXEL_INLINE Pack friction(const Pack& s) const { return look_up(friction_of, s); }
  PHYXEL_INLINE Pack rolling(const Pack& s) const { return look_up(rolling_of, s); }
  PHYXEL_INLINE Pack pulls(const Pack& s) const { return look_up(pulls_of, s); }
};

template <bool rests, bool rubs>
PHYXEL_INLINE Memory<Pack> memory_of(const PairView& in, Index e) {
  Memory<Pack> m;
  m.state = load_bytes(in.state + e);
  if constexpr (rests) m.rest = Pack::load_unaligned(in.rest + e);
  if constexpr (rubs)
    for (int k = 0; k < 3; ++k) m.slip[k] = Pack::load_unaligned(in.slip[k] + e);
  return m;
}
template <bool rests, bool rubs>
PHYXEL_INLINE void remember(const PairView& in, Index e, const Memory<Pack>& m) {
  store_bytes(m.state, in.state + e);
  if constexpr (rests) m.rest.store_unaligned(in.rest + e);
  if constexpr (rubs)
    for (int k = 0; k < 3; ++k) m.slip[k].store_unaligned(in.slip[k] + e);
}

/// With dt = 0 the memory of pairs stays as it is.
template <bool periodic, bool with_energy, bool rests, bool rubs>
PHYXEL_INLINE void sum_automata(const PairView& in, Index first, Index last, Real dt,
                                PairSums* sums) {
  const PackRules<rests, rubs> rules(in.automata[0], dt);
  const auto effect_of = [&](Index i, Index e, PairMotion<Pack> motion)
      __attribute__((always_inline)) {
    if constexpr (rubs) {
      const Quad own = in.spin[i];
      const QuadPack other = gather(in.spin, in.neighbour + e);
      for (int k = 0; k < 3; ++k) {
        motion.spins[k] = Pack(own.c[k]) + other.c[k];
        motion.rolling[k] = other.c[k] - Pack(own.c[k]);
      }
    }
    Memory<Pack> memory = memory_of<rests, rubs>(in, e);
    const Effect<Pack> effect = advance(rules, motion, in.units(), memory);
    if (dt > 0) remember<rests, rubs>(in, e, memory);
    return effect;
  };
  sum_rows_of<periodic>(in, first, last, PackSums<with_energy, rubs>{}, effect_of, sums);
}

}  // namespace phyxel::mass_interaction
