#include "phyxel/methods/lattice/info.h"

namespace phyxel::lattice {

std::vector<Preset> presets() {
  return {
      // The method lattice. Elastic constants as above. Heats and melting points: CRC Handbook for
      // ice, paraffin and cocoa butter (latent heat of form V); rates let particles follow their
      // temperature within tenths of a second. The solids of these three are softer than in nature:
      // a step is as much longer, and what matters is that they keep their shape.
      {"jelly", "gelatine pudding: wobbles", R"(
density = 1050.0
youngs_modulus = 1.5e4
poissons_ratio = 0.45
damping = 20.0
)"},
      {"rubber", "soft silicone rubber: bounces", R"(
density = 1070.0
youngs_modulus = 2.0e5
poissons_ratio = 0.45
damping = 20.0
friction = 0.8
)"},
      {"modelling_clay", "dents and stays dented", R"(
density = 1700.0
youngs_modulus = 2.0e6
poissons_ratio = 0.4
yield_stress = 3.5e4
damping = 300.0
)"},
      {"ice", "melts at 0 degrees C to water, and freezes again; softer than in nature",
       R"(
density = 917.0
youngs_modulus = 1.0e6
poissons_ratio = 0.33
damping = 500.0
docking_rate = 1.0e4
conductivity = 2.2
specific_heat = 2100.0
latent_heat = 3.34e5
melting_temperature = 0.0
melting_rate = 10.0
freezing_rate = 1.0
viscosity = 0.05
)"},
      {"wax", "candle wax: melts at 60 degrees C; softer than in nature", R"(
density = 900.0
youngs_modulus = 1.0e6
poissons_ratio = 0.4
damping = 300.0
conductivity = 0.25
specific_heat = 2300.0
latent_heat = 2.1e5
melting_temperature = 60.0
melting_rate = 1.0
freezing_rate = 0.3
viscosity = 0.05
)"},
      {"chocolate", "breaks when hard, melts at 34 degrees C; softer than in nature", R"(
density = 1300.0
youngs_modulus = 1.0e6
poissons_ratio = 0.35
damping = 300.0
docking_rate = 1.0e4
strength = 5.0e4
conductivity = 0.2
specific_heat = 1700.0
latent_heat = 4.5e4
melting_temperature = 34.0
melting_rate = 2.0
freezing_rate = 0.3
viscosity = 3.0
)"},
  };
}

}  // namespace phyxel::lattice
