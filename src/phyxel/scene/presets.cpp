#include "phyxel/scene/presets.h"

namespace phyxel {

// Densities, and the modulus of glass, are textbook values at room temperature; soft materials are
// as soft as when warm and worked by hand. Crystals of particles yield at a strain of some percent,
// so that there is no rubber among them. Exponents choose between tough (low) and brittle (high).
// The cut-off leaves nearest neighbours only: surfaces are at rest, and thin parts keep their
// shape.
const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = {
      {"putty", "lennard_jones", "soft dough: slumps when it falls, holds together", R"(
density = 1600.0
youngs_modulus = 4.0e4
repulsive_exponent = 8.0
attractive_exponent = 6.0
cutoff = 1.4
viscous_damping = 40.0
)"},
      {"wax", "lennard_jones", "candle wax; softens from 40 to 62 degrees C", R"(
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
      {"clay", "lennard_jones", "modelling clay: dents and stays dented", R"(
density = 1700.0
youngs_modulus = 3.0e5
repulsive_exponent = 10.0
attractive_exponent = 6.0
cutoff = 1.4
viscous_damping = 60.0
)"},
      {"glass", "lennard_jones", "stiff and brittle; small steps", R"(
density = 2500.0
youngs_modulus = 7.0e10
repulsive_exponent = 14.0
attractive_exponent = 12.0
cutoff = 1.4
viscous_damping = 100.0
)"},
      // Material points. Snow: table 1 of Umenhoffer, table 2 of Stomakhin et al. 2013. Their
      // section 6: dry, powdery snow has smaller critical stretches, wet and chunky snow has larger
      // ones. Densities of new, settled and wet snow: Cuffey and Paterson, The Physics of Glaciers.
      {"snow", "mpm", "packed snow of a snowball: breaks into chunks, hardens when pressed", R"(
law = "snow"
density = 400.0
youngs_modulus = 1.4e5
poissons_ratio = 0.2
critical_compression = 2.5e-2
critical_stretch = 7.5e-3
hardening = 10.0
)"},
      {"powder_snow", "mpm", "dry, light snow: crumbles and flies up", R"(
law = "snow"
density = 200.0
youngs_modulus = 5.0e4
poissons_ratio = 0.2
critical_compression = 1.9e-2
critical_stretch = 5.0e-3
hardening = 7.0
)"},
      {"wet_snow", "mpm", "heavy and sticky: few large chunks", R"(
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
      {"jelly", "mpm", "gelatine pudding: wobbles and keeps its volume", R"(
law = "neo_hookean"
density = 1050.0
youngs_modulus = 1.5e4
poissons_ratio = 0.45
)"},
      // Flexible polymer foam: Ashby, as below. It narrows little, and can be pressed flat.
      {"foam", "mpm", "foam rubber: light, gives way and springs back", R"(
law = "corotated"
density = 60.0
youngs_modulus = 5.0e4
poissons_ratio = 0.1
)"},
      // Natural rubber: Ashby, Materials Selection in Mechanical Design, 1.5 to 2.5 MPa, 930
      // kg/m^3. Soft silicone of moulds, Shore 00-30, is some twenty times softer.
      {"rubber", "mpm", "natural rubber: springs back from any stretch; small steps", R"(
law = "neo_hookean"
density = 930.0
youngs_modulus = 2.0e6
poissons_ratio = 0.48
)"},
      {"silicone", "mpm", "soft silicone rubber: bounces, stretches far", R"(
law = "neo_hookean"
density = 1070.0
youngs_modulus = 1.0e5
poissons_ratio = 0.47
)"},
      // Densities and viscosities at 20 degrees C: CRC Handbook. Liquids are softer than nature, as
      // is customary: water has 2.2e9 Pa, but a speed of sound of ten times the largest flow speed
      // v is enough to keep the density within a percent (Monaghan 1994), K = 100 density v^2. The
      // values here serve flows of 3 m/s, as from half a metre of height.
      {"water", "mpm", "water that is slower than 3 m/s; bulk_modulus = 1e5 v^2 for faster", R"(
law = "liquid"
density = 998.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 1.0e-3
)"},
      {"oil", "mpm", "olive oil", R"(
law = "liquid"
density = 911.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 8.4e-2
)"},
      {"honey", "mpm", "honey: flows slowly, folds into itself", R"(
law = "liquid"
density = 1420.0
bulk_modulus = 1.0e6
gamma = 7.0
viscosity = 10.0
)"},
      // Elastic constants of Klar et al. 2016: grains are far stiffer, but piles move by sliding,
      // and steps would be small. Bulk densities and angles of loose sand and gravel: any soil
      // handbook.
      {"dry_sand", "mpm", "loose dry sand: runs out to a flat cone", R"(
law = "sand"
density = 1600.0
youngs_modulus = 3.5e5
poissons_ratio = 0.3
friction_angle = 33.0
)"},
      {"gravel", "mpm", "crushed stone: stands steeper than sand", R"(
law = "sand"
density = 1700.0
youngs_modulus = 3.5e5
poissons_ratio = 0.3
friction_angle = 40.0
)"},
      // Stiff clay of potters has an undrained shear strength of some 20 kPa, 35 kPa in tension.
      // Pastes stand up to their yield stress, 200 Pa for toothpaste, and flow beyond it without
      // viscosity.
      {"modelling_clay", "mpm", "dents and stays dented", R"(
law = "von_mises"
density = 1700.0
youngs_modulus = 2.0e6
poissons_ratio = 0.4
yield_stress = 3.5e4
)"},
      {"toothpaste", "mpm", "a paste that holds small heaps and slumps from large ones", R"(
law = "von_mises"
density = 1300.0
youngs_modulus = 2.0e4
poissons_ratio = 0.45
yield_stress = 200.0
)"},
      // Liquids of smoothed particles: densities and viscosities at 20 degrees C as above, and a
      // speed of sound of ten times the largest flow speed.
      {"water", "sph", "water that is slower than 3 m/s; sound_speed = 10 v for faster", R"(
density = 998.0
sound_speed = 30.0
gamma = 7.0
viscosity = 1.0e-3
)"},
      {"oil", "sph", "olive oil", R"(
density = 911.0
sound_speed = 30.0
gamma = 7.0
viscosity = 8.4e-2
)"},
      {"honey", "sph", "honey: flows slowly", R"(
density = 1420.0
sound_speed = 30.0
gamma = 7.0
viscosity = 10.0
xsph = 0.0
)"},
      // The method lattice. Elastic constants as above. Heats and melting points: CRC Handbook for
      // ice, paraffin and cocoa butter (latent heat of form V); rates let particles follow their
      // temperature within tenths of a second. The solids of these three are softer than in nature:
      // a step is as much longer, and what matters is that they keep their shape.
      {"jelly", "lattice", "gelatine pudding: wobbles", R"(
density = 1050.0
youngs_modulus = 1.5e4
poissons_ratio = 0.45
damping = 20.0
)"},
      {"rubber", "lattice", "soft silicone rubber: bounces", R"(
density = 1070.0
youngs_modulus = 2.0e5
poissons_ratio = 0.45
damping = 20.0
friction = 0.8
)"},
      {"modelling_clay", "lattice", "dents and stays dented", R"(
density = 1700.0
youngs_modulus = 2.0e6
poissons_ratio = 0.4
yield_stress = 3.5e4
damping = 300.0
)"},
      {"ice", "lattice", "melts at 0 degrees C to water, and freezes again; softer than in nature",
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
      {"wax", "lattice", "candle wax: melts at 60 degrees C; softer than in nature", R"(
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
      {"chocolate", "lattice", "breaks when hard, melts at 34 degrees C; softer than in nature", R"(
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
      // Masses with pairs. Moduli are lower than in nature, so that steps are longer; viscosities
      // and yield stresses are those of the stuff at walking pace. Angles of repose of dry grains
      // follow from friction and rolling_friction.
      {"paste", "mass_interaction", "elastic for a moment: a thread of it folds", R"(
density = 1200.0
youngs_modulus = 5.0e4
viscosity = 40.0
viscous_distance = 2.0
)"},
      {"gel", "mass_interaction", "viscous above all: a thread of it coils", R"(
density = 1000.0
youngs_modulus = 5.0e3
viscosity = 80.0
viscous_distance = 2.0
)"},
      {"honey", "mass_interaction", "flows slowly; a thread of it coils and sinks into itself", R"(
density = 1400.0
youngs_modulus = 5.0e3
viscosity = 20.0
viscous_distance = 2.0
)"},
      {"toothpaste", "mass_interaction", "stands as it was laid, and gives way when pressed", R"(
automaton = "plastic"
density = 1300.0
youngs_modulus = 3.0e4
viscosity = 5.0
pull_distance = 1.4
yield_stress = 200.0
creep = 200.0
)"},
      {"dough", "mass_interaction", "sticks to itself, stretches far, keeps its shape", R"(
automaton = "plastic"
density = 1200.0
youngs_modulus = 2.0e4
viscosity = 20.0
pull_distance = 1.6
yield_stress = 1000.0
creep = 20.0
)"},
      {"cohesive_powder", "mass_interaction", "damp flour: clumps, cracks and stands steep", R"(
automaton = "cohesive"
density = 600.0
youngs_modulus = 2.0e4
viscosity = 2.0
pull_distance = 1.04
friction = 0.6
)"},
      {"granules", "mass_interaction", "dry grains: pour into a pile", R"(
automaton = "granular"
density = 1500.0
youngs_modulus = 1.0e5
viscosity = 4.0
friction = 0.6
rolling_friction = 0.2
)"},
      {"biscuit", "mass_interaction", "brittle: bonds break for good", R"(
automaton = "brittle"
density = 600.0
youngs_modulus = 2.0e5
viscosity = 10.0
strength = 3.0e3
friction = 0.5
)"},
      {"plasticine", "mass_interaction", "dents and stays dented", R"(
automaton = "plastic"
density = 1700.0
youngs_modulus = 2.0e5
viscosity = 50.0
pull_distance = 1.3
yield_stress = 5000.0
creep = 100.0
friction = 0.5
)"},
  };
  return list;
}

const Preset* find_preset(const std::string& name, const std::string& method) {
  for (const Preset& preset : presets())
    if (preset.name == name && (method.empty() || preset.method == method)) return &preset;
  return nullptr;
}

}  // namespace phyxel
