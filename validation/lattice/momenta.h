#pragma once

#include "lattice/common.h"

// What cannot change, however matter moves and breaks.

namespace phyxel::validation::lattice {

struct Tumbled {
  double momentum = 0, angular = 0;  // change over sums of m (|v| + c) and m |x| (|v| + c)
  double bonds = 0;                  // in the end over those at the start
  std::uint64_t steps = 0;
};
/// A spinning block whose particles are shaken at random by `noise` m/s.
Tumbled tumble_block(std::uint64_t steps, double noise, const Changes& changes);

struct Turned {
  int exchanged = 0;   // slots with another particle after 60 turns
  double strain = 0;   // the largest, sqrt(2 U / E V)
  double force = 0;    // the largest on a particle, over E times the square of the spacing
  double kinetic = 1;  // energy in the end over that at the start
  double angular = 0;  // change of the angular momentum, as above
  std::uint64_t steps = 0;
};
/// 60 turns in so many steps each, every place and velocity set from outside: rigid to the last
/// digit.
Turned turn_block(int steps_per_turn, int dimensions);
/// 60 turns of a free block, with damping.
Turned spin_block(int dimensions);

}  // namespace phyxel::validation::lattice
