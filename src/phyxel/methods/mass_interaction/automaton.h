#pragma once

#include "phyxel/core/vec.h"

// The interaction of a pair of masses as a finite state automaton (Guilbaud, Luciani, Castagne;
// Cadoz et al.): what acts between them depends on a state, and the state changes where conditions
// on distance, speed and force hold. One template is for a pair and for a pack of them.

namespace phyxel::mass_interaction {

constexpr int most_states = 8, most_transitions = 16, most_conditions = 3;

/// What acts in a state: F = K (rest - D) - Z dD/dt along the line of the pair.
struct State {
  Real stiffness = 0;  // K, N/m
  Real viscosity = 0;  // Z, N s/m
  Real rest = 0;       // m; 0: the distance at which the state was entered
  Real yield = 0;      // N: spring forces beyond it move the rest length, not below `rest`
  Real creep = 0;      // 1/s, how fast
  Real friction = 0;   // Coulomb's coefficient; also of rolling, times `rolling`
  Real rolling = 0;    // share of the radius
  bool pulls = true;   // forces may be attractive
};

enum class Observed : int { distance, speed, force };

/// Holds `above` or below the limit. Speeds are positive apart, forces where they pull.
struct Condition {
  Observed what = Observed::distance;
  bool above = false;
  Real limit = 0;  // m, m/s or N
};

/// Taken where all its conditions hold; of several the first one.
struct Transition {
  int from = 0, to = 0;
  int conditions = 0;
  Condition condition[most_conditions];
};

/// Pairs that have just met, or were farther apart than `reach`, are in state 0, which does
/// nothing.
struct Automaton {
  int states = 1, transitions = 0;
  State state[most_states];
  Transition transition[most_transitions];
  Real reach = 0;           // m
  Real radius = 0;          // m, of the masses, for friction
  bool moves_rest = false;  // in some state pairs have a rest length of their own
  bool rubs = false;        // some state has friction
  bool lets_go = false;     // some state never pulls
  bool feels = false;       // some transition depends on the force
};

/// State of a pair that lasts from step to step.
template <class T>
struct Memory {
  T state = T(Real(0));
  T rest = T(Real(0));                             // m
  Vec<T, 3> slip = Vec<T, 3>::filled(T(Real(0)));  // m: how far friction has been stretched
};

/// How a pair (i, j) moves, seen from i.
template <class T>
struct PairMotion {
  Vec<T, 3> d;        // x_j - x_i, m
  Vec<T, 3> v;        // v_j - v_i, m/s
  Vec<T, 3> spins;    // w_i + w_j, 1/s; only with friction
  Vec<T, 3> rolling;  // w_j - w_i
};

/// Units in which forces and torques are whole numbers, so that sums do not depend on the order.
struct EffectUnits {
  Real per_newton = 1, per_newton_metre = 1;
};

/// Force and torque of a pair on i; j gets the opposite force and, of friction, the same torque.
template <class T>
struct Effect {
  Vec<T, 3> force;   // units
  Vec<T, 3> torque;  // units
  T stiffness;       // N/m
  T viscosity;       // N s/m
  T energy;          // J, of the pair
};

/// The automaton of one pair for a step of dt; pair_packs.h has the same for packs. Numbers are
/// those of a state.
struct Rules {
  const Automaton& automaton;
  Real dt;

  PHYXEL_FN bool moves_rest() const { return automaton.moves_rest; }
  PHYXEL_FN bool rubs() const { return automaton.rubs; }
  PHYXEL_FN Real stiffness(Real state) const { return of(state).stiffness; }
  PHYXEL_FN Real viscosity(Real state) const { return of(state).viscosity; }
  PHYXEL_FN Real rest(Real state) const { return of(state).rest; }
  PHYXEL_FN Real slack(Real state) const { return slack_of(of(state)); }
  PHYXEL_FN Real creeps(Real state) const { return creeps_of(of(state), dt); }
  PHYXEL_FN Real friction(Real state) const { return of(state).friction; }
  PHYXEL_FN Real rolling(Real state) const { return of(state).rolling; }
  PHYXEL_FN Real pulls(Real state) const { return Real(of(state).pulls); }

  PHYXEL_FN const State& of(Real state) const { return automaton.state[static_cast<int>(state)]; }
  /// How far a spring is stretched where it yields, m.
  PHYXEL_FN static Real slack_of(const State& s) {
    return s.yield / max(s.stiffness, smallest_normal<Real>);
  }
  /// The share of stretch beyond it that creeps away in a step. Backward Euler never overshoots.
  PHYXEL_FN static Real creeps_of(const State& s, Real dt) {
    return s.creep * dt / (1 + s.creep * dt);
  }
};

/// The state after the first transition whose conditions hold.
template <class T>
PHYXEL_FN T next_state(const Automaton& a, const T& state, const T& distance, const T& speed,
                       const T& force) {
  T next = state;
  for (int k = a.transitions - 1; k >= 0; --k) {  // so that the first one wins
    const Transition& t = a.transition[k];
    auto holds = state == T(Real(t.from));
    for (int c = 0; c < t.conditions; ++c) {
      const Condition& condition = t.condition[c];
      const T value = condition.what == Observed::distance ? distance
                      : condition.what == Observed::speed  ? speed
                                                           : force;
      const T limit(condition.limit);
      holds = holds && (condition.above ? value > limit : value < limit);
    }
    next = select(holds, T(Real(t.to)), next);
  }
  return next;
}

/// The force of a pair on i in its state, without friction.
template <class T>
struct Pull {
  T stiffness, viscosity;  // N/m, N s/m
  T gap;                   // rest - D, m
  T push;                  // N
};
template <class T, class RulesOfT>
PHYXEL_FN Pull<T> pull_of(const RulesOfT& rules, const Memory<T>& m, const T& distance,
                          const T& speed) {
  const T zero(Real(0));
  T rest = rules.rest(m.state);
  if (rules.moves_rest()) rest = select(m.rest > zero, m.rest, rest);
  Pull<T> p;
  p.stiffness = rules.stiffness(m.state);
  p.viscosity = rules.viscosity(m.state);
  p.gap = rest - distance;
  p.push = p.stiffness * p.gap - p.viscosity * speed;
  if (!rules.automaton.lets_go) return p;
  const auto pulls = rules.pulls(m.state) > zero;
  p.gap = select(pulls, p.gap, max(p.gap, zero));
  p.push = select(pulls, p.push, max(p.stiffness * p.gap - p.viscosity * speed, zero));
  return p;
}

/// Springs beyond their yield force creep: the rest length follows the distance.
template <class T, class RulesOfT>
PHYXEL_FN void let_creep(const RulesOfT& rules, const T& distance, Memory<T>& m) {
  const T zero(Real(0)), creeps = rules.creeps(m.state), stretch = distance - m.rest;
  const T beyond = max(abs(stretch) - rules.slack(m.state), zero);
  const T moved = select(stretch > zero, beyond, -beyond) * creeps;
  // Bonds lengthen and shorten again, but not below the rest length of the state.
  const T least = rules.rest(m.state);
  m.rest = select(creeps > zero && m.rest > zero, max(m.rest + moved, least), m.rest);
}

/// Friction between masses that touch: a spring across the line of the pair that slips where its
/// force exceeds Coulomb's limit (Cundall and Strack 1979), and the same for rolling, without
/// memory. Masses turn, so that angular momentum is kept: both get the moment of the force at their
/// point of contact, and opposite moments of rolling.
template <class T, class RulesOfT>
PHYXEL_FN void rub(const RulesOfT& rules, const PairMotion<T>& motion, const Vec<T, 3>& n,
                   const T& distance, const Pull<T>& pull, const EffectUnits& units, Memory<T>& m,
                   Effect<T>& e) {
  const T zero(Real(0)), half = distance * T(Real(0.5)), tiny(smallest_normal<T>);
  const T most = rules.friction(m.state) * max(pull.push, zero);
  const Real radius = rules.automaton.radius;
  // Velocity of the surface of j relative to that of i.
  Vec<T, 3> sliding = motion.v - cross(motion.spins, n) * half;
  sliding -= n * dot(sliding, n);
  m.slip += sliding * T(rules.dt);
  m.slip -= n * dot(m.slip, n);  // the line of the pair has turned
  const T stretched = sqrt(max(length_squared(m.slip), tiny)) * pull.stiffness;
  m.slip = m.slip * min(T(Real(1)), most / max(stretched, tiny));
  // Where the spring does not slip it is damped, too; the sum stays within Coulomb's limit as well.
  Vec<T, 3> force =
      m.slip * pull.stiffness + sliding * select(most > stretched, pull.viscosity, zero);
  force = force * min(T(Real(1)), most / sqrt(max(length_squared(force), tiny)));
  e.force += force * T(units.per_newton);
  Vec<T, 3> torque = cross(n, force) * half;
  const T turning = sqrt(max(length_squared(motion.rolling), tiny));
  const T resisting =
      min(rules.rolling(m.state) * T(radius) * most, turning * pull.viscosity * T(radius * radius));
  torque += motion.rolling * (resisting / turning);
  e.torque = torque * T(units.per_newton_metre);
}

/// Effect of a pair on i, after its transitions. With dt = 0 nothing that depends on time changes
/// its memory.
template <class T, class RulesOfT>
PHYXEL_FN Effect<T> advance(const RulesOfT& rules, const PairMotion<T>& motion,
                            const EffectUnits& units, Memory<T>& m) {
  const Automaton& a = rules.automaton;
  const T zero(Real(0)), squared = max(length_squared(motion.d), T(smallest_normal<T>));
  const T over = Quick<T>::over_root(squared), distance = squared * over;
  const T speed = dot(motion.v, motion.d) * over;
  const auto meets = distance < T(a.reach);
  T pulled = zero;
  if (a.feels) {
    const Pull<T> before = pull_of(rules, m, distance, speed);
    pulled = zero - before.stiffness * before.gap;
  }
  const T state = select(meets, next_state(a, m.state, distance, speed, pulled), zero);
  const auto enters = state != m.state;
  if (rules.moves_rest()) {
    // Where a state may creep its rest length becomes the pair's own, without a sudden pull.
    const T fixed = rules.rest(state);
    const T own = select(fixed > zero,
                         select(rules.creeps(state) > zero, max(fixed, distance), zero), distance);
    m.rest = select(state == zero, zero, select(enters, own, m.rest));
  }
  m.state = state;
  if (rules.moves_rest() && rules.dt > 0) let_creep(rules, distance, m);
  const Pull<T> pull = pull_of(rules, m, distance, speed);
  const Vec<T, 3> n = motion.d * over;
  Effect<T> e;
  e.force = n * (pull.push * T(-units.per_newton));
  e.torque = Vec<T, 3>::filled(zero);
  e.stiffness = pull.stiffness;
  e.viscosity = pull.viscosity;
  e.energy = pull.stiffness * pull.gap * pull.gap * T(Real(0.5));
  if (rules.rubs()) {
    for (int k = 0; k < 3; ++k) m.slip[k] = select(enters, zero, m.slip[k]);
    rub(rules, motion, n, distance, pull, units, m, e);
  }
  return e;
}

/// The paper's automaton of pastes and gels needs no memory: K acts below one distance, Z below
/// another.
struct Thresholds {
  Real stiffness = 0, viscosity = 0;                // N/m, N s/m
  Real elastic_distance = 0, viscous_distance = 0;  // De, Dv, m
};

/// Force on i, and whether the spring and the damper act.
template <class T>
struct Touch {
  Vec<T, 3> force;  // units
  decltype(T(Real(0)) < T(Real(0))) pushes, resists;
  T energy;  // J, of the pair
};
template <class T>
PHYXEL_FN Touch<T> act(const Thresholds& a, const PairMotion<T>& motion, Real per_newton) {
  const Vec<T, 3>& d = motion.d;
  const T zero(Real(0)), tiny(smallest_normal<T>);  // avoids a division by zero
  const T squared = ((tiny + d[0] * d[0]) + d[1] * d[1]) + d[2] * d[2];
  const T over = Quick<T>::over_root(squared);
  const T gap = T(a.elastic_distance) - squared * over;
  Touch<T> e;
  e.pushes = gap > zero;
  e.resists = squared < T(a.viscous_distance * a.viscous_distance);
  const T pressed = max(gap, zero), speed = select(e.resists, dot(motion.v, d) * over, zero);
  const T push = T(a.stiffness) * pressed - T(a.viscosity) * speed;
  e.force = d * (push * (over * T(-per_newton)));
  e.energy = T(a.stiffness) * pressed * pressed * T(Real(0.5));
  return e;
}

}  // namespace phyxel::mass_interaction
