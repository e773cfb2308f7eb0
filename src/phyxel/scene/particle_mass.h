#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Mass of a particle of the material, kg. In 2D the layer stands for matter one metre thick.
Real particle_mass(const Material& material, Packing packing);

}  // namespace phyxel
