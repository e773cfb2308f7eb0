#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Refuses what spans several values of a scene that has been read; needs no geometry.
void check_scene(const Scene& scene);

/// Refuses what the methods of the bodies would ignore.
void check_methods(const Scene& scene);

}  // namespace phyxel
