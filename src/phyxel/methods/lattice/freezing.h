#pragma once

#include <limits>

#include "phyxel/methods/lattice/step_view.h"

// Melting and freezing of one particle. Wicke et al. 2006, section 5. For pass_kernels.h alone.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

namespace {

/// The phase when neighbours were assigned. Other particles may be changing theirs meanwhile.
template <int Dim>
PHYXEL_FN bool was_liquid(const StepView<Dim>& s, Index i) {
  return (s.calm[i] & calm_liquid) != 0;
}

/// What a liquid particle finds around it, and where it could freeze.
struct FreezingNeighbourhood {
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
PHYXEL_FN FreezingNeighbourhood find_freezing_site(const StepView<Dim>& s, Index i) {
  using V = Vec<Real, Dim>;
  Real count = 0, least = std::numeric_limits<Real>::infinity();
  V velocity = V::zero(), pull = V::zero();
  FreezingNeighbourhood found;
  for_solids_around(s, i, [&](Index j, const V& r) {
    const Solid& solid = s.solid(j);
    const Mat<Real, Dim> a = narrow<Dim>(s.a[j]);
    const LatticePoint<Dim> place = nearest_point(to_lattice(a) * r, solid.spacing);
    const V away = a * offset(place, solid.spacing) - r;
    ++count;
    velocity += s.velocity(j);
    pull += away * solid.springs.stiffness;
    const int slot = slot_of(place);
    const bool empty = slot >= 0 && slot < s.slots_of(solid) && s.assigned(j, slot) == j;
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
PHYXEL_FN Real contact_offset_where_frozen(const StepView<Dim>& s, Index i) {
  Real most = 0;
  for_row(s, i, [&](Index j) {
    const Real spacing = (s.solid(i).spacing + s.solid(j).spacing) / 2;
    const Real nearer = spacing - length(s.between(i, j));
    most = max(most, was_liquid(s, j) ? nearer : 2 * nearer - s.contact_offset[j]);
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
  const FreezingNeighbourhood found = find_freezing_site(s, i);
  const Index host = found.host;
  if (host < 0 || !freezes(solid.freezing, found.site, s.seed, s.id[i], s.step, dt)) return false;
  s.phase[i] = static_cast<std::uint8_t>(Phase::solid);
  s.a[i] = widen<Dim>(polar(narrow<Dim>(s.a[host])).rotation);
  s.contact_offset[i] = contact_offset_where_frozen(s, i);
  s.frozen_in_step[i] = static_cast<Index>(s.step + 1);
  s.object[i] = s.object[host];
  if (s.plastic) s.plastic[i] = Mat3::identity();
  s.rates[i] = SlotRates::filled(solid.docking.largest);
  s.slot_ids[i] = SlotIds::filled(SlotId{no_particle});
  return true;
}

}  // namespace

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
