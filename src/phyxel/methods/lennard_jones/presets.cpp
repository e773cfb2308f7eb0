#include "phyxel/methods/lennard_jones/info.h"

namespace phyxel::lennard_jones {

// Densities, and the modulus of glass, are textbook values at room temperature; soft materials are
// as soft as when warm and worked by hand. Crystals of particles yield at a strain of some percent,
// so that there is no rubber among them. Exponents choose between tough (low) and brittle (high).
// The cut-off leaves nearest neighbours only: surfaces are at rest, and thin parts keep their
// shape.
std::vector<Preset> presets() {
  return {
      {"putty", "soft dough: slumps when it falls, holds together", R"(
density = 1600.0
youngs_modulus = 4.0e4
repulsive_exponent = 8.0
attractive_exponent = 6.0
cutoff = 1.4
viscous_damping = 40.0
)"},
      {"wax", "candle wax; softens from 40 to 62 degrees C", R"(
density = 900.0
youngs_modulus = 2.0e6
repulsive_exponent = 8.0
attractive_exponent = 6.0
cutoff = 1.4
viscous_damping = 40.0
softening_start = 40.0
softening_end = 62.0
softened_strength = 0.004
)"},
      {"clay", "modelling clay: dents and stays dented", R"(
density = 1700.0
youngs_modulus = 3.0e5
repulsive_exponent = 10.0
attractive_exponent = 6.0
cutoff = 1.4
viscous_damping = 60.0
)"},
      {"glass", "stiff and brittle; small steps", R"(
density = 2500.0
youngs_modulus = 7.0e10
repulsive_exponent = 14.0
attractive_exponent = 12.0
cutoff = 1.4
viscous_damping = 100.0
)"},
  };
}

}  // namespace phyxel::lennard_jones
