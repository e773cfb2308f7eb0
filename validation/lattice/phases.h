#pragma once

#include "lattice/common.h"

// Matter that breaks, melts and freezes.

namespace phyxel::validation::lattice {

/// Width of the gap between the halves of a bar in the end, over the distance that layers have at
/// rest: 1 is none.
struct Parted {
  double gap = 0;
  double strain = 0;  // that the bar would have if it were whole
};
/// Halves cut apart, put together, and drawn apart.
Parted cut_bar(const Changes& changes);

struct Snapped {
  double first = 0, pushed = 0, second = 0;  // widest gap after pulling, pushing, pulling again
};
Snapped snap_bar(const Changes& changes);

struct Refrozen {
  Curve kinetic;             // J over s
  double liquid = 0;         // largest share of the particles that was liquid
  double frozen = 0;         // share that is solid in the end
  double liquid_volume = 0;  // before it freezes over that at the start
  double volume = 0;         // in the end over that at the start
  double fastest = 0;        // particle over the speed of a fall from its height
  double burst = 0;  // most kinetic energy from when it freezes on, over that of the fall of all
};
Refrozen melt_and_freeze(const Changes& changes);

}  // namespace phyxel::validation::lattice
