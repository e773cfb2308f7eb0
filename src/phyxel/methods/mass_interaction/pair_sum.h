#pragma once

#include "phyxel/core/orderless_sum.h"
#include "phyxel/matter/moving.h"
#include "phyxel/methods/mass_interaction/automaton.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::mass_interaction {

/// Forces of so many pairs fit into a whole number as wide as Real.
constexpr int terms_in_whole = sizeof(Real) == 4 ? 16 : 1024;

/// What the sums over neighbours read. Columns have one more element, a particle far away that pads
/// of rows name.
struct PairView {
  const Moving* at = nullptr;
  const Quad* spin = nullptr;       // null where there is no friction
  const Index* material = nullptr;  // null where there is one only
  const Index* start = nullptr;
  const Index* count = nullptr;
  const Index* neighbour = nullptr;
  const Thresholds* thresholds = nullptr;  // by pair of materials
  const Automaton* automata = nullptr;     // instead of them; null where pairs have no memory
  Index materials = 1;
  Period period;
  bool periodic = false;
  SumUnit force_unit, torque_unit;

  // Memory of pairs, an element for each entry of a row; null where they have none.
  std::uint8_t* state = nullptr;
  Real* rest = nullptr;
  Real* slip[3] = {nullptr, nullptr, nullptr};

  PHYXEL_FN EffectUnits units() const { return {force_unit.per_one, torque_unit.per_one}; }
  PHYXEL_FN Index law_of(Index i, Index j) const {
    return material ? material[i] * materials + material[j] : 0;
  }
};

/// Sums over the pairs of one mass.
struct PairSums {
  Vec3 force = Vec3::zero();   // N
  Vec3 torque = Vec3::zero();  // N m
  Real stiffness = 0;          // N/m
  Real viscosity = 0;          // N s/m
  Real energy = 0;             // J, half of that of its pairs
};

PHYXEL_FN Vec3 vector_of(const Quad& q) {
  return {q.c[0], q.c[1], q.c[2]};
}

PHYXEL_FN PairMotion<Real> motion_of(const PairView& in, Index i, Index j) {
  PairMotion<Real> motion;
  for (int k = 0; k < 3; ++k)
    motion.d[k] = nearest(in.at[j].x.c[k] - in.at[i].x.c[k], in.period.size[k], in.period.half[k]);
  motion.v = vector_of(in.at[j].v) - vector_of(in.at[i].v);
  if (in.spin) {
    motion.spins = vector_of(in.spin[i]) + vector_of(in.spin[j]);
    motion.rolling = vector_of(in.spin[j]) - vector_of(in.spin[i]);
  }
  return motion;
}

PHYXEL_FN Memory<Real> memory_at(const PairView& in, Index e) {
  Memory<Real> m;
  m.state = Real(in.state[e]);
  if (in.rest) m.rest = in.rest[e];
  if (in.spin)
    for (int k = 0; k < 3; ++k) m.slip[k] = in.slip[k][e];
  return m;
}
PHYXEL_FN void remember(const PairView& in, Index e, const Memory<Real>& m) {
  in.state[e] = static_cast<std::uint8_t>(m.state);
  if (in.rest) in.rest[e] = m.rest;
  if (in.spin)
    for (int k = 0; k < 3; ++k) in.slip[k][e] = m.slip[k];
}

/// One pair at a time: what a GPU thread does, and what the packs of the CPU are tested against.
/// With dt = 0 the memory of pairs stays as it is.
PHYXEL_FN PairSums sum_one_by_one(const PairView& in, Index i, Real dt) {
  OrderlessSum force[3], torque[3];
  PairSums sums;
  const Index end = in.start[i] + in.count[i];
  for (Index e = in.start[i]; e < end; ++e) {
    const Index j = in.neighbour[e], law = in.law_of(i, j);
    const PairMotion<Real> motion = motion_of(in, i, j);
    if (!in.automata) {
      const Thresholds& thresholds = in.thresholds[law];
      const Touch<Real> touch = act(thresholds, motion, in.force_unit.per_one);
      for (int k = 0; k < 3; ++k) force[k].add(touch.force[k]);
      sums.stiffness += touch.pushes ? thresholds.stiffness : 0;
      sums.viscosity += touch.resists ? thresholds.viscosity : 0;
      sums.energy += touch.energy / 2;
      continue;
    }
    Memory<Real> memory = memory_at(in, e);
    const Effect<Real> effect = advance(Rules{in.automata[law], dt}, motion, in.units(), memory);
    if (dt > 0) remember(in, e, memory);
    for (int k = 0; k < 3; ++k) force[k].add(effect.force[k]);
    if (in.spin)
      for (int k = 0; k < 3; ++k) torque[k].add(effect.torque[k]);
    sums.stiffness += effect.stiffness;
    sums.viscosity += effect.viscosity;
    sums.energy += effect.energy / 2;
  }
  for (int k = 0; k < 3; ++k) {
    sums.force[k] = force[k].value(in.force_unit);
    sums.torque[k] = torque[k].value(in.torque_unit);
  }
  return sums;
}

}  // namespace phyxel::mass_interaction
