#include "phyxel/methods/lattice/passes.h"

#include "phyxel/methods/lattice/fitting.h"
#include "phyxel/methods/lattice/gathering.h"
#include "phyxel/methods/skeleton/passes.h"
#ifndef __CUDACC__
#include "phyxel/methods/lattice/fitting_packs.h"
#include "phyxel/methods/lattice/gathering_packs.h"
#endif

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
    return beside_colliders<Dim>(s.colliders, from, gap_of(s.solid(i)), dt, v);
  });
  pack_particle(s, i);
  return moved.path_squared;
}

/// By how much colliders push a liquid particle away: the slope of the energy that they give it.
template <int Dim>
PHYXEL_FN Vec<Real, Dim> pushed_by_walls(const StepView<Dim>& s, Index i) {
  const bool several = s.colliders.count > 1;
  const Real open = several ? open_share(s, i) : Real(1);
  Vec<Real, Dim> sum = Vec<Real, Dim>::zero();
  for (const ColliderView& collider : s.colliders) {
    const Contact contact = contact_in<Dim>(collider, s.x[i]);
    const sph::WallTerm term = sph::wall_term(*s.walls, s.kernel, contact.distance);
    const Real others = several ? open / max(1 - term.covered, Real(0.01)) : Real(1);
    sum += narrow<Dim>(contact.normal) *
           sph::wall_acceleration(term, s.flow[i].c[3], s.solid(i).liquid.density, others);
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
    if (s.is_liquid(i) && s.meets_colliders(i)) acceleration += pushed_by_walls(s, i);
    Vec3 v = widen<Dim>(s.velocity(i) + sum.change + acceleration * dt);
    if (s.meets_colliders(i))
      v = held_by_colliders<Dim>(s.colliders, s.x[i], gap_of(s.solid(i)), v);
    s.v[i] = v;
  }
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  if (!std::isfinite(e.speed_squared + length_squared(s.x[i]) + length_squared(sum.force)))
    e.first_bad = i;
  return e;
}

/// The phase when neighbours were assigned. Other particles may be changing theirs meanwhile.
template <int Dim>
PHYXEL_FN bool was_liquid(const StepView<Dim>& s, Index i) {
  return (s.calm[i] & calm_liquid) != 0;
}

/// What a liquid particle finds around it, and where it could freeze.
template <int Dim>
struct Surroundings {
  FreezingSite site;
  Index host = -1;  // a solid with an empty place where the particle is; -1: there is none
};

/// Visits the solids that see particle i: visit(j, r), r = x_i - x_j.
template <int Dim, class Visit>
PHYXEL_FN void for_solids_around(const StepView<Dim>& s, Index i, const Visit& visit) {
  for_row(s, i, [&](Index j) {
    const Vec<Real, Dim> r = s.between(j, i);
    const Real reach = reach_of(s.solid(j));
    if (!was_liquid(s, j) && length_squared(r) < reach * reach) visit(j, r);
  });
}

/// The lattices of the solids around pull a particle to their nearest points with springs, which
/// must not be too strong (Wicke et al. 2006, eq. 16). Besides, one of those points has to be
/// empty: a particle that froze elsewhere would have no bond.
template <int Dim>
PHYXEL_FN Surroundings<Dim> look_around(const StepView<Dim>& s, Index i) {
  using V = Vec<Real, Dim>;
  Real count = 0, least = std::numeric_limits<Real>::infinity();
  V velocity = V::zero(), pull = V::zero();
  Surroundings<Dim> found;
  for_solids_around(s, i, [&](Index j, const V& r) {
    const Solid& solid = s.solid(j);
    const Mat<Real, Dim> a = narrow<Dim>(s.a[j]);
    const Place<Dim> place = nearest_point(to_lattice(a) * r, solid.spacing);
    const V away = a * offset(place, solid.spacing) - r;
    ++count;
    velocity += s.velocity(j);
    pull += away * solid.springs.stiffness;
    const int slot = slot_of(place);
    const bool empty = slot >= 0 && slot < s.slots_of(solid) && s.holder_of(j, slot) == j;
    const Real near = length_squared(away) / (solid.spacing * solid.spacing);
    if (empty && near < least) least = near, found.host = j;
  });
  const Real speed = count > 0 ? length(s.velocity(i) - velocity / count) : Real(0);
  found.site = {s.temperature[i], count, speed, length(pull)};
  return found;
}

/// By how much others may be nearer than a spacing, m, so that contact pushes no particle where i
/// freezes. Liquids add their half when they freeze; beside a solid i adds what that one has not.
template <int Dim>
PHYXEL_FN Real closer_where_frozen(const StepView<Dim>& s, Index i) {
  Real most = 0;
  for_row(s, i, [&](Index j) {
    const Real spacing = (s.solid(i).spacing + s.solid(j).spacing) / 2;
    const Real nearer = spacing - length(s.between(i, j));
    most = max(most, was_liquid(s, j) ? nearer : 2 * nearer - s.closer[j]);
  });
  return min(most, s.solid(i).spacing);
}

template <int Dim>
PHYXEL_FN bool change_phase(const StepView<Dim>& s, Index i, Real dt) {
  const Solid& solid = s.solid(i);
  if (!was_liquid(s, i)) {
    if (!melts(solid.melting, s.temperature[i], s.seed, s.id[i], s.step, dt)) return false;
    s.phase[i] = static_cast<std::uint8_t>(Phase::liquid);
    return true;
  }
  if (!freezes(solid) || s.temperature[i] >= solid.freezing.temperature) return false;
  const Surroundings<Dim> found = look_around(s, i);
  const Index host = found.host;
  if (host < 0 || !freezes(solid.freezing, found.site, s.seed, s.id[i], s.step, dt)) return false;
  s.phase[i] = static_cast<std::uint8_t>(Phase::solid);
  s.a[i] = widen<Dim>(polar(narrow<Dim>(s.a[host])).rotation);
  s.closer[i] = closer_where_frozen(s, i);
  s.sets_in[i] = static_cast<Index>(s.step + 1);
  s.object[i] = s.object[host];
  if (s.plastic) s.plastic[i] = Mat3::identity();
  s.rates[i] = SlotRates::filled(solid.docking.largest);
  s.holders[i] = SlotHolders::filled(ParticleId{no_holder});
  return true;
}

#ifdef __CUDACC__

template <int Dim>
void fit_lattices_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.fit", view.n, PHYXEL_LAMBDA(Index i) {
        view.changed[i] = 0;
        if (!keeps_holders(view, i, dt)) find_holders<CollectClaims>(view, i, dt);
        if (view.changed[i] != 0) {  // all threads write the same value
          view.beside_changed[i] = 1;
          for_row(view, i, [&](Index j) { view.beside_changed[j] = 1; });
        }
        fit_particle(view, i, dt);
      });
}

/// To wait for the answer of the GPU takes longer than look_again where nothing has changed.
template <int Dim>
bool anybody_changed(const Exec&, const StepView<Dim>&) {
  return true;
}
template <int Dim>
bool change_phases_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_each(
      exec, "lattice.phases", view.n, PHYXEL_LAMBDA(Index i) { change_phase(view, i, dt); });
  return true;
}

/// Threads that share the sums of a particle. Where particles are few, a thread for each leaves
/// most of the GPU idle while it waits for one neighbour after the other.
constexpr Index sharers = 8;
// Beyond it reductions do not give thread k the value k, and sharers would not meet.
constexpr Index least_to_fill_gpu = phyxel::detail::least_for_one_pass / sharers;

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

template <int Dim>
void find_pressures_of(const Exec& exec, const StepView<Dim>& view) {
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
Extremes apply_forces_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
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
void fit_lattices_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
  for_runs(exec, "lattice.fit", view.n, [=](Index first, Index last) {
    for_lanes(first, last, [&](const Lanes& at) { fit_lanes(view, at, dt); });
  });
}

template <int Dim>
void find_pressures_of(const Exec& exec, const StepView<Dim>& view) {
  for_each(exec, "lattice.pressures", view.n,
           [=](Index i) { find_pressure(view, i, SumDensityInPacks{}); });
}

template <int Dim>
bool anybody_changed(const Exec& exec, const StepView<Dim>& view) {
  return reduce_max(exec, "lattice.changed", view.n, Index(0),
                    [=](Index i) { return Index(view.changed[i]); }) > 0;
}
template <int Dim>
bool change_phases_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_max(exec, "lattice.phases", view.n, Index(0),
                    [=](Index i) { return Index(change_phase(view, i, dt)); }) > 0;
}

template <int Dim>
Extremes apply_forces_of(const Exec& exec, const StepView<Dim>& view, Real dt) {
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

}  // namespace

template <int Dim>
void find_near(const Exec& exec, const StepView<Dim>& view) {
  find_near_colliders(
      exec, "lattice.near", view,
      PHYXEL_LAMBDA(Index i) {
        // Rows stay valid until a particle has moved half the skin, and a step is a quarter
        // spacing.
        const Real touch = view.solid(i).spacing;
        return (view.flows ? max(touch, view.kernel.reach()) : touch) + view.skin;
      },
      PHYXEL_LAMBDA(Index i, bool near) { view.is_near[i] = near; });
}

template <int Dim>
Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return reduce_max(
      exec, "lattice.move", view.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return move_and_pack(view, i, dt); });
}

template <int Dim>
void pack_particles(const Exec& exec, const StepView<Dim>& view) {
  for_each(
      exec, "lattice.pack", view.n, PHYXEL_LAMBDA(Index i) { pack_particle(view, i); });
}

template <int Dim>
void forget_holders(const Exec& exec, const StepView<Dim>& view) {
  const Index blocks = (view.n + holder_block - 1) / holder_block;
  for_each(
      exec, "lattice.forget", blocks * holder_block, PHYXEL_LAMBDA(Index i) {
        for (int slot = 0; slot < view.slots; ++slot) view.holder_of(i, slot) = i;
        if (i < view.n) view.calm[i] = 0;
      });
}

template <int Dim>
bool fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt) {
  fit_lattices_of(exec, view, dt);
  return anybody_changed(exec, view);
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

template <int Dim>
void look_again(const Exec& exec, const StepView<Dim>& view, Real moved) {
  // Each of two particles may move back to where rows were built, and half the skin beyond.
  const Real margin = view.skin + 2 * moved;
  for_each(
      exec, "lattice.look_again", view.n, PHYXEL_LAMBDA(Index i) {
        if (is_beside_changed(view, i)) find_calm(view, i, margin);
      });
}

template <int Dim>
void look_again_at_rows(const Exec& exec, const StepView<Dim>& view) {
  for_each(
      exec, "lattice.look_again", view.n, PHYXEL_LAMBDA(Index i) {
        // Assignments are as before: mutual bonds stay mutual if no liquid has come near.
        const bool was_mutual = (view.calm[i] & calm_mutual) != 0;
        const bool mutual =
            !sees_liquid(view, i) && (was_mutual || (view.flows && is_mutual(view, i)));
        take_calm(view, i, mutual, view.skin);
      });
}

template <int Dim>
void find_pressures(const Exec& exec, const StepView<Dim>& view) {
  find_pressures_of(exec, view);
}

template <int Dim>
Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return apply_forces_of(exec, view, dt);
}

template <int Dim>
bool change_phases(const Exec& exec, const StepView<Dim>& view, Real dt) {
  return change_phases_of(exec, view, dt);
}

void reorder_holders(const Exec& exec, const Column<Index>& order, Column<std::uint8_t>& calm,
                     Assignments& holders) {
  const Index n = static_cast<Index>(order.size());
  permute(exec, "lattice.reorder", calm, order, holders.spare_calm);
  holders.place_of.resize(n);
  holders.spare_holder.resize(holders.holder.size());
  const Index *const source = order.data(), *const from = holders.holder.data();
  Index *const place_of = holders.place_of.data(), *const to = holders.spare_holder.data();
  const int slots = holders.slots;
  for_each(
      exec, "lattice.reorder", n, PHYXEL_LAMBDA(Index k) { place_of[source[k]] = k; });
  const Index whole = (n + holder_block - 1) / holder_block * holder_block;
  for_each(
      exec, "lattice.reorder", whole, PHYXEL_LAMBDA(Index k) {
        for (int slot = 0; slot < slots; ++slot)
          to[place_in_block(k, slot, slots)] =
              k < n ? place_of[from[place_in_block(source[k], slot, slots)]] : k;
      });
  holders.holder.swap(holders.spare_holder);
}

template bool change_phases(const Exec&, const StepView<2>&, Real);
template bool change_phases(const Exec&, const StepView<3>&, Real);
template void find_near(const Exec&, const StepView<2>&);
template void find_near(const Exec&, const StepView<3>&);
template Real move_particles(const Exec&, const StepView<2>&, Real);
template Real move_particles(const Exec&, const StepView<3>&, Real);
template bool fit_lattices(const Exec&, const StepView<2>&, Real);
template bool fit_lattices(const Exec&, const StepView<3>&, Real);
template void pack_particles(const Exec&, const StepView<2>&);
template void pack_particles(const Exec&, const StepView<3>&);
template void forget_holders(const Exec&, const StepView<2>&);
template void forget_holders(const Exec&, const StepView<3>&);
template void find_pressures(const Exec&, const StepView<2>&);
template void find_pressures(const Exec&, const StepView<3>&);
template void look_again(const Exec&, const StepView<2>&, Real);
template void look_again(const Exec&, const StepView<3>&, Real);
template void look_again_at_rows(const Exec&, const StepView<2>&);
template void look_again_at_rows(const Exec&, const StepView<3>&);
template Extremes apply_forces(const Exec&, const StepView<2>&, Real);
template Extremes apply_forces(const Exec&, const StepView<3>&, Real);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
