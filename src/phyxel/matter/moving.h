#pragma once

#include "phyxel/core/quad.h"

namespace phyxel {

/// What pairs read of a particle, in one load: position and velocity, and a number beside each.
struct alignas(8 * sizeof(Real)) Moving {
  Quad x, v;
};

}  // namespace phyxel
