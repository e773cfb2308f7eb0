#pragma once

#include "phyxel/methods/lattice/fitting.h"
#include "phyxel/methods/lattice/freezing.h"
#include "phyxel/methods/lattice/gathering.h"
#include "phyxel/methods/lattice/passes.h"
#include "phyxel/methods/skeleton/passes.h"
#ifndef __CUDACC__
#include "phyxel/methods/lattice/fitting_packs.h"
#include "phyxel/methods/lattice/gathering_packs.h"
#endif

// The loops of passes.h, for passes_2d_*.cpp and passes_3d_*.cpp alone.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

/// Centres of particles keep half a spacing from colliders.
PHYXEL_FN Real gap_of(const Solid& solid) {
  return Real(0.5) * solid.spacing;
}

template <int Dim>
PHYXEL_FN void pack_particle(const StepView<Dim>& s, Index i) {
  const Vec3 x = s.x[i], v = s.v[i];
  s.x_quad[i] = {{x[0], x[1], x[2], s.mass[i]}};
  s.v_quad[i] = {{v[0], v[1], v[2], s.volume(i)}};
}

template <int Dim>
PHYXEL_FN Real move_and_pack(const StepView<Dim>& s, Index i, Real dt) {
  const Moved moved = move_particle(s, i, dt, s.meets_colliders(i), [&](const Vec3& from, Vec3& v) {
    return beside_colliders<Dim>(s.colliders, from, gap_of(s.solid(i)), dt, v,
                                 CountContact{s.reactions, s.mass[i]});
  });
  pack_particle(s, i);
  return moved.path_squared;
}

/// By how much colliders push a liquid particle away in a step of dt, as an acceleration: the slope
/// of the energy that they give it.
template <int Dim>
PHYXEL_FN Vec<Real, Dim> pushed_by_walls(const StepView<Dim>& s, Index i, Real dt) {
  const bool several = s.colliders.count > 1;
  const Real open = several ? open_share(s, i) : Real(1);
  Vec<Real, Dim> sum = Vec<Real, Dim>::zero();
  for (const ColliderView& collider : colliders_near(s.colliders, s.x[i], s.kernel.reach())) {
    const Contact contact = contact_in<Dim>(collider, s.x[i]);
    const sph::WallTerm term = sph::wall_term(*s.walls, s.kernel, contact.distance);
    const Real others = several ? open / max(1 - term.covered, Real(0.01)) : Real(1);
    const Vec3 push = contact.normal * sph::wall_acceleration(term, s.flow[i].c[3],
                                                              s.solid(i).liquid.density, others);
    sum += narrow<Dim>(push);
    if (s.reactions.counts() && length_squared(push) > 0)
      add_contact_impulse(s.reactions, static_cast<Index>(&collider - s.colliders.data), s.x[i],
                          contact.normal, cast<double>(push) * (double(s.mass[i]) * double(dt)));
  }
  return sum;
}

template <int Dim>
PHYXEL_FN Extremes force_particle(const StepView<Dim>& s, const Gathered<Dim>& sum, Index i,
                                  Real dt) {
  s.energy[i] += sum.energy;
  if (dt > 0) s.torque[i] = as_column(sum.torque);
  if (!s.is_pinned(i) && dt > 0) {
    Vec<Real, Dim> acceleration = sum.force / s.mass[i] + narrow<Dim>(s.gravity);
    if (s.is_liquid(i) && s.meets_colliders(i)) acceleration += pushed_by_walls(s, i, dt);
    Vec3 v = widen<Dim>(s.velocity(i) + sum.change + acceleration * dt);
    if (s.meets_colliders(i))
      v = held_by_colliders<Dim>(s.colliders, s.x[i], gap_of(s.solid(i)), v,
                                 CountContact{s.reactions, s.mass[i]});
    s.v[i] = v;
  }
  if (dt > 0 && s.is_pinned(i))
    count_hold(s, i,
               widen<Dim>(sum.force * dt + sum.change * s.mass[i]) + s.gravity * (s.mass[i] * dt));
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  if (!std::isfinite(e.speed_squared + length_squared(s.x[i]) + length_squared(sum.force)))
    e.first_bad = i;
  return e;
}

/// Whether assignments of i or of a neighbour have changed; beside_changed is reset.
template <int Dim>
PHYXEL_FN bool is_beside_changed(const StepView<Dim>& s, Index i) {
  if (s.beside_changed) {
    const bool beside = s.beside_changed[i] != 0;
    s.beside_changed[i] = 0;
    return beside;
  }
  bool beside = s.changed[i] != 0;
  for_row(s, i, [&](Index j) { beside = beside || s.changed[j] != 0; });
  return beside;
}

}  // namespace

#ifdef __CUDACC__

template <int Dim>
bool Passes<Dim>::fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.fit", view.n, PHYXEL_LAMBDA(Index i) {
        view.changed[i] = 0;
        if (!keeps_assignment(view, i, dt)) find_assignment<AssignNearest>(view, i, dt);
        if (view.changed[i] != 0) {  // all threads write the same value
          view.beside_changed[i] = 1;
          for_row(view, i, [&](Index j) { view.beside_changed[j] = 1; });
        }
        fit_particle(view, i, dt);
      });
  // To wait for the answer of the GPU takes longer than update_calm where nothing has changed.
  return true;
}

template <int Dim>
bool Passes<Dim>::change_phases(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.phases", view.n, PHYXEL_LAMBDA(Index i) { change_phase(view, i, dt); });
  return true;
}

namespace {

/// Threads that share the sums of a particle. Where particles are few, a thread for each leaves
/// most of the GPU idle while it waits for one neighbour after the other.
constexpr Index sharers = 8;
constexpr Index least_to_fill_gpu = 1 << 15;

__device__ Share own_share(Index thread) {
  return {thread % sharers, sharers};
}

/// The sum of what sharers have found, in an order that is always the same.
__device__ Real sum_of_sharers(Real part) {
  const unsigned group = ((1u << sharers) - 1) << (threadIdx.x % warpSize / sharers * sharers);
  for (Index k = 1; k < sharers; k *= 2) part += __shfl_xor_sync(group, part, k);
  return part;
}
template <int N>
__device__ Vec<Real, N> sum_of_sharers(Vec<Real, N> part) {
  for (Real& number : part.c) number = sum_of_sharers(number);
  return part;
}
template <int Dim>
__device__ Gathered<Dim> sum_of_sharers(const Gathered<Dim>& part) {
  return {sum_of_sharers(part.force), sum_of_sharers(part.change), sum_of_sharers(part.torque),
          sum_of_sharers(part.energy)};
}

struct SumDensityTogether {
  Share share;

  template <int Dim>
  __device__ Real operator()(const StepView<Dim>& s, Index i) const {
    return sum_of_sharers(SumDensity{share}(s, i));
  }
};

}  // namespace

template <int Dim>
void Passes<Dim>::find_pressures(const Exec& exec, const StepView<Dim>& view) {
  if (view.n >= least_to_fill_gpu)
    return for_each(
        exec, "lattice.pressures", view.n,
        PHYXEL_LAMBDA(Index i) { find_pressure(view, i, SumDensity{}); });
  for_each(
      exec, "lattice.pressures", view.n * sharers, PHYXEL_LAMBDA(Index k) {
        // All sharers write the same.
        find_pressure(view, k / sharers, SumDensityTogether{own_share(k)});
      });
}

template <int Dim>
Extremes Passes<Dim>::apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt) {
  if (view.n >= least_to_fill_gpu)
    return reduce(
        exec, "lattice.forces", view.n, Extremes{},
        PHYXEL_LAMBDA(Index i) { return force_particle(view, gather(view, i, dt), i, dt); },
        LargerExtremes{});
  return reduce(
      exec, "lattice.forces", view.n * sharers, Extremes{},
      PHYXEL_LAMBDA(Index k) {
        const Index i = k / sharers;
        const Gathered<Dim> sum = sum_of_sharers(gather(view, i, dt, own_share(k)));
        return k % sharers == 0 ? force_particle(view, sum, i, dt) : Extremes{};
      },
      LargerExtremes{});
}

#else

template <int Dim>
bool Passes<Dim>::fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_runs(exec, "lattice.fit", view.n, [=](Index first, Index last) {
    for_lanes(first, last, [&](const Lanes& at) { fit_lanes(view, at, dt); });
  });
  return reduce_max(exec, "lattice.changed", view.n, Index(0),
                    [=](Index i) { return Index(view.changed[i]); }) > 0;
}

template <int Dim>
void Passes<Dim>::find_pressures(const Exec& exec, const StepView<Dim>& view) {
  for_each(exec, "lattice.pressures", view.n,
           [=](Index i) { find_pressure(view, i, SumDensityInPacks{}); });
}

template <int Dim>
bool Passes<Dim>::change_phases(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_max(exec, "lattice.phases", view.n, Index(0),
                    [=](Index i) { return Index(change_phase(view, i, dt)); }) > 0;
}

template <int Dim>
Extremes Passes<Dim>::apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_runs(
      exec, "lattice.forces", view.n, 64, Extremes{},
      [=](Index first, Index last) {
        Extremes e;
        for_lanes(first, last, [&](const Lanes& at) {
          Gathered<Dim> sums[lanes];
          gather_lanes(view, at, dt, sums);
          for (Index l = 0; l < at.count; ++l)
            e = LargerExtremes{}(e, force_particle(view, sums[l], at.first + l, dt));
        });
        return e;
      },
      LargerExtremes{});
}

#endif

template <int Dim>
void Passes<Dim>::find_near(const Exec& exec, const StepView<Dim>& view) {
  find_near_colliders(
      exec, "lattice.near", view,
      PHYXEL_LAMBDA(Index i) {
        // Rows stay valid until a particle has moved half the skin, and a step is a quarter
        // spacing.
        const Real touch = view.solid(i).spacing;
        return (view.has_liquid ? max(touch, view.kernel.reach()) : touch) + view.skin;
      },
      PHYXEL_LAMBDA(Index i, bool near) { view.is_near[i] = near; });
}

template <int Dim>
Real Passes<Dim>::move_particles(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_max(
      exec, "lattice.move", view.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return move_and_pack(view, i, dt); });
}

template <int Dim>
void Passes<Dim>::pack_particles(const Exec& exec, const StepView<Dim>& view) {
  for_each(
      exec, "lattice.pack", view.n, PHYXEL_LAMBDA(Index i) { pack_particle(view, i); });
}

template <int Dim>
void Passes<Dim>::clear_assignments(const Exec& exec, const StepView<Dim>& view) {
  const Index blocks = (view.n + slot_block - 1) / slot_block;
  for_each(
      exec, "lattice.forget", blocks * slot_block, PHYXEL_LAMBDA(Index i) {
        for (int slot = 0; slot < view.slots; ++slot) view.assigned(i, slot) = i;
        if (i < view.n) view.calm[i] = 0;
      });
}

template <int Dim>
void Passes<Dim>::update_calm(const Exec& exec, const StepView<Dim>& view, Real moved) {
  // Each of two particles may move back to where rows were built, and half the skin beyond.
  const Real margin = view.skin + 2 * moved;
  for_each(
      exec, "lattice.update_calm", view.n, PHYXEL_LAMBDA(Index i) {
        if (is_beside_changed(view, i)) update_calm_bits(view, i, margin);
      });
}

template <int Dim>
void Passes<Dim>::update_calm_after_search(const Exec& exec, const StepView<Dim>& view) {
  for_each(
      exec, "lattice.update_calm", view.n, PHYXEL_LAMBDA(Index i) {
        // Assignments are as before: mutual bonds stay mutual if no liquid has come near.
        const bool was_mutual = (view.calm[i] & calm_mutual) != 0;
        const bool mutual =
            !sees_liquid(view, i) && (was_mutual || (view.has_liquid && is_mutual(view, i)));
        set_calm_bits(view, i, mutual, view.skin);
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
