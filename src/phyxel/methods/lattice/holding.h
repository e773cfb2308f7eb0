#pragma once

#include "phyxel/methods/lattice/step_view.h"

// Assignment of neighbours to the lattice points (slots) of one particle.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

using OpenClaims = Holders<Real, most_slots>;

/// A particle is assigned to a slot when it comes this near to its lattice point, in spacings, and
/// stays until another point is nearer, at about half a spacing: bonds begin with little energy and
/// end with more. Wicke et al. 2006 assign the nearest particle: that does work on flowing matter.
constexpr Real capture = Real(0.25);

/// Considers j for the slot that it claims. A holder keeps its slot, however close others come.
template <int Dim>
PHYXEL_FN void hear_claim(const StepView<Dim>& s, Index i, Index j, Claim<Real> claim,
                          OpenClaims& claims) {
  const ParticleId kept = s.holders[i][claim.slot];
  const Real near = capture * s.solid(i).spacing;
  if (kept == s.id[j])
    claim.distance_squared = -1;
  else if (kept != any_holder && claim.distance_squared > near * near && !s.sets(i) && !s.sets(j))
    return;
  settle(claims, claim, j, s.id[j]);
}

/// The slot that remembers a particle as its holder, or -1. All are looked at, used or not: so many
/// comparisons of registers take less time than one wait for memory.
PHYXEL_FN int slot_remembered(const SlotHolders& holders, ParticleId id) {
  int found = -1;
  for (int slot = 0; slot < most_slots; ++slot) found = holders[slot] == id ? slot : found;
  return found;
}

/// The claim of the holder of `slot`, at q in the lattice of i, where matter freezes: it claims its
/// slot while that is the nearest one to where it froze, and none in the step in which this ends. A
/// neighbour that holds no slot of i (-1) keeps its `claim`.
template <int Dim>
PHYXEL_FN Claim<Real> claim_beside_frozen(const StepView<Dim>& s, Index i, int slot,
                                          const Vec<Real, Dim>& q, const Claim<Real>& claim) {
  if (slot < 0) return claim;
  const bool stays = is_nearest(q - s.rest_of(i, slot), s.solid(i).spacing);
  return stays ? Claim<Real>{slot, 0} : claim.slot == slot ? Claim<Real>{-1, 0} : claim;
}

/// Collects the claimants of each slot, one neighbour after the other.
struct CollectClaims {
  template <int Dim>
  PHYXEL_FN void operator()(const StepView<Dim>& s, Index i, OpenClaims& claims) const {
    const Solid& solid = s.solid(i);
    const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
    const Real reach = reach_of(solid);
    const SlotHolders holders = s.holders[i];
    for_row(s, i, [&](Index j) {
      if (s.object[j] != s.object[i] || s.is_liquid(j)) return;
      const Vec<Real, Dim> r = s.between(i, j);
      if (length_squared(r) >= reach * reach) return;
      Claim<Real> claim = claim_of(inverse_a, r, solid.spacing, solid.weights.shells);
      if (s.rests)
        claim = claim_beside_frozen(s, i, slot_remembered(holders, s.id[j]), inverse_a * r, claim);
      if (claim.slot >= 0) hear_claim(s, i, j, claim, claims);
    });
  }
};

/// Bonds of matter that freezes are at rest where they begin, not at a lattice point, and have no
/// energy there: liquid that has flowed does not lie on lattice points. New bodies do.
template <int Dim>
PHYXEL_FN bool rests_where_it_is(const StepView<Dim>& s, Index i, int slot, Index j) {
  return s.holders[i][slot] != any_holder &&
         (freezes(s.solid(i)) || freezes(s.solid(j)) || s.sets(i) || s.sets(j));
}

/// Where j is at rest in the slot of i that it has just taken. With A^-1 r for l the fit of A
/// stays as it was. It is no nearer than half a spacing, where the slots end: a pair alone is as
/// stiff there as steps allow.
template <int Dim>
PHYXEL_FN void take_rest(const StepView<Dim>& s, Index i, int slot, Index j) {
  Vec<Real, Dim> shift = Vec<Real, Dim>::zero();
  if (rests_where_it_is(s, i, slot, j))
    shift = to_lattice(narrow<Dim>(s.a[i])) * s.between(i, j) -
            slot_offset<Dim>(slot, s.solid(i).spacing);
  for (int k = 0; k < Dim; ++k) s.rests[i][4 * slot + k] = shift[k];
}

/// Draws whether empty slots take their claimants, and updates docking rates. Wicke et al. 2006,
/// section 4.2. Returns whether nothing changed: then nothing will while assignments stay.
template <int Dim>
PHYXEL_FN bool dock(const StepView<Dim>& s, Index i, Real dt, OpenClaims& claims) {
  const Solid& solid = s.solid(i);
  SlotRates rates = s.rates[i];
  SlotHolders holders = s.holders[i];
  bool steady = dt > 0;
  for (int slot = 0; slot < s.slots_of(solid); ++slot) {
    Index& holder = claims.entry[slot];
    const bool stays =
        holders[slot] == any_holder || (holder >= 0 && claims.id[slot] == holders[slot]);
    if (solid.fractures && holder >= 0 && !stays &&
        !docks(rates[slot], s.seed, s.id[i], slot, s.step, dt))
      holder = -1;
    const Real rate = docking_rate(solid.docking, rates[slot], holder >= 0, dt);
    const ParticleId id = holder >= 0 ? claims.id[slot] : no_holder;
    if (s.rests && dt > 0 && holder >= 0 && id != holders[slot]) take_rest(s, i, slot, holder);
    steady = steady && rate == rates[slot] && id == holders[slot];
    rates[slot] = rate;
    holders[slot] = id;
  }
  if (dt > 0 && !steady) {
    s.rates[i] = rates;
    s.holders[i] = holders;
  }
  return steady;
}

/// Writes the assignments into the columns of the step, and notes whether they have changed.
template <int Dim>
PHYXEL_FN void take_holders(const StepView<Dim>& s, Index i, const OpenClaims& claims,
                            bool steady) {
  const bool liquid = s.is_liquid(i);
  bool same = liquid == ((s.calm[i] & calm_liquid) != 0);
  for (int slot = 0; slot < s.slots; ++slot) {
    const Index next = claims.entry[slot] >= 0 ? claims.entry[slot] : i;
    Index& holder = s.holder_of(i, slot);
    same = same && holder == next;
    holder = next;
  }
  const int known = same ? s.calm[i] & (calm_mutual | calm_alone) : 0;
  s.calm[i] =
      static_cast<std::uint8_t>(known | (steady ? calm_steady : 0) | (liquid ? calm_liquid : 0));
  s.changed[i] = !same;
}

/// Assigns neighbours in the row of i to its slots. A liquid particle has no lattice.
template <class Collect, int Dim>
PHYXEL_FN void find_holders(const StepView<Dim>& s, Index i, Real dt) {
  OpenClaims claims;
  clear(claims);
  bool steady = false;
  if (!s.is_liquid(i)) {
    Collect{}(s, i, claims);
    steady = dock(s, i, dt, claims);
  }
  take_holders(s, i, claims, steady);
}

/// Whether a steady particle keeps all its holders, and has no slot for another one.
template <int Dim>
PHYXEL_FN bool keeps_holders(const StepView<Dim>& s, Index i, Real dt) {
  if (dt <= 0 || (s.calm[i] & calm_steady) == 0 || s.is_liquid(i)) return false;
  const Solid& solid = s.solid(i);
  const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
  const Real reach = reach_of(solid);
  bool keeps = true;
  int held = 0;
  for_holders(s, i, [&](Index j, int, Real, const Vec<Real, Dim>& r, const Vec<Real, Dim>& l) {
    ++held;
    keeps = keeps && !s.is_liquid(j) && length_squared(r) < reach * reach &&
            is_nearest(inverse_a * r - l, solid.spacing);
  });
  return keeps && (held == s.slots_of(solid) || cracks_stay(solid));
}

/// Whether i is liquid or has liquid in its row.
template <int Dim>
PHYXEL_FN bool sees_liquid(const StepView<Dim>& s, Index i) {
  if (!s.flows) return false;
  if (s.is_liquid(i)) return true;
  const Index* const row = s.neighbour + s.row_start[i];
  for (Index k = 0; k < s.row_count[i]; ++k)
    if (s.is_liquid(row[k])) return true;
  return false;
}

/// Whether all bonds of i are mutual: then forces on it are those of its holders.
template <int Dim>
PHYXEL_FN bool is_mutual(const StepView<Dim>& s, Index i) {
  bool mutual = true;
  Vec<Index, most_slots> own = Vec<Index, most_slots>::filled(i);
  for (int slot = 0; slot < most_slots; ++slot)
    if (slot < s.slots) own[slot] = s.holder_of(i, slot);
  for (int slot = 0; slot < most_slots; ++slot)
    if (const Index j = own[slot]; j != i)
      mutual = mutual && s.holder_of(j, slot ^ 1) == i && s.material[j] == s.material[i];
  if (!mutual) return false;
  for_row(s, i, [&](Index j) {
    bool is_holder = false;
    for (int slot = 0; slot < most_slots; ++slot) is_holder = is_holder || own[slot] == j;
    mutual = mutual && (is_holder || slot_held(s, j, i) < 0);
  });
  return mutual;
}

/// Whether all neighbours nearer than the limit are holders.
template <int Dim>
PHYXEL_FN bool is_alone(const StepView<Dim>& s, Index i, Real limit) {
  int near = 0;
  for_row(s, i, [&](Index j) { near += length_squared(s.between(i, j)) < limit * limit; });
  for (int slot = 0; slot < s.slots; ++slot)
    if (const Index j = s.holder_of(i, slot); j != i)
      near -= length_squared(s.between(i, j)) < limit * limit;
  return near == 0;
}

/// Sets the calm bits of i. Until this is done again, no pair approaches by more than `margin`.
template <int Dim>
PHYXEL_FN void take_calm(const StepView<Dim>& s, Index i, bool mutual, Real margin) {
  const int calm = s.calm[i] & (calm_steady | calm_liquid);
  const bool alone = mutual && is_alone(s, i, s.largest_spacing + margin);
  s.calm[i] =
      static_cast<std::uint8_t>(calm | (mutual ? calm_mutual : 0) | (alone ? calm_alone : 0));
}
template <int Dim>
PHYXEL_FN void find_calm(const StepView<Dim>& s, Index i, Real margin) {
  take_calm(s, i, !sees_liquid(s, i) && is_mutual(s, i), margin);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
