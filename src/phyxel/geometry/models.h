#pragma once

#include "phyxel/geometry/shape.h"

namespace phyxel {

// Own models as implicit functions, centred at the origin, so that no asset is needed. `size` is
// the height in m, of the die the length of an edge. They look along +z.

Shape model_bunny(Real size);
Shape model_bust(Real size);
/// Opposite faces sum to seven; one is on top (+y), two in front (+z), three on the right (+x).
Shape model_die(Real size);

}  // namespace phyxel
