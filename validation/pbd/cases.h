#pragma once

#include "lattice/common.h"

// Solids, sheets and balloons of pbd against textbooks. Solids are filled with whole layers of
// cubic packing.

namespace phyxel::validation::pbd {

using lattice::Changes;

struct Pulled {
  double youngs_modulus = 0;  // stress over strain, in the middle third
  double poissons_ratio = 0;  // strain across over strain along
};
/// A bar of so many layers, pulled with a stress of `strain` times the modulus of its scene.
Pulled pull_bar(int layers, double strain, const Changes& changes = {});

struct Bent {
  double drop = 0;        // of the tip over L
  double shortening = 0;  // the same along the beam
};
/// A beam 8 times as long as high with a load of P L^2 / E I at its tip, until it is at rest.
Bent bend_beam(int layers, double load, const Changes& changes = {});
/// The same drop where the energy of its elements is least, without the solver.
double static_drop(int layers, double load, const Changes& changes = {});
/// What shear adds to the drop of such a beam: drop over that of a thin one (Timoshenko; Cowper
/// 1966).
double shear_of_beam();

struct Blown {
  double volume = 0;  // over that at rest
};
/// A sphere of skin with gas of 10 kPa at rest, in so much pressure outside, until it is at rest.
Blown blow_balloon(double ambient_pressure, const Changes& changes = {});

}  // namespace phyxel::validation::pbd
