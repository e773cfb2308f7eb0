#pragma once

#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

/// C = |x_0 - x_1| - rest where that is above zero, else nothing: x_0 is no further from the pinned
/// x_1 than the way along the mesh. Kim et al. 2012, "Long range attachments".
struct LongRange {
  static constexpr const char* name = "long_range";
  static constexpr int points = 2;
  static constexpr int moved = 1;    // the second is held by a pin
  static constexpr int numbers = 1;  // the longest distance, m

  template <class T>
  PHYXEL_FN static Slope<T, 2> slope(const Vec<T, 3> (&x)[2], const Vec<T, 1>& rest) {
    const Vec<T, 3> d = x[0] - x[1];
    const T squared = max(length_squared(d), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const T beyond = squared * over_length - rest[0];
    const Vec<T, 3> direction = d * select(beyond > T(0), over_length, T(0));
    return {max(beyond, T(0)), {direction, -direction}};
  }
};

}  // namespace phyxel::pbd
