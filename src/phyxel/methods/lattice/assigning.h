#pragma once

#include "phyxel/methods/lattice/step_view.h"

// Assignment of neighbours to the lattice points (slots) of one particle.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

using SlotAssignment = Assignment<Real, most_slots>;

/// A particle is assigned to a slot when it comes this near to its lattice point, in spacings, and
/// stays until another point is nearer, at about half a spacing: bonds begin with little energy and
/// end with more. Wicke et al. 2006 assign the nearest particle: that does work on flowing matter.
constexpr Real capture = Real(0.25);

/// Considers j for the slot that it is nearest to. An assigned particle keeps its slot, however
/// close others come.
template <int Dim>
PHYXEL_FN void consider(const StepView<Dim>& s, Index i, Index j, NearestSlot<Real> nearest,
                        SlotAssignment& assignment) {
  const SlotId kept = s.slot_ids[i][nearest.slot], id = s.slot_id(j);
  const Real near = capture * s.solid(i).spacing;
  if (kept == id)
    nearest.distance_squared = -1;
  else if (kept != any_particle && nearest.distance_squared > near * near &&
           !s.has_just_frozen(i) && !s.has_just_frozen(j))
    return;
  assign_nearest(assignment, nearest, j, id);
}

/// The slot that a particle was assigned to before, or -1. All are looked at, used or not: so many
/// comparisons of registers take less time than one wait for memory.
PHYXEL_FN int slot_with_id(const SlotIds& ids, SlotId id) {
  int found = -1;
  for (int slot = 0; slot < most_slots; ++slot) found = ids[slot] == id ? slot : found;
  return found;
}

/// The nearest slot where matter freezes, for a particle assigned to `slot`, at q in the lattice of
/// i: its own while that is the nearest one to where it froze, and none in the step in which this
/// ends. For a neighbour that is not assigned to i (-1) it is `nearest`.
template <int Dim>
PHYXEL_FN NearestSlot<Real> nearest_beside_frozen(const StepView<Dim>& s, Index i, int slot,
                                                  const Vec<Real, Dim>& q,
                                                  const NearestSlot<Real>& nearest) {
  if (slot < 0) return nearest;
  const bool stays = is_nearest(q - s.rest_of(i, slot), s.solid(i).spacing);
  return stays                  ? NearestSlot<Real>{slot, 0}
         : nearest.slot == slot ? NearestSlot<Real>{-1, 0}
                                : nearest;
}

/// Assigns the nearest neighbours to the slots, one neighbour after the other.
struct AssignNearest {
  template <int Dim>
  PHYXEL_FN void operator()(const StepView<Dim>& s, Index i, SlotAssignment& assignment) const {
    const Solid& solid = s.solid(i);
    const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
    const Real reach = reach_of(solid);
    const SlotIds ids = s.slot_ids[i];
    for_row(s, i, [&](Index j) {
      if (s.object[j] != s.object[i] || s.is_liquid(j)) return;
      const Vec<Real, Dim> r = s.between(i, j);
      if (length_squared(r) >= reach * reach) return;
      NearestSlot<Real> nearest = nearest_slot(inverse_a, r, solid.spacing, solid.weights.shells);
      if (s.rests)
        nearest =
            nearest_beside_frozen(s, i, slot_with_id(ids, s.slot_id(j)), inverse_a * r, nearest);
      if (nearest.slot >= 0) consider(s, i, j, nearest, assignment);
    });
  }
};

/// Bonds of matter that freezes are at rest where they begin, not at a lattice point, and have no
/// energy there: liquid that has flowed does not lie on lattice points. New bodies do.
template <int Dim>
PHYXEL_FN bool rests_where_it_is(const StepView<Dim>& s, Index i, int slot, Index j) {
  return s.slot_ids[i][slot] != any_particle && (freezes(s.solid(i)) || freezes(s.solid(j)) ||
                                                 s.has_just_frozen(i) || s.has_just_frozen(j));
}

/// Where j is at rest in the slot of i that it has just taken. With A^-1 r for l the fit of A
/// stays as it was. It is no nearer than half a spacing, where the slots end: a pair alone is as
/// stiff there as steps allow.
template <int Dim>
PHYXEL_FN void set_rest(const StepView<Dim>& s, Index i, int slot, Index j) {
  Vec<Real, Dim> shift = Vec<Real, Dim>::zero();
  if (rests_where_it_is(s, i, slot, j))
    shift = to_lattice(narrow<Dim>(s.a[i])) * s.between(i, j) -
            slot_offset<Dim>(slot, s.solid(i).spacing);
  for (int k = 0; k < Dim; ++k) s.rests[i][4 * slot + k] = shift[k];
}

/// Draws whether particles dock at empty slots, and updates docking rates. Wicke et al. 2006,
/// section 4.2. Returns whether nothing changed: then nothing will while assignments stay.
template <int Dim>
PHYXEL_FN bool dock(const StepView<Dim>& s, Index i, Real dt, SlotAssignment& assignment) {
  const Solid& solid = s.solid(i);
  SlotRates rates = s.rates[i];
  SlotIds ids = s.slot_ids[i];
  bool steady = dt > 0;
  for (int slot = 0; slot < s.slots_of(solid); ++slot) {
    Index& assigned = assignment.entry[slot];
    const bool stays =
        ids[slot] == any_particle || (assigned >= 0 && assignment.id[slot] == ids[slot]);
    if (solid.fractures && assigned >= 0 && !stays &&
        !docks(rates[slot], s.seed, s.id[i], slot, s.step, dt))
      assigned = -1;
    const Real rate = docking_rate(solid.docking, rates[slot], assigned >= 0, dt);
    const SlotId id = assigned >= 0 ? assignment.id[slot] : no_particle;
    if (s.rests && dt > 0 && assigned >= 0 && id != ids[slot]) set_rest(s, i, slot, assigned);
    steady = steady && rate == rates[slot] && id == ids[slot];
    rates[slot] = rate;
    ids[slot] = id;
  }
  if (dt > 0 && !steady) {
    s.rates[i] = rates;
    s.slot_ids[i] = ids;
  }
  return steady;
}

/// Writes the assignments into the columns of the step, and notes whether they have changed.
template <int Dim>
PHYXEL_FN void store_assignment(const StepView<Dim>& s, Index i, const SlotAssignment& assignment,
                                bool steady) {
  const bool liquid = s.is_liquid(i);
  bool same = liquid == ((s.calm[i] & calm_liquid) != 0);
  for (int slot = 0; slot < s.slots; ++slot) {
    const Index next = assignment.entry[slot] >= 0 ? assignment.entry[slot] : i;
    Index& assigned = s.assigned(i, slot);
    same = same && assigned == next;
    assigned = next;
  }
  const int known = same ? s.calm[i] & (calm_mutual | calm_alone) : 0;
  s.calm[i] =
      static_cast<std::uint8_t>(known | (steady ? calm_steady : 0) | (liquid ? calm_liquid : 0));
  s.changed[i] = !same;
}

/// Assigns neighbours in the row of i to its slots. A liquid particle has no lattice.
template <class Assign, int Dim>
PHYXEL_FN void find_assignment(const StepView<Dim>& s, Index i, Real dt) {
  SlotAssignment assignment;
  clear(assignment);
  bool steady = false;
  if (!s.is_liquid(i)) {
    Assign{}(s, i, assignment);
    steady = dock(s, i, dt, assignment);
  }
  store_assignment(s, i, assignment, steady);
}

/// Whether the assignment of a steady particle stays, and leaves no slot for another one.
template <int Dim>
PHYXEL_FN bool keeps_assignment(const StepView<Dim>& s, Index i, Real dt) {
  if (dt <= 0 || (s.calm[i] & calm_steady) == 0 || s.is_liquid(i)) return false;
  const Solid& solid = s.solid(i);
  const Mat<Real, Dim> inverse_a = to_lattice(narrow<Dim>(s.a[i]));
  const Real reach = reach_of(solid);
  bool keeps = true;
  int held = 0;
  for_assigned(s, i, [&](Index j, int, Real, const Vec<Real, Dim>& r, const Vec<Real, Dim>& l) {
    ++held;
    keeps = keeps && !s.is_liquid(j) && length_squared(r) < reach * reach &&
            is_nearest(inverse_a * r - l, solid.spacing);
  });
  return keeps && (held == s.slots_of(solid) || cracks_stay(solid));
}

/// Whether i is liquid or has liquid in its row.
template <int Dim>
PHYXEL_FN bool sees_liquid(const StepView<Dim>& s, Index i) {
  if (!s.has_liquid) return false;
  if (s.is_liquid(i)) return true;
  const Index* const row = s.neighbour + s.row_start[i];
  for (Index k = 0; k < s.row_count[i]; ++k)
    if (s.is_liquid(row[k])) return true;
  return false;
}

/// Whether all bonds of i are mutual: then forces on it are those of the particles assigned to it.
template <int Dim>
PHYXEL_FN bool is_mutual(const StepView<Dim>& s, Index i) {
  bool mutual = true;
  Vec<Index, most_slots> own = Vec<Index, most_slots>::filled(i);
  for (int slot = 0; slot < most_slots; ++slot)
    if (slot < s.slots) own[slot] = s.assigned(i, slot);
  for (int slot = 0; slot < most_slots; ++slot)
    if (const Index j = own[slot]; j != i)
      mutual = mutual && s.assigned(j, slot ^ 1) == i && s.material[j] == s.material[i];
  if (!mutual) return false;
  for_row(s, i, [&](Index j) {
    bool is_assigned = false;
    for (int slot = 0; slot < most_slots; ++slot) is_assigned = is_assigned || own[slot] == j;
    mutual = mutual && (is_assigned || slot_assigned_to(s, j, i) < 0);
  });
  return mutual;
}

/// Whether all neighbours nearer than the limit are assigned.
template <int Dim>
PHYXEL_FN bool is_alone(const StepView<Dim>& s, Index i, Real limit) {
  int near = 0;
  for_row(s, i, [&](Index j) { near += length_squared(s.between(i, j)) < limit * limit; });
  for (int slot = 0; slot < s.slots; ++slot)
    if (const Index j = s.assigned(i, slot); j != i)
      near -= length_squared(s.between(i, j)) < limit * limit;
  return near == 0;
}

/// Sets the calm bits of i. Until this is done again, no pair approaches by more than `margin`.
template <int Dim>
PHYXEL_FN void set_calm_bits(const StepView<Dim>& s, Index i, bool mutual, Real margin) {
  const int calm = s.calm[i] & (calm_steady | calm_liquid);
  const bool alone = mutual && is_alone(s, i, s.largest_spacing + margin);
  s.calm[i] =
      static_cast<std::uint8_t>(calm | (mutual ? calm_mutual : 0) | (alone ? calm_alone : 0));
}
template <int Dim>
PHYXEL_FN void update_calm_bits(const StepView<Dim>& s, Index i, Real margin) {
  set_calm_bits(s, i, !sees_liquid(s, i) && is_mutual(s, i), margin);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
