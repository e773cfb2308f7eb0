#pragma once

#include "phyxel/core/backend.h"

namespace phyxel {

/// Four numbers of a particle side by side, so that one load fetches all of them.
struct alignas(4 * sizeof(Real)) Quad {
  Real c[4];
};

/// Sixteen numbers of a particle, a cache line of them where Real is float: what one load fetches
/// and one transpose turns into packs.
struct alignas(64) Row16 {
  Real c[16];
};

}  // namespace phyxel
