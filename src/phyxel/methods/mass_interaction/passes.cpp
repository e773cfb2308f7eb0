#include "phyxel/methods/mass_interaction/passes.h"

#include "phyxel/methods/skeleton/passes.h"
#ifndef __CUDACC__
#include "phyxel/methods/mass_interaction/pair_packs.h"
#include "phyxel/methods/skeleton/move_packs.h"
#endif

namespace phyxel::mass_interaction {

inline namespace PHYXEL_BACKEND {

namespace {

PHYXEL_FN Quad quad_of(const Vec3& v) {
  return {{v[0], v[1], v[2], 0}};
}

PHYXEL_FN void pack_particle(const StepView& s, Index i) {
  s.at[i] = {quad_of(s.x[i]), quad_of(s.v[i])};
  if (s.spin) s.spin_quad[i] = quad_of(s.spin[i]);
}

/// The last element of all columns, which pads of rows name: far beyond the reach of any mass.
PHYXEL_FN void pack_dummy(const StepView& s) {
  constexpr Real far = Real(1e15);
  s.at[s.n] = {{{far, far, far, 0}}, {}};
  if (s.spin) s.spin_quad[s.n] = {};
}

PHYXEL_FN Moved move_and_pack(const StepView& s, Index i, Real dt) {
  const Moved moved = move_ball(s, i, s.radius_of(i), dt);
  pack_particle(s, i);
  return moved;
}

PHYXEL_FN bool touches_colliders(const StepView& s, Index i) {
  const Real reach = s.radius_of(i) * Real(1.01);
  for (const ColliderView& collider : colliders_near(s.colliders, s.x[i], reach))
    if (collider.friction > 0 && contact_at(collider, s.x[i]).distance < reach) return true;
  return false;
}

/// A mass of uniform density; on a collider with friction it slides, or stays, and does not roll.
PHYXEL_FN_APART void turn(const StepView& s, Vec3 torque, Index i, Real dt) {
  const Real radius = s.radius_of(i), inertia = Real(0.4) * s.mass[i] * radius * radius;
  s.spin[i] += torque * (dt / inertia);
  if (s.flat) s.spin[i][0] = s.spin[i][1] = 0;
  if (s.meets_colliders(i) && touches_colliders(s, i)) s.spin[i] = Vec3::zero();
}

PHYXEL_INLINE Extremes force_particle(const StepView& s, const PairSums& sums, Index i, Real dt) {
  if (dt <= 0) s.energy[i] = sums.energy;
  const Real over_mass = 1 / s.mass[i];
  accelerate_ball(s, i, sums.force * over_mass + s.gravity, s.radius_of(i), dt);
  if (s.spin && !s.is_pinned(i) && dt > 0) turn(s, sums.torque, i, dt);
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  e.squared_frequency = sums.stiffness * over_mass;
  e.viscous_rate = sums.viscosity * over_mass;
  if (!std::isfinite(e.speed_squared + e.squared_frequency + e.viscous_rate +
                     length_squared(s.x[i]) + length_squared(sums.force)))
    e.first_bad = i;
  return e;
}

#ifdef __CUDACC__

Moved move_all(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "mass_interaction.move", view.n, Moved{},
      PHYXEL_LAMBDA(Index i) { return move_and_pack(view, i, dt); }, LargerMove{});
}

Extremes apply_forces_of(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "mass_interaction.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) {
        return force_particle(view, sum_one_by_one(view.pairs, i, dt), i, dt);
      },
      LargerExtremes{});
}

#else

Moved move_all(const Exec& exec, const StepView& view, Real dt) {
  const Pack none(Real(0));
  return move_in_packs(
      exec, "mass_interaction.move", view, dt,
      [=](Index first) { return lanes_meet_nothing(view, first); },
      [=](Index i) { return move_and_pack(view, i, dt); },
      [=](Index first, const Vec3Pack& x, const Vec3Pack& v) __attribute__((always_inline)) {
        store_moving({{x[0], x[1], x[2], none}}, {{v[0], v[1], v[2], none}}, view.at + first);
        if (!view.spin) return;
        for (Index i = first; i < first + lanes; ++i) view.spin_quad[i] = quad_of(view.spin[i]);
      });
}

/// Energies are summed only where nothing moves: steps do not need them.
void sum_rows(const PairView& in, Index first, Index last, Real dt, PairSums* sums) {
  if (in.material) {
    for (Index i = first; i < last; ++i) sums[i - first] = sum_one_by_one(in, i, dt);
    return;
  }
  with_known(in.periodic, [&](auto periodic) {
    with_known(!(dt > 0), [&](auto still) {
      if (!in.automata) return sum_thresholds<periodic.value, still.value>(in, first, last, sums);
      with_known(in.spin != nullptr, [&](auto rubs) {
        with_known(in.rest != nullptr, [&](auto rests) {
          sum_automata<periodic.value, still.value, rests.value, rubs.value>(in, first, last, dt,
                                                                             sums);
        });
      });
    });
  });
}

Extremes apply_forces_of(const Exec& exec, const StepView& view, Real dt) {
  return reduce_runs(
      exec, "mass_interaction.forces", view.n, run_of_rows, Extremes{},
      [=](Index first, Index last) {
        PairSums sums[run_of_rows];
        sum_rows(view.pairs, first, last, dt, sums);
        Extremes e;
        for (Index i = first; i < last; ++i)
          e = LargerExtremes{}(e, force_particle(view, sums[i - first], i, dt));
        return e;
      },
      LargerExtremes{});
}

#endif

}  // namespace

void find_near(const Exec& exec, const StepView& view) {
  mark_near_colliders(exec, "mass_interaction.near", view, view.near);
}

void pack_particles(const Exec& exec, const StepView& view) {
  pack_with_dummy(
      exec, "mass_interaction.pack", view.n, PHYXEL_LAMBDA(Index i) { pack_particle(view, i); },
      PHYXEL_LAMBDA() { pack_dummy(view); });
}

Moved move_particles(const Exec& exec, const StepView& view, Real dt) {
  return move_all(exec, view, dt);
}

Extremes apply_forces(const Exec& exec, const StepView& view, Real dt) {
  return apply_forces_of(exec, view, dt);
}

Real extent_of(const Exec& exec, const Column<Vec3>& column) {
  const Vec3* const x = column.data();
  const Vec3 origin = element(column, 0);
  const Real squared = reduce_max<Real>(
      exec, "mass_interaction.extent", static_cast<Index>(column.size()), Real(0),
      PHYXEL_LAMBDA(Index i) { return length_squared(x[i] - origin); });
  return 2 * std::sqrt(squared);
}

Real largest_speed_squared(const Exec& exec, const Column<Vec3>& column) {
  const Vec3* const v = column.data();
  return reduce_max<Real>(
      exec, "mass_interaction.speed", static_cast<Index>(column.size()), Real(0),
      PHYXEL_LAMBDA(Index i) { return length_squared(v[i]); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mass_interaction
