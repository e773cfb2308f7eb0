#include "phyxel/methods/mass_interaction/info.h"

namespace phyxel::mass_interaction {

std::vector<Preset> presets() {
  return {
      // Masses with pairs. Moduli are lower than in nature, so that steps are longer; viscosities
      // and yield stresses are those of the stuff at walking pace. Angles of repose of dry grains
      // follow from friction and rolling_friction.
      {"paste", "elastic for a moment: a thread of it folds", R"(
density = 1200.0
youngs_modulus = 5.0e4
viscosity = 40.0
viscous_distance = 2.0
)"},
      {"gel", "viscous above all: a thread of it coils", R"(
density = 1000.0
youngs_modulus = 5.0e3
viscosity = 80.0
viscous_distance = 2.0
)"},
      {"honey", "flows slowly; a thread of it coils and sinks into itself", R"(
density = 1400.0
youngs_modulus = 5.0e3
viscosity = 20.0
viscous_distance = 2.0
)"},
      {"toothpaste", "stands as it was laid, and gives way when pressed", R"(
automaton = "plastic"
density = 1300.0
youngs_modulus = 3.0e4
viscosity = 5.0
pull_distance = 1.4
yield_stress = 200.0
creep = 200.0
)"},
      {"dough", "sticks to itself, stretches far, keeps its shape", R"(
automaton = "plastic"
density = 1200.0
youngs_modulus = 2.0e4
viscosity = 20.0
pull_distance = 1.6
yield_stress = 1000.0
creep = 20.0
)"},
      {"cohesive_powder", "damp flour: clumps, cracks and stands steep", R"(
automaton = "cohesive"
density = 600.0
youngs_modulus = 2.0e4
viscosity = 2.0
pull_distance = 1.04
friction = 0.6
)"},
      {"granules", "dry grains: pour into a pile", R"(
automaton = "granular"
density = 1500.0
youngs_modulus = 1.0e5
viscosity = 4.0
friction = 0.6
rolling_friction = 0.2
)"},
      {"biscuit", "brittle: bonds break for good", R"(
automaton = "brittle"
density = 600.0
youngs_modulus = 2.0e5
viscosity = 10.0
strength = 3.0e3
friction = 0.5
)"},
      {"plasticine", "dents and stays dented", R"(
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
}

}  // namespace phyxel::mass_interaction
