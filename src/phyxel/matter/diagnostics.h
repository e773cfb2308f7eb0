#pragma once

#include <string>
#include <utility>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/matter/particles.h"

namespace phyxel {

/// One row of stats.csv, over all matter: sums over methods. Potential energy comes from the
/// methods.
struct Diagnostics {
  std::size_t particles = 0;
  double kinetic_energy = 0;               // J
  double potential_energy = 0;             // J
  Vec3d momentum = Vec3d::zero();          // kg m/s
  Vec3d angular_momentum = Vec3d::zero();  // kg m^2/s, about the origin of the world
  Vec3d mass_moment = Vec3d::zero();       // sum of m x in the world; divided by mass: the centre
  double mass = 0;                         // kg
  Vec3d field_impulse = Vec3d::zero();     // kg m/s, of force fields since the start
  double max_speed = 0;                    // m/s
  double min_temperature = 1e300;          // degrees C
  double max_temperature = -1e300;
  Vec3d origin = Vec3d::zero();  // m, where the zero of the positions lies in the world
  std::vector<std::pair<std::string, double>> extra;  // what a method adds, in order

  Vec3d centre() const { return mass > 0 ? mass_moment / mass : mass_moment; }
};

inline namespace PHYXEL_BACKEND {

/// The part that follows from the particles alone; sums in double, in a fixed order. Positions are
/// relative to `origin`, moments are those of the world.
Diagnostics measure(const Exec& exec, const Particles& p, const Vec3d& origin = {0, 0, 0});

}  // namespace PHYXEL_BACKEND

/// a + b; extras of the same name add up.
Diagnostics combine(Diagnostics a, const Diagnostics& b);

}  // namespace phyxel
