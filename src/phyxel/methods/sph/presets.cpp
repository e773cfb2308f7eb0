#include "phyxel/methods/sph/info.h"

namespace phyxel::sph {

std::vector<Preset> presets() {
  return {
      // Liquids of smoothed particles: densities and viscosities at 20 degrees C as above, and a
      // speed of sound of ten times the largest flow speed.
      {"water", "water that is slower than 3 m/s; sound_speed = 10 v for faster", R"(
density = 998.0
sound_speed = 30.0
gamma = 7.0
viscosity = 1.0e-3
)"},
      {"oil", "olive oil", R"(
density = 911.0
sound_speed = 30.0
gamma = 7.0
viscosity = 8.4e-2
)"},
      {"honey", "honey: flows slowly", R"(
density = 1420.0
sound_speed = 30.0
gamma = 7.0
viscosity = 10.0
xsph = 0.0
)"},
  };
}

}  // namespace phyxel::sph
