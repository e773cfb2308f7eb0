#pragma once

#include "phyxel/core/quad.h"

namespace phyxel {

/// A particle as pairs see it, in one piece: position and velocity, and a number beside each.
struct alignas(8 * sizeof(Real)) Moving {
  Quad x, v;
};

}  // namespace phyxel
