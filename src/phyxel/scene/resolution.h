#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Makes the matter of a scene that has been read finer by scene.resolution: divides spacings, and
/// lengths of methods and surfaces of the order of the spacing, by it. Refuses values that hold for
/// particles of one size only.
void apply_resolution(Scene& scene);

}  // namespace phyxel
