#pragma once

#include "phyxel/methods/pbd/bodies.h"

namespace phyxel::pbd {

/// Fills a body with what `elements` of its material says. Points of cells or tetrahedra that are
/// in none, as single ones on the outside of a body, are held by springs to their neighbours.
void add_solid(Model& model, const BodySeed& seed, const Material& material, Index first);

}  // namespace phyxel::pbd
