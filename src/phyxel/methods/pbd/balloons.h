#pragma once

#include "phyxel/methods/pbd/bodies.h"
#include "phyxel/methods/pbd/constraints/gas.h"

namespace phyxel::pbd {

/// Closes a sheet around the gas that `pressure` of its material asks for. InputError where its
/// triangles enclose no volume.
void add_balloon(Model& model, const BodySeed& seed, Index first);

/// The gas in a balloon, as its material has it now.
Gas gas_of(const ClosedBody& balloon, const Parameters& p);

}  // namespace phyxel::pbd
