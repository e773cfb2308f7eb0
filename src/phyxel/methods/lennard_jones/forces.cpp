#include "phyxel/methods/lennard_jones/forces.h"

#include "phyxel/core/reduce_into.h"
#include "phyxel/methods/skeleton/passes.h"
#ifndef __CUDACC__
#include "phyxel/methods/lennard_jones/free_packs.h"
#include "phyxel/methods/lennard_jones/pair_packs.h"
#endif

namespace phyxel::lennard_jones {

#ifndef __CUDACC__
struct PackLaws::Impl {
  std::vector<PackLaw> laws;
};
PackLaws::PackLaws() : impl_(new Impl) {}
PackLaws::~PackLaws() = default;
const PackLaw* PackLaws::data() const {
  return impl_->laws.data();
}
void PackLaws::assign(const std::vector<PairLaw>& laws) {
  impl_->laws.resize(laws.size());
  for (std::size_t k = 0; k < laws.size(); ++k) set_law(laws[k], impl_->laws[k]);
}
#endif

inline namespace PHYXEL_BACKEND {

namespace {

/// Sums over the pairs of a particle.
struct PairSums {
  PairView view;
#ifndef __CUDACC__
  const PackLaw* laws;
  const Index* used;
  Index used_count;

  /// add(law, m) for the law between the material of i and each material m in use.
  template <class Add>
  PHYXEL_INLINE void for_laws(Index i, const Add& add) const {
    const PackLaw* const of_material = laws + static_cast<Index>(view.x[i].c[3]) * view.materials;
    for (const Index* m = used; m < used + used_count; ++m)
      add(of_material[*m], static_cast<Real>(*m));
  }
#endif

  PHYXEL_INLINE PairSum forces(Index i) const {
#ifdef __CUDACC__
    return sum_pairs_one_by_one(view, i);
#else
    PairSum sum;
    for_laws(i, [&](const PackLaw& law, Real m) { add_material(view, law, m, i, sum); });
    return sum;
#endif
  }

  PHYXEL_FN PairEnergy energy(Index i) const {
#ifdef __CUDACC__
    return sum_energy_one_by_one(view, i);
#else
    PairEnergy sum;
    for_laws(i, [&](const PackLaw& law, Real m) { add_energy(view, law, m, i, sum); });
    return sum;
#endif
  }
};

PairSums pair_sums(const StepView& view, [[maybe_unused]] const Laws& laws) {
#ifdef __CUDACC__
  return {view.pairs};
#else
  return {view.pairs, laws.packs.data(), laws.used.data(), static_cast<Index>(laws.used.size())};
#endif
}

/// Sum over the colliders within reach of one particle.
struct ContactSum {
  Vec3 force = Vec3::zero();
  Real energy = 0;
  Real stiffness = 0;
  Vec3 withheld = Vec3::zero();  // part of the repulsion that restitution removes
  Real external_power = 0;
  Real approach_rate = 0;
  Real friction = 0;
  Vec3 normal = Vec3::zero();
  Vec3 velocity = Vec3::zero();
  Index rubs = 0;  // the collider of the friction
};

/// The force on a separating particle is restitution^2 times the law: it leaves with `restitution`
/// times the speed of its approach, because the work on the way out is that part of the work on the
/// way in. Returns the force.
PHYXEL_FN Real add_contact(const ColliderView& collider, Index number, const ObstacleLaw& law,
                           const Contact& contact, const Vec3& v, ContactSum& sum) {
  const ObstacleTerm term = obstacle_term(law, contact.distance);
  const Real approach = dot(v - contact.velocity, contact.normal);
  const Real kept = approach > 0 ? collider.restitution * collider.restitution : Real(1);
  const Real force = kept * term.force;
  sum.force += contact.normal * force;
  sum.energy += term.energy;
  sum.stiffness += term.stiffness;
  const Real near = law.d0 * Real(0.01);
  sum.approach_rate = max(sum.approach_rate, -approach / max(contact.distance, near));
  sum.withheld += contact.normal * (term.force - force);
  sum.external_power += term.force * dot(contact.normal, contact.velocity);
  const Real friction = collider.friction * force;
  if (friction <= sum.friction) return force;
  sum.friction = friction;
  sum.normal = contact.normal;
  sum.velocity = contact.velocity;
  sum.rubs = number;
  return force;
}

/// Counts the force of a collider along its normal.
PHYXEL_FN void count_force(const StepView& s, const ReactionView& forces, Index collider,
                           Vec3 normal, Real force, Index i) {
  if (!forces.counts() || force == 0) return;
  if (s.flat) normal[2] = 0;
  add_contact_impulse(forces, collider, s.x[i], normal, cast<double>(normal) * double(force));
}

PHYXEL_FN ContactSum sum_contacts(const StepView& view, Index i, const ReactionView& forces) {
  ContactSum sum;
  const ObstacleLaw law = view.obstacle[view.material[i]];
  for (const ColliderView& collider : colliders_near(view.colliders, view.x[i], law.d0)) {
    const Contact contact = contact_at(collider, view.x[i]);
    if (!(contact.distance < law.d0)) continue;
    const auto number = static_cast<Index>(&collider - view.colliders.data);
    const Real force = add_contact(collider, number, law, contact, view.v[i], sum);
    count_force(view, forces, number, contact.normal, force, i);
  }
  return sum;
}

/// In a flat scene an inclined surface pushes and rubs along the plane only.
PHYXEL_FN void flatten(ContactSum& sum) {
  sum.force[2] = sum.withheld[2] = sum.velocity[2] = sum.normal[2] = 0;
  sum.normal = normalized(sum.normal);
}

PHYXEL_FN Real kinetic(Real m, const Vec3& v) {
  return Real(0.5) * m * length_squared(v);
}

/// The tangential velocity loses at most the Coulomb impulse and never changes its sign.
PHYXEL_FN Vec3 rubbed(const Vec3& v, const Vec3& normal, const Vec3& wall, Real speed_limit) {
  const Vec3 relative = v - wall;
  const Vec3 tangential = relative - normal * dot(relative, normal);
  const Real speed = length(tangential);
  return speed > speed_limit ? v - tangential * (speed_limit / speed) : v - tangential;
}

/// v += a dt, then friction at the strongest contact.
PHYXEL_INLINE void kick(const StepView& s, Index i, Real dt) {
  if (s.is_pinned(i)) return count_hold(s, i, s.force[i] * dt);
  const Real m = s.mass[i], dt_over_m = dt / m;
  Vec3 v = s.v[i] + s.force[i] * dt_over_m;
  if (s.friction && s.friction[i] > 0) {
    const Vec3 wall = s.contact_velocity[i];
    const Vec3 slower = rubbed(v, s.contact_normal[i], wall, s.friction[i] * dt_over_m);
    // Energy lost by the relative motion is heat; the rest of the change is work of the wall.
    const Real heat = kinetic(m, v - wall) - kinetic(m, slower - wall);
    s.lost[i] += heat;
    s.work[i] += kinetic(m, slower) - kinetic(m, v) + heat;
    if (s.reactions.counts())
      add_contact_impulse(s.reactions, s.contact_collider[i], s.x[i], s.contact_normal[i],
                          cast<double>(slower - v) * double(m));
    v = slower;
  }
  s.v[i] = v;
}

/// x += v dt with the damping of eq. 3.1 solved exactly; pinned particles follow their pin. Returns
/// the impulse of damping.
PHYXEL_INLINE Impulse drift(const StepView& s, Index i, Real dt) {
  const Real m = s.mass[i];
  Impulse damped;
  const Vec3 v = s.v[i];
  Vec3 x = s.x[i];
  if (s.is_pinned(i)) {
    Vec3 moved_v = v;
    x = moved_by_pin(s.pins[s.pin[i]], x, moved_v);
    count_pin(s, i, x, moved_v);
    s.v[i] = moved_v;
    s.work[i] += kinetic(m, s.v[i]) - kinetic(m, v);
  } else {
    const Real rate = s.damping[s.material[i]];
    if (rate != 0) {
      s.v[i] = v * (s.euler ? 1 - rate * dt : std::exp(-rate * dt));
      s.lost[i] += kinetic(m, v) - kinetic(m, s.v[i]);
      damped = impulse_between(m, x, v, x, s.v[i]);
    }
    x += (s.euler ? v : s.v[i]) * dt;
  }
  s.x[i] = wrap(s.box, x);
  return damped;
}

/// Work of the dissipative forces and of colliders over half a drift. Taken with the velocity of
/// the drift before and after it, the sum is the work that the scheme itself does: the balance has
/// no drift.
PHYXEL_INLINE void account(const StepView& s, Index i, Real dt) {
  if (s.dissipative) s.lost[i] -= dot(s.dissipative[i], s.v[i]) * dt;
  if (s.external_power) s.work[i] += s.external_power[i] * dt;
  if (s.is_pinned(i)) s.work[i] -= dot(s.force[i], s.v[i]) * dt;
}

PHYXEL_INLINE void pack_particle(const StepView& s, Index i) {
  const Vec3 x = s.x[i], v = s.v[i];
  s.x_quad[i] = {{x[0], x[1], x[2], static_cast<Real>(s.material[i])}};
  if (s.v_quad) s.v_quad[i] = {{v[0], v[1], v[2], s.root_strength[i]}};
}

/// Stores the forces on a particle and returns the numbers that limit the step.
template <bool contacts>
PHYXEL_INLINE Extremes set_forces(const StepView& s, const PairSum& pairs, Index i) {
  const Real m = s.mass[i];
  Extremes e;
  Vec3 force = pairs.force + pairs.viscous_force + s.gravity * m, dissipative = pairs.viscous_force;
  Real contact_stiffness = 0, friction = 0;
  if constexpr (contacts) {
    ContactSum sum = sum_contacts(s, i, s.forces_counted);
    if (s.flat) flatten(sum);
    force += sum.force;
    dissipative -= sum.withheld;
    contact_stiffness = sum.stiffness;
    friction = sum.friction;
    e.approach_rate = sum.approach_rate;
    s.external_power[i] = sum.external_power;
    s.friction[i] = friction;
    s.contact_normal[i] = sum.normal;
    s.contact_velocity[i] = sum.velocity;
    s.contact_collider[i] = sum.rubs;
  }
  s.force[i] = force;
  if (s.dissipative) s.dissipative[i] = dissipative;
  const Real over_m = 1 / m;
  // Gershgorin: no eigenvalue of the stiffness matrix exceeds twice the largest sum over a row.
  e.squared_frequency = (2 * pairs.stiffness + contact_stiffness) * over_m;
  e.viscous_rate = 2 * pairs.viscosity * over_m;
  e.squared_acceleration = length_squared(force) * over_m * over_m;
  if (friction > 0) {
    const Real largest = (length(force) + friction) * over_m;
    e.squared_acceleration = largest * largest;
  }
  return e;
}

/// Whether a position, velocity or force is not a number, or so large that its square is none.
PHYXEL_INLINE bool is_bad(const Extremes& e) {
  return !std::isfinite(e.speed_squared + e.squared_acceleration + e.squared_frequency +
                        e.moved_squared);
}

/// Everything but the pairs: forces, the second half kick, and what limits the next step.
template <bool contacts>
PHYXEL_INLINE Extremes finish_particle(const StepView& view, const PairSum& pairs, Index i,
                                       Real dt) {
  Extremes e = set_forces<contacts>(view, pairs, i);
  if (dt > 0) {
    account(view, i, dt);
    kick(view, i, dt);
  }
  e.speed_squared = length_squared(view.v[i]);
  e.moved_squared = squared_move(view.box, view.x[i], view.x_at_build[i]);
  if (is_bad(e)) e.first_bad = i;
  return e;
}

template <bool contacts>
Extremes apply_forces_with(const Exec& exec, const StepView& view, const PairSums& sums, Real dt) {
  return reduce(
      exec, "lennard_jones.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) { return finish_particle<contacts>(view, sums.forces(i), i, dt); },
      LargerExtremes{});
}

#ifndef __CUDACC__
/// The plain case: rows of a run in a loop that contains nothing but the law, then their particles,
/// while the sums are in the cache.
template <bool contacts, bool periodic, bool stiffness>
Extremes apply_plain_forces(const Exec& exec, const StepView& view, const PackLaw& law, Real dt) {
  const bool free = !contacts && are_free(view);
  return with_evaluator(law, [&](const auto& evaluator) {
    return reduce_runs(
        exec, "lennard_jones.forces", view.n, run_of_rows, Extremes{},
        [=, &law](Index first, Index last) {
          alignas(64) Quad sums[run_of_rows];
          sum_plain<periodic, stiffness>(view.pairs, law, evaluator, first, last, sums);
          bool look_for_bad = false;
          if (free) {
            const Extremes e = finish_free(view, sums, first, last, dt, look_for_bad);
            if (!look_for_bad) return e;
          }
          Extremes e;
          for (Index i = first; i < last; ++i) {
            const Quad& q = sums[i - first];
            PairSum pairs;
            pairs.force = {q.c[0], q.c[1], q.c[2]};
            pairs.stiffness = q.c[3];
            e = LargerExtremes{}(e,
                                 finish_particle<contacts>(view, pairs, i, look_for_bad ? 0 : dt));
          }
          return e;
        },
        LargerExtremes{});
  });
}

template <bool contacts>
Extremes apply_plain_forces(const Exec& exec, const StepView& view, const Laws& laws, Real dt,
                            bool stiffness) {
  const PackLaw& law = laws.packs.data()[laws.used.front() * (laws.materials + 1)];
  if (any_periodic(view.box))
    return stiffness ? apply_plain_forces<contacts, true, true>(exec, view, law, dt)
                     : apply_plain_forces<contacts, true, false>(exec, view, law, dt);
  return stiffness ? apply_plain_forces<contacts, false, true>(exec, view, law, dt)
                   : apply_plain_forces<contacts, false, false>(exec, view, law, dt);
}
#endif

/// First half kick, drift, and the energy that both dissipate. Returns the impulse of damping.
PHYXEL_INLINE Impulse move_particle(const StepView& view, Index i, Real dt) {
  Impulse damped;
  if (view.euler) {
    damped = drift(view, i, dt);
    account(view, i, dt);
    kick(view, i, dt);
  } else {
    kick(view, i, dt / 2);
    damped = drift(view, i, dt);
    account(view, i, dt / 2);
  }
  pack_particle(view, i);
  return damped;
}

struct SumOfVectors {
  PHYXEL_FN Vec3d operator()(const Vec3d& a, const Vec3d& b) const { return a + b; }
};

struct Added {
  PHYXEL_FN Energies operator()(const Energies& a, const Energies& b) const {
    return {a.pair + b.pair, a.obstacle + b.obstacle, a.virial + b.virial};
  }
};

}  // namespace

void set_root_strengths(const Exec& exec, const Particles& particles, const Laws& laws,
                        Column<Real>& column) {
  const Softening* const softening = laws.softening_table.data();
  const Index* const material = particles.material.data();
  const Real* const temperature = particles.temperature.data();
  Real* const strength = column.data();
  for_each(
      exec, "lennard_jones.strength", particles.size(), PHYXEL_LAMBDA(Index i) {
        strength[i] = root_strength(softening[material[i]], temperature[i]);
      });
}

double drain(const Exec& exec, Column<Real>& column) {
  Real* const value = column.data();
  return reduce_sum(
      exec, "lennard_jones.drain", static_cast<Index>(column.size()), PHYXEL_LAMBDA(Index i) {
        const double sum = value[i];
        value[i] = 0;
        return sum;
      });
}

Vec3d holding_force(const Exec& exec, const Particles& particles, const Column<Vec3>& forces,
                    Index pin) {
  const Index* const held_by = particles.pin.data();
  const Vec3* const force = forces.data();
  return reduce(
      exec, "lennard_jones.pins", particles.size(), Vec3d::zero(),
      PHYXEL_LAMBDA(Index i) {
        return held_by[i] == pin ? -cast<double>(force[i]) : Vec3d::zero();
      },
      SumOfVectors{});
}

void pack_particles(const Exec& exec, const StepView& view) {
  pack_with_dummy(
      exec, "lennard_jones.pack", view.n, PHYXEL_LAMBDA(Index i) { pack_particle(view, i); },
      PHYXEL_LAMBDA() {
        constexpr Real far = Real(1e15);
        view.x_quad[view.n] = {{far, far, far, 0}};
        if (view.v_quad) view.v_quad[view.n] = {{0, 0, 0, 0}};
      });
}

void move_particles(const Exec& exec, const StepView& view, Real dt) {
#ifndef __CUDACC__
  if (are_free(view))
    return for_runs(exec, "lennard_jones.move", view.n, [=](Index first, Index last) {
      if (any_periodic(view.box))
        move_free<true>(view, first, last, dt);
      else
        move_free<false>(view, first, last, dt);
    });
#endif
  if (view.damped)
    return reduce_into(
        exec, "lennard_jones.move", view.n, Impulse{},
        PHYXEL_LAMBDA(Index i) { return move_particle(view, i, dt); }, AddedImpulses{},
        view.damped);
  for_each(
      exec, "lennard_jones.move", view.n, PHYXEL_LAMBDA(Index i) { move_particle(view, i, dt); });
}

Extremes apply_forces(const Exec& exec, const StepView& view, const Laws& laws, Real dt,
                      [[maybe_unused]] bool stiffness) {
  // Without colliders a kernel is much smaller.
  const bool contacts = view.colliders.count > 0;
#ifndef __CUDACC__
  if (laws.is_plain())
    return contacts ? apply_plain_forces<true>(exec, view, laws, dt, stiffness)
                    : apply_plain_forces<false>(exec, view, laws, dt, stiffness);
#endif
  const PairSums sums = pair_sums(view, laws);
  return contacts ? apply_forces_with<true>(exec, view, sums, dt)
                  : apply_forces_with<false>(exec, view, sums, dt);
}

Energies measure_energies(const Exec& exec, const StepView& view, const Laws& laws) {
  const PairSums sums = pair_sums(view, laws);
  Energies energies = reduce(
      exec, "lennard_jones.energy", view.n, Energies{},
      PHYXEL_LAMBDA(Index i) {
        const PairEnergy pair = sums.energy(i);
        view.pair_energy[i] = pair.energy;
        return Energies{pair.energy, 0, pair.virial};
      },
      Added{});
  if (view.colliders.count > 0)
    energies.obstacle = reduce_sum(
        exec, "lennard_jones.energy", view.n,
        PHYXEL_LAMBDA(Index i) { return static_cast<double>(sum_contacts(view, i, {}).energy); });
  return energies;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
