#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Forgets what has been counted so far, and finds out whether there is something to count.
void start_reactions(World& world);

/// Fills world.reactions with what methods have counted since `from` s.
void take_reactions(World& world, double from);

}  // namespace phyxel
