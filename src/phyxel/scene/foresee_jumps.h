#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Finds where colliders jump, so that they push matter out of their way slowly, and notes it in
/// world.notes. Refuses pins that jump: the matter that they hold would be torn off.
void foresee_jumps(World& world);

}  // namespace phyxel
