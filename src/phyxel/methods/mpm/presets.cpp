#include "phyxel/methods/mpm/info.h"

namespace phyxel::mpm {

std::vector<Preset> presets() {
  return {
      // Material points. Snow: table 1 of Umenhoffer, table 2 of Stomakhin et al. 2013. Their
      // section 6: dry, powdery snow has smaller critical stretches, wet and chunky snow has larger
      // ones. Densities of new, settled and wet snow: Cuffey and Paterson, The Physics of Glaciers.
      {"snow", "packed snow of a snowball: breaks into chunks, hardens when pressed", R"(
law = "snow"
density = 400.0
youngs_modulus = 1.4e5
poissons_ratio = 0.2
critical_compression = 2.5e-2
critical_stretch = 7.5e-3
hardening = 10.0
)"},
      {"powder_snow", "dry, light snow: crumbles and flies up", R"(
law = "snow"
density = 200.0
youngs_modulus = 5.0e4
poissons_ratio = 0.2
critical_compression = 1.9e-2
critical_stretch = 5.0e-3
hardening = 7.0
)"},
      {"wet_snow", "heavy and sticky: few large chunks", R"(
law = "snow"
density = 500.0
youngs_modulus = 1.4e5
poissons_ratio = 0.2
critical_compression = 3.5e-2
critical_stretch = 1.2e-2
hardening = 10.0
)"},
      // Gels of gelatine have 1 to 20 kPa, by their concentration; nearly water otherwise. A
      // Poisson's ratio close to 0.5 costs small steps: 0.45 keeps the volume well enough to look
      // at.
      {"jelly", "gelatine pudding: wobbles and keeps its volume", R"(
law = "neo_hookean"
density = 1050.0
youngs_modulus = 1.5e4
poissons_ratio = 0.45
)"},
      // Flexible polymer foam: Ashby, as below. It narrows little, and can be pressed flat.
      {"foam", "foam rubber: light, gives way and springs back", R"(
law = "corotated"
density = 60.0
youngs_modulus = 5.0e4
poissons_ratio = 0.1
)"},
      // Natural rubber: Ashby, Materials Selection in Mechanical Design, 1.5 to 2.5 MPa, 930
      // kg/m^3. Soft silicone of moulds, Shore 00-30, is some twenty times softer.
      {"rubber", "natural rubber: springs back from any stretch; small steps", R"(
law = "neo_hookean"
density = 930.0
youngs_modulus = 2.0e6
poissons_ratio = 0.48
)"},
      {"silicone", "soft silicone rubber: bounces, stretches far", R"(
law = "neo_hookean"
density = 1070.0
youngs_modulus = 1.0e5
poissons_ratio = 0.47
)"},
      // Densities and viscosities at 20 degrees C: CRC Handbook. Liquids are softer than nature, as
      // is customary: water has 2.2e9 Pa, but a speed of sound of ten times the largest flow speed
      // v is enough to keep the density within a percent (Monaghan 1994), K = 100 density v^2. The
      // values here serve flows of 3 m/s, as from half a metre of height.
      {"water", "water that is slower than 3 m/s; bulk_modulus = 1e5 v^2 for faster", R"(
law = "liquid"
density = 998.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 1.0e-3
)"},
      {"oil", "olive oil", R"(
law = "liquid"
density = 911.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 8.4e-2
)"},
      {"honey", "honey: flows slowly, folds into itself", R"(
law = "liquid"
density = 1420.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 10.0
)"},
      // Elastic constants of Klar et al. 2016: grains are far stiffer, but piles move by sliding,
      // and steps would be small. Bulk densities and angles of loose sand and gravel: any soil
      // handbook.
      {"dry_sand", "loose dry sand: runs out to a flat cone", R"(
law = "sand"
density = 1600.0
youngs_modulus = 3.5e5
poissons_ratio = 0.3
friction_angle = 33.0
)"},
      {"gravel", "crushed stone: stands steeper than sand", R"(
law = "sand"
density = 1700.0
youngs_modulus = 3.5e5
poissons_ratio = 0.3
friction_angle = 40.0
)"},
      // Stiff clay of potters has an undrained shear strength of some 20 kPa, 35 kPa in tension.
      // Pastes stand up to their yield stress, 200 Pa for toothpaste, and flow beyond it without
      // viscosity.
      {"modelling_clay", "dents and stays dented", R"(
law = "von_mises"
density = 1700.0
youngs_modulus = 2.0e6
poissons_ratio = 0.4
yield_stress = 3.5e4
)"},
      {"toothpaste", "a paste that holds small heaps and slumps from large ones", R"(
law = "von_mises"
density = 1300.0
youngs_modulus = 2.0e4
poissons_ratio = 0.45
yield_stress = 200.0
)"},
  };
}

}  // namespace phyxel::mpm
