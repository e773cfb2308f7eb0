#pragma once

#include "phyxel/core/vec.h"

namespace phyxel::lattice {

/// The part of a force on j that pushes it away from i along r = x_j - x_i; nothing where it would
/// pull. Wicke et al. 2006, eq. 14.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> repulsive_part(const Vec<T, Dim>& r, const Vec<T, Dim>& force) {
  const T along = dot(r, force);
  return along > T(0) ? r * (along / length_squared(r)) : Vec<T, Dim>::zero();
}

/// Force on j, of an object other than i's, N: eq. 14 with the point of rest one spacing away along
/// r. The nearest lattice point, which is used within an object, would be i itself for a j that is
/// deep inside, and would let it through. Particles at the same place are not pushed.
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> contact_force(T stiffness, T spacing, const Vec<T, Dim>& r) {
  const T distance = length(r);
  if (!(distance < spacing) || distance <= T(smallest_normal<T>)) return Vec<T, Dim>::zero();
  return r * (stiffness * (spacing - distance) / distance);
}

/// Coulomb friction on i against j, N: opposite to the sliding velocity of i relative to j, at most
/// `most`, and at slow sliding no more than a damper of `rate` (kg/s).
template <class T, int Dim>
PHYXEL_FN Vec<T, Dim> contact_friction(T most, T rate, const Vec<T, Dim>& sliding) {
  const T speed = length(sliding);
  if (!(speed * rate > most)) return sliding * -rate;
  return sliding * (-most / speed);
}

}  // namespace phyxel::lattice
