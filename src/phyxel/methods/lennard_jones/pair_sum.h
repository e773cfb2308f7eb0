#pragma once

#include "phyxel/core/vec.h"
#include "phyxel/methods/lennard_jones/law.h"

namespace phyxel::lennard_jones {

/// Sum over neighbours of one particle; with T a pack, lane by lane.
template <class T>
struct PairSum {
  Vec<T, 3> force = Vec<T, 3>::zero();          // N, from the potential
  Vec<T, 3> viscous_force = Vec<T, 3>::zero();  // N
  T energy = T(0);                              // J
  T virial = T(0);                              // J
  T stiffness = T(0);                           // N/m
  T viscosity = T(0);                           // kg/s
};

/// A neighbour, or a pack of them: at x_j = x_i + d, moving at dv relative to i. `strength` scales
/// e0; `present` is 1, or 0 for an empty lane.
template <class T>
struct Neighbour {
  Vec<T, 3> d;   // m
  Vec<T, 3> dv;  // m/s
  T strength;
  T present;
};

/// Every pair is met twice, so energies count half.
template <class T>
PHYXEL_FN void add_pair(const PairLaw& law, const Neighbour<T>& j, PairSum<T>& sum) {
  const T r = length(j.d);
  const PairTerm<T> term = pair_term(law, r);
  const T slope = j.strength * term.slope;
  sum.force += j.d * (slope / r);
  sum.energy += j.strength * term.energy * T(0.5);
  sum.virial -= slope * r * T(0.5);
  sum.stiffness += j.strength * term.stiffness;
  // Tonnesen, eq. 3.18, weighted by w(r) so that it has no jump at the cut-off:
  // docs/methods/lennard_jones.md#damping
  const T c = j.present * term.weight * T(law.viscosity);
  sum.viscous_force += j.dv * c;
  sum.viscosity += c;
}

}  // namespace phyxel::lennard_jones
