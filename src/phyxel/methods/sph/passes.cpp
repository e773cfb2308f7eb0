#include "phyxel/methods/sph/passes.h"

#include "phyxel/methods/skeleton/passes.h"

#ifndef __CUDACC__
#include "phyxel/methods/skeleton/move_packs.h"
#include "phyxel/methods/sph/pair_packs.h"
#endif

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

namespace {

/// In a flat scene an inclined surface acts along the plane only.
PHYXEL_FN Contact in_plane(const StepView& s, Contact contact) {
  if (s.flat) {
    contact.normal[2] = contact.velocity[2] = 0;
    contact.normal = normalized(contact.normal);
  }
  return contact;
}
PHYXEL_FN Contact contact_in(const StepView& s, const ColliderView& collider, const Vec3& x) {
  return in_plane(s, contact_at(collider, x));
}

/// A particle that would come nearer than the gap takes the velocity that contact allows, and is
/// moved out where that is not enough.
PHYXEL_FN Vec3 beside_colliders(const StepView& s, const Vec3& from, Real dt, Vec3& v,
                                const CountContact& count) {
  Vec3 x = from + v * dt;
  const auto answer = [&](const ColliderView& collider) {
    return in_plane(s, contact_on_path(collider, from, x, dt, s.gap / 16));
  };
  // A path that has been bent may lead to colliders that were not near it.
  const auto next = [&](Index k) {
    return colliders_near_path(s.colliders, from, x, s.gap).next(k);
  };
  for (Index k = next(0); k < s.colliders.count; k = next(k + 1)) {
    const ColliderView& collider = s.colliders.data[k];
    Contact contact = answer(collider);
    if (contact.distance >= s.gap) continue;
    const Vec3 before = v;
    v = collider.contact == ContactKind::separate
            ? contact_response(v, contact, collider.friction, collider.restitution)
            : velocity_on(v, contact, collider.contact, collider.friction);
    count(k, from, contact, before, v);
    x += (v - before) * dt;
    contact = answer(collider);
    if (contact.distance < s.gap) x += contact.normal * (s.gap - contact.distance);
  }
  return x;
}

/// The same for a displacement that is no velocity.
PHYXEL_FN Vec3 outside_colliders(const StepView& s, Vec3 x) {
  const auto next = [&](Index k) { return colliders_near(s.colliders, x, s.gap).next(k); };
  for (Index k = next(0); k < s.colliders.count; k = next(k + 1)) {
    const Contact contact = contact_in(s, s.colliders.data[k], x);
    if (contact.distance < s.gap) x += contact.normal * (s.gap - contact.distance);
  }
  return x;
}

/// The colliders that a kernel around x reaches.
PHYXEL_FN NearColliders walls_at(const StepView& s, const Vec3& x) {
  return colliders_near(s.colliders, x, s.pairs.kernel.reach());
}

/// Share of the kernel that all colliders cover; `clear` becomes the distance to the nearest within
/// its reach.
PHYXEL_FN WallSum sum_walls(const StepView& s, const Vec3& x, Real& clear) {
  WallSum sum;
  clear = beyond_reach;
  for (const ColliderView& collider : walls_at(s, x)) {
    const Real distance = contact_at(collider, x).distance;
    clear = min(clear, distance);
    if (distance < s.pairs.kernel.reach()) sum.add(wall_term(*s.walls, s.pairs.kernel, distance));
  }
  return sum;
}

PHYXEL_FN Real surface_to_wall(const StepView& s, const Contact& contact, Index i) {
  const WallCover wall = wall_cover(*s.walls, s.pairs.kernel, contact.distance);
  const Vec3 lean{s.bond[i].c[0], s.bond[i].c[1], s.bond[i].c[2]};
  return wall_pull(s.pairs.cohesion, s.pairs.dimensions, wall, lean, contact.normal);
}

/// The velocity beside a wall that presses on the particle by an acceleration `pressed`: Coulomb
/// friction, and where liquids stick to the wall its drag.
PHYXEL_FN Vec3 slowed_by_wall(const ColliderView& collider, const Contact& contact, const Vec3& v,
                              Real pressed, Real shear, const Law& law, Real dt) {
  const Vec3 relative = v - contact.velocity;
  const Vec3 sliding = relative - contact.normal * dot(relative, contact.normal);
  if (collider.contact == ContactKind::sticky) {
    // Backward Euler: drag never reverses a motion.
    const Real rate = dt * 2 * law.viscosity / law.density * shear;
    return v - sliding * (rate / (1 + rate));
  }
  const Real speed = length(sliding), lost = collider.friction * pressed * dt;
  return v - sliding * (lost < speed ? lost / speed : Real(speed > 0));
}

/// Counts a change of velocity by a wall in a step of dt.
PHYXEL_FN void count_wall(const StepView& s, const ColliderView& collider, const Contact& contact,
                          Index i, const Vec3& change, Real dt) {
  if (!s.reactions.counts() || s.is_pinned(i) || !(dt > 0)) return;
  add_contact_impulse(s.reactions, static_cast<Index>(&collider - s.colliders.data), s.x[i],
                      contact.normal, cast<double>(change) * double(s.mass[i]));
}

/// Pressure, surface tension and friction. Adds to the acceleration and returns the velocity after
/// friction.
PHYXEL_FN Vec3 beside_wall(const StepView& s, const ColliderView& collider, Index i, Vec3 v,
                           Real open, const Law& law, Real dt, Vec3& acceleration) {
  const Contact contact = contact_in(s, collider, s.x[i]);
  if (contact.distance >= s.pairs.kernel.reach()) return v;
  const WallTerm term = wall_term(*s.walls, s.pairs.kernel, contact.distance);
  const Real others = s.colliders.count > 1 ? open / max(1 - term.covered, Real(0.01)) : Real(1);
  const Real pressed = wall_acceleration(term, s.after[i].v.c[3], law.density, others);
  const Vec3 before = acceleration;
  acceleration += contact.normal * pressed;
  if (s.bond) acceleration -= contact.normal * (surface_to_wall(s, contact, i) / law.density);
  const Vec3 after = slowed_by_wall(collider, contact, v, pressed, term.shear, law, dt);
  count_wall(s, collider, contact, i, (acceleration - before) * dt + (after - v), dt);
  return after;
}

PHYXEL_INLINE void pack_particle(const StepView& s, Index i) {
  const Vec3 x = s.x[i], v = s.v[i];
  const Law& law = s.laws[s.material[i]];
  s.before[i] = {{{x[0], x[1], x[2], s.mass[i] / law.density}}, {{v[0], v[1], v[2], 0}}};
  if (s.liquid) s.liquid[i] = {{law.viscosity, law.bulk_viscosity, law.density, law.xsph}};
}

/// The last element of all columns, which pads of rows name: far away, without volume.
PHYXEL_INLINE void pack_dummy(const StepView& s) {
  constexpr Real far = Real(1e15);
  s.before[s.n] = s.after[s.n] = {{{far, far, far, 0}}, {{0, 0, 0, 0}}};
  if (s.liquid) s.liquid[s.n] = {{0, 0, 0, 0}};
  if (s.bond) s.bond[s.n] = {{0, 0, 0, 0}};
}

PHYXEL_INLINE Moved move_and_pack(const StepView& s, Index i, Real dt) {
  const bool may_meet = !s.is_pinned(i) && s.may_touch(i, length(s.v[i]) * dt);
  const Moved moved = move_particle(s, i, dt, may_meet, [&](const Vec3& from, Vec3& v) {
    return beside_colliders(s, from, dt, v, {s.reactions, s.mass[i]});
  });
  pack_particle(s, i);
  return moved;
}

PHYXEL_INLINE Quad bond_of(const StepView& s, const DensitySum& sum, const Vec3& x, const Law& law,
                           Real volume, bool walls) {
  const Cohesion& cohesion = s.pairs.cohesion;
  Real cover = sum.cover + cohesion.peak * volume;
  Vec3 lean = sum.lean;
  if (walls)
    for (const ColliderView& collider : walls_at(s, x)) {
      const Contact contact = contact_in(s, collider, x);
      const WallCover wall = wall_cover(*s.walls, s.pairs.kernel, contact.distance);
      cover += wall.cover;
      lean -= contact.normal * wall.lean;
    }
  const Surface surface = surface_of(cohesion, law.tension, cover, lean);
  return {{surface.lean[0], surface.lean[1], surface.lean[2], surface.stress}};
}

PHYXEL_INLINE void finish_density(const StepView& s, const DensitySum& sum, Index i, Real dt) {
  const Law& law = s.laws[s.material[i]];
  const Quad at = s.before[i].x;
  Vec3 x{at.c[0], at.c[1], at.c[2]};
  const bool walls = s.meets_walls(i);
  Real ratio = sum.ratio + s.self * at.c[3], clear = beyond_reach;
  if (walls) ratio += sum_walls(s, x, clear).covered();
  s.ratio[i] = ratio;
  Quad flow = s.before[i].v;
  flow.c[3] = pressure(law, ratio) / (ratio * ratio);
  if (s.bond) s.bond[i] = bond_of(s, sum, x, law, at.c[3], walls);
  if (s.carries && dt > 0 && !s.is_pinned(i)) {
    x += sum.carry * dt;
    clear -= 2 * length(sum.carry) * dt;
    if (walls && !(clear > s.gap)) x = outside_colliders(s, x);
    if (s.flat) x[2] = at.c[2];
    x = wrap(s.box, x);
    s.x[i] = x;
  }
  if (walls) s.clear[i] = clear;
  s.after[i] = {{{x[0], x[1], x[2], at.c[3]}}, flow};
}

/// `force` is over the volume at rest, N/m^3.
PHYXEL_INLINE Extremes finish_forces(const StepView& s, const Vec3& force, Index i, Real dt) {
  const Law& law = s.laws[s.material[i]];
  Vec3 acceleration = force / law.density + s.gravity, v = s.v[i];
  if (s.meets_walls(i)) {
    Real clear = 0;
    const Real open = s.colliders.count > 1 ? sum_walls(s, s.x[i], clear).open : Real(1);
    for (const ColliderView& collider : walls_at(s, s.x[i]))
      v = beside_wall(s, collider, i, v, open, law, dt, acceleration);
  }
  if (s.flat) acceleration[2] = v[2] = 0;
  if (!s.is_pinned(i) && dt > 0) s.v[i] = v + acceleration * dt;
  if (s.is_pinned(i)) count_hold(s, i, (force / law.density + s.gravity) * (s.mass[i] * dt));
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  e.squared_acceleration = length_squared(acceleration);
  e.density_ratio = s.ratio[i];
  if (!std::isfinite(e.speed_squared + e.squared_acceleration + e.density_ratio +
                     length_squared(s.x[i])))
    e.first_bad = i;
  return e;
}

#ifdef __CUDACC__

Moved move_all(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "sph.move", view.n, Moved{},
      PHYXEL_LAMBDA(Index i) { return move_and_pack(view, i, dt); }, LargerMove{});
}

void sum_densities_of(const Exec& exec, const StepView& view, Real dt) {
  for_each(
      exec, "sph.density", view.n, PHYXEL_LAMBDA(Index i) {
        finish_density(view, sum_density_one_by_one(view.pairs, i, view.carries), i, dt);
      });
}

Extremes apply_forces_of(const Exec& exec, const StepView& view, Real dt) {
  return reduce(
      exec, "sph.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) {
        return finish_forces(view, sum_force_one_by_one(view.pairs, i), i, dt);
      },
      LargerExtremes{});
}

#else

/// Whether particles first to first + lanes - 1 meet no wall.
PHYXEL_INLINE bool lanes_meet_no_wall(const StepView& s, Index first) {
  if (s.colliders.count == 0) return true;
  return !s.colliders_moved && smallest_lane(Pack::load_unaligned(s.clear + first)) >= beyond_reach;
}

/// Particles of one liquid: packs know their density.
Moved move_all(const Exec& exec, const StepView& view, Real dt) {
  const Pack none(Real(0)), density(view.pairs.common.density);
  return move_in_packs(
      exec, "sph.move", view, dt,
      [=](Index first) { return !view.liquid && lanes_meet_no_wall(view, first); },
      [=](Index i) { return move_and_pack(view, i, dt); },
      [=](Index first, const Vec3Pack& x, const Vec3Pack& v) __attribute__((always_inline)) {
        const Pack volume = Pack::load_unaligned(view.mass + first) / density;
        store_moving({{x[0], x[1], x[2], volume}}, {{v[0], v[1], v[2], none}}, view.before + first);
      });
}

template <bool periodic, bool mixed, bool with_carry, bool tense>
void sum_densities_with(const Exec& exec, const StepView& view, Real dt) {
  for_runs(exec, "sph.density", view.n, [=](Index begin, Index end) {
    for (Index first = begin; first < end; first += run_of_rows) {
      const Index last = std::min(first + run_of_rows, end);
      DensitySum sums[run_of_rows];
      sum_densities<periodic, mixed, with_carry, tense>(view.pairs, first, last, sums);
      for (Index i = first; i < last; ++i) finish_density(view, sums[i - first], i, dt);
    }
  });
}

template <bool periodic, bool mixed, bool tense>
Extremes apply_forces_with(const Exec& exec, const StepView& view, Real dt) {
  return reduce_runs(
      exec, "sph.forces", view.n, run_of_rows, Extremes{},
      [=](Index first, Index last) {
        Vec3 sums[run_of_rows];
        sum_forces<periodic, mixed, tense>(view.pairs, first, last, sums);
        Extremes e;
        for (Index i = first; i < last; ++i)
          e = LargerExtremes{}(e, finish_forces(view, sums[i - first], i, dt));
        return e;
      },
      LargerExtremes{});
}

/// do_with(periodic, mixed, tense), all known to the compiler.
template <class DoWith>
auto with_kind(const PairView& pairs, const DoWith& do_with) {
  return with_known(pairs.bond != nullptr, [&](auto tense) {
    return with_known(pairs.liquid != nullptr, [&](auto mixed) {
      return with_known(pairs.periodic,
                        [&](auto periodic) { return do_with(periodic, mixed, tense); });
    });
  });
}

void sum_densities_of(const Exec& exec, const StepView& view, Real dt) {
  with_kind(view.pairs, [&](auto periodic, auto mixed, auto tense) {
    if (view.carries)
      sum_densities_with<periodic.value, mixed.value, true, tense.value>(exec, view, dt);
    else
      sum_densities_with<periodic.value, mixed.value, false, tense.value>(exec, view, dt);
  });
}

Extremes apply_forces_of(const Exec& exec, const StepView& view, Real dt) {
  return with_kind(view.pairs, [&](auto periodic, auto mixed, auto tense) {
    return apply_forces_with<periodic.value, mixed.value, tense.value>(exec, view, dt);
  });
}

#endif

}  // namespace

void find_near(const Exec& exec, const StepView& view) {
  const Real reach = view.pairs.kernel.reach() + Real(0.6) * view.skin;  // of which half is in use
  find_near_colliders(
      exec, "sph.near", view, PHYXEL_LAMBDA(Index) { return reach; },
      PHYXEL_LAMBDA(Index i, bool near) { view.clear[i] = near ? Real(0) : beyond_reach; });
}

void pack_particles(const Exec& exec, const StepView& view) {
  pack_with_dummy(
      exec, "sph.pack", view.n, PHYXEL_LAMBDA(Index i) { pack_particle(view, i); },
      PHYXEL_LAMBDA() { pack_dummy(view); });
}

Moved move_particles(const Exec& exec, const StepView& view, Real dt) {
  return move_all(exec, view, dt);
}

void sum_densities(const Exec& exec, const StepView& view, Real dt) {
  sum_densities_of(exec, view, dt);
}

Extremes apply_forces(const Exec& exec, const StepView& view, Real dt) {
  StepView forces = view;
  forces.pairs.at = view.after;
  return apply_forces_of(exec, forces, dt);
}

double measure_compression(const Exec& exec, const StepView& view) {
  return reduce_sum(
      exec, "sph.energy", view.n, PHYXEL_LAMBDA(Index i) {
        const Law& law = view.laws[view.material[i]];
        return view.mass[i] / law.density * compression_energy(law, view.ratio[i]);
      });
}

double measure_surface(const Exec& exec, const StepView& view) {
  if (!view.bond) return 0;
  return reduce_sum(
      exec, "sph.energy", view.n, PHYXEL_LAMBDA(Index i) {
        const Quad& b = view.bond[i];
        const Surface surface{{b.c[0], b.c[1], b.c[2]}, b.c[3]};
        return view.mass[i] / view.laws[view.material[i]].density *
               double(surface_energy(view.pairs.cohesion, surface));
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
