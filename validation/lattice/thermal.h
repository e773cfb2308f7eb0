#pragma once

#include "lattice/common.h"

// Heat and melting against closed solutions.

namespace phyxel::validation::lattice {

struct Cooled {
  Curve middle;        // temperature at x = 1/2 over time
  double worst = 0;    // difference from heat_slab.csv over what is left there
  double largest = 0;  // difference, in degrees of one
};
/// A slab of 1 degree between faces of 0, until alpha t / L^2 is so much.
Cooled cool_slab(double until = 0.5);

/// Change of the heat of an insulated body of two halves, over what the one holds more, after so
/// many steps; and how much of the difference is left.
struct Levelled {
  double lost = 0, left = 0;
  std::uint64_t steps = 0;
};
Levelled level_heat(std::uint64_t steps);

struct Melted {
  Curve front;        // m over s, by latent heat
  double worst = 0;   // of the front over 2 lambda sqrt(alpha t) - 1, from a fifth of its way on
  double behind = 0;  // by how many layers at most what is liquid stays behind the exact front
};
/// The slab at its melting temperature, with a hot face, until the front is there.
Melted melt_slab(double stefan, double lambda, const Changes& changes, double until = 0.8);

}  // namespace phyxel::validation::lattice
