#pragma once

#include "phyxel/core/backend.h"

namespace phyxel {

/// Four numbers of a particle side by side, so that one load fetches all of them.
struct alignas(4 * sizeof(Real)) Quad {
  Real c[4];
};

}  // namespace phyxel
