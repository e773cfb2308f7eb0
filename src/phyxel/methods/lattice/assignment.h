#pragma once

#include "phyxel/core/mat.h"
#include "phyxel/methods/lattice/points.h"

namespace phyxel::lattice {

/// The lattice point that is nearest to a neighbour, before assignments are settled.
template <class T>
struct NearestSlot {
  int slot;            // -1: no lattice point of the shells is the nearest
  T distance_squared;  // to that lattice point, in the lattice's frame, m^2
};

/// The slot whose lattice point is nearest to A^-1 r. Wicke et al. 2006, eq. 2.
template <class T, int Dim>
PHYXEL_FN NearestSlot<T> nearest_slot(const Mat<T, Dim>& inverse_a, const Vec<T, Dim>& r, T spacing,
                                      int shells) {
  const Vec<T, Dim> q = inverse_a * r;
  const LatticePoint<Dim> p = nearest_point(q, spacing);
  const int slot = slot_of(p);
  return {slot < slot_count<Dim>(shells) ? slot : -1, length_squared(q - offset(p, spacing))};
}

/// Name of a particle where there are many, as in slots: half as long as its id, of which it is
/// the remainder of the division by slot_id_count. It tells particles apart whose ids span less.
using SlotId = std::uint32_t;
constexpr SlotId no_particle = 0xffffffff;
constexpr SlotId any_particle = no_particle - 1;  // of a new particle: takes the nearest neighbour
constexpr ParticleId slot_id_count = any_particle;

PHYXEL_FN SlotId slot_id(ParticleId id) {
  return static_cast<SlotId>(id < slot_id_count ? id : id % slot_id_count);
}

/// The neighbours assigned to the slots of one particle, one to a slot.
template <class T, int Slots>
struct Assignment {
  Index entry[Slots];         // the caller's name of the neighbour; -1: empty
  SlotId id[Slots];           // of the neighbour, settles ties
  T distance_squared[Slots];  // m^2
};

template <class T, int Slots>
PHYXEL_FN void clear(Assignment<T, Slots>& assignment) {
  for (int s = 0; s < Slots; ++s) assignment.entry[s] = -1;
}

/// Assigns the nearest neighbour to a slot, of equally near ones that with the smaller id: the
/// result does not depend on the order of calls.
template <class T, int Slots>
PHYXEL_FN void assign_nearest(Assignment<T, Slots>& assignment, const NearestSlot<T>& nearest,
                              Index entry, SlotId id) {
  const int s = nearest.slot;
  if (s < 0) return;
  const bool nearer =
      assignment.entry[s] < 0 || nearest.distance_squared < assignment.distance_squared[s] ||
      (nearest.distance_squared == assignment.distance_squared[s] && id < assignment.id[s]);
  if (!nearer) return;
  assignment.entry[s] = entry;
  assignment.id[s] = id;
  assignment.distance_squared[s] = nearest.distance_squared;
}

}  // namespace phyxel::lattice
