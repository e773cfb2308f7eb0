#pragma once

#include "phyxel/geometry/shape.h"

namespace phyxel {

/// How thick a solid is where it is thinnest, m, as far as that is below `limit`; +infinity where
/// no place so thin was found. Exact for primitives, at some hundred places of the surface for
/// others.
double thickness_below(const Shape& shape, double limit);

}  // namespace phyxel
