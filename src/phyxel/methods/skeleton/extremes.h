#pragma once

#include <limits>

#include "phyxel/core/scalar_ops.h"

namespace phyxel {

/// Largest values that limit a step. A method fills those that matter to it.
struct Extremes {
  Real speed_squared = 0;                               // m^2/s^2
  Real squared_acceleration = 0;                        // m^2/s^4
  Real squared_frequency = 0;                           // 1/s^2, stiffness over mass
  Real viscous_rate = 0;                                // 1/s, viscosity over mass
  Real approach_rate = 0;                               // 1/s, towards a collider
  Real density_ratio = 0;                               // over density at rest
  Real moved_squared = 0;                               // m^2, since the rows were built
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite number

  bool has_bad() const { return first_bad < std::numeric_limits<Index>::max(); }
};

struct LargerExtremes {
  PHYXEL_FN Extremes operator()(const Extremes& a, const Extremes& b) const {
    return {max(a.speed_squared, b.speed_squared),
            max(a.squared_acceleration, b.squared_acceleration),
            max(a.squared_frequency, b.squared_frequency),
            max(a.viscous_rate, b.viscous_rate),
            max(a.approach_rate, b.approach_rate),
            max(a.density_ratio, b.density_ratio),
            max(a.moved_squared, b.moved_squared),
            min(a.first_bad, b.first_bad)};
  }
};

/// How far and how fast particles have moved, at most.
struct Moved {
  Real path_squared = 0;   // m^2, since the rows were built
  Real speed_squared = 0;  // m^2/s^2
};

struct LargerMove {
  PHYXEL_FN Moved operator()(const Moved& a, const Moved& b) const {
    return {max(a.path_squared, b.path_squared), max(a.speed_squared, b.speed_squared)};
  }
};

}  // namespace phyxel
