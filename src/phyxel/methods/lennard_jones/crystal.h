#pragma once

#include "phyxel/methods/lennard_jones/material.h"

// Properties of an infinite crystal at rest, from lattice sums: closest packing in 3D, hexagonal in
// 2D. All atoms of these lattices are alike, so a uniform strain is the exact response to a uniform
// load, and no simulation is needed.

namespace phyxel::lennard_jones {

/// One bond. Tonnesen, section 3.3.3.
struct Bond {
  double stiffness;           // k = e0 n m / r0^2, N/m
  double tensile_separation;  // r_t = r0 ((n+1)/(m+1))^(1/(n-m)), m
  double tensile_force;       // largest attraction before the fade, N
};
Bond bond_of(const PairLaw& law);

/// The law of `p` with e0 = 1 and r0 = 1, and with e0 = 1 only.
PairLaw unit_law(const Parameters& p);
PairLaw unit_energy_law(const Parameters& p);

/// Energy per particle of the lattice with nearest-neighbour distance `spacing`, J.
double lattice_energy(const PairLaw& law, double spacing, int dimensions);

/// Nearest-neighbour distance at zero pressure, m.
double relaxed_spacing(const PairLaw& law, int dimensions);

/// spacing^3/sqrt2 (closest packing) or spacing^2 sqrt3/2 (hexagonal).
double volume_per_particle(double spacing, int dimensions);

/// Virtual tensile test: a crystal in the orientation of our packings is stretched along x by a
/// small strain, free to shrink and shear otherwise; stress over strain, Pa. NaN
/// where the crystal is not stable: some potentials with a short fade have less energy in
/// another packing.
double youngs_modulus(const PairLaw& law, int dimensions);
/// Sideways shrinking over stretch in the same test, along y.
double poisson_ratio(const PairLaw& law, int dimensions);

}  // namespace phyxel::lennard_jones
