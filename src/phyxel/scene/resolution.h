#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Makes the matter of a scene that has been read finer by scene.resolution: spacings, and what
/// methods and surfaces measure in spacings, are divided by it. Refuses values that hold for
/// particles of one size only.
void apply_resolution(Scene& scene);

}  // namespace phyxel
