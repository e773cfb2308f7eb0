#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Which particle, material and collider need a step this small: the fastest particle, or the
/// most compressed pair, and the collider beside it. A search over all particles: for messages.
std::string step_cause(World& world, const StableStep& limit);

}  // namespace phyxel
