#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Finds where colliders jump, so that they push matter out of their way slowly, and notes it in
/// world.notes. Refuses pins and emitters that jump: the matter that they hold would be torn off,
/// or put into other matter.
void foresee_jumps(World& world);

}  // namespace phyxel
