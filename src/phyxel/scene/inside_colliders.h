#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Particles of all methods that are deeper inside a collider than half of their spacing: matter
/// that was pressed in, or that a collider has jumped into.
std::size_t count_inside_colliders(World& world);

}  // namespace phyxel
