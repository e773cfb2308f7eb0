#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Of a particle of the material, kg. In 2D the layer stands for matter one metre thick.
Real particle_mass(const Material& material, Packing packing);

/// Into scene.materials.
Index material_index(const Scene& scene, const std::string& name);

}  // namespace phyxel
