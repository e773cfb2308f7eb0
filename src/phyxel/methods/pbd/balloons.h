#pragma once

#include "phyxel/methods/pbd/bodies.h"
#include "phyxel/methods/pbd/constraints/gas.h"

namespace phyxel::pbd {

/// Closes a sheet around the gas that `pressure` of its material asks for. InputError where its
/// triangles enclose no volume.
void add_balloon(Model& model, const BodySeed& seed, Index first);

/// InputError where gas = "fixed_pressure" makes a skin of springs grow without end: T = 3/2 Y e /
/// (1
/// + e) at a stretch e of a sphere balances p = 2 T / r = 3 Y e / (r_0 (1 + e)^2), which has its
/// largest value 3 Y / 4 r_0 at e = 1.
void check_pressure(const ClosedBody& balloon, const Material& material);

/// The gas in a balloon, as its material has it now.
Gas gas_of(const ClosedBody& balloon, const Parameters& p);

}  // namespace phyxel::pbd
