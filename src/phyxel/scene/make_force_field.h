#pragma once

#include "phyxel/core/problems.h"
#include "phyxel/matter/environment.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

/// The force fields of a scene, in its order. Refuses those that the device cannot run.
std::vector<ForceField> make_force_fields(const Scene& scene, ShapeFiles& files, Device device);

/// Carries what events have changed into them.
void refresh_force_fields(const Scene& scene, std::vector<ForceField>& fields);

/// Refuses fields that methods cannot apply: of some materials only, where several share a grid.
void check_force_fields(const Scene& scene, Problems& problems);

}  // namespace phyxel
