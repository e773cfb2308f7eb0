#pragma once

#include "phyxel/core/mat.h"
#include "phyxel/methods/lattice/points.h"

namespace phyxel::lattice {

/// The lattice point that is nearest to a neighbour, before assignments are settled.
template <class T>
struct Claim {
  int slot;            // -1: no lattice point of the shells is the nearest
  T distance_squared;  // to that lattice point, in the lattice's frame, m^2
};

/// The slot whose lattice point is nearest to A^-1 r. Wicke et al. 2006, eq. 2.
template <class T, int Dim>
PHYXEL_FN Claim<T> claim_of(const Mat<T, Dim>& inverse_a, const Vec<T, Dim>& r, T spacing,
                            int shells) {
  const Vec<T, Dim> q = inverse_a * r;
  const Place<Dim> p = nearest_point(q, spacing);
  const int slot = slot_of(p);
  return {slot < slot_count<Dim>(shells) ? slot : -1, length_squared(q - offset(p, spacing))};
}

/// The neighbours assigned to the slots of one particle: one holder to a slot.
template <class T, int Slots>
struct Holders {
  Index entry[Slots];         // the caller's name of the neighbour; -1: empty
  ParticleId id[Slots];       // of the neighbour, settles ties
  T distance_squared[Slots];  // m^2
};

template <class T, int Slots>
PHYXEL_FN void clear(Holders<T, Slots>& holders) {
  for (int s = 0; s < Slots; ++s) holders.entry[s] = -1;
}

/// Assigns the closest claimant to a slot, of equally close ones that with the smaller id: the
/// result does not depend on the order of claims.
template <class T, int Slots>
PHYXEL_FN void settle(Holders<T, Slots>& holders, const Claim<T>& claim, Index entry,
                      ParticleId id) {
  const int s = claim.slot;
  if (s < 0) return;
  const bool closer = holders.entry[s] < 0 ||
                      claim.distance_squared < holders.distance_squared[s] ||
                      (claim.distance_squared == holders.distance_squared[s] && id < holders.id[s]);
  if (!closer) return;
  holders.entry[s] = entry;
  holders.id[s] = id;
  holders.distance_squared[s] = claim.distance_squared;
}

}  // namespace phyxel::lattice
