#pragma once

#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

/// C = |x_0 - x_1| - rest length: an edge of a mesh, a part of a rope.
struct Distance {
  static constexpr const char* name = "distance";
  static constexpr int points = 2;
  static constexpr int numbers = 1;  // rest length, m

  /// Points in one place have no direction and stay.
  template <class T>
  PHYXEL_FN static Slope<T, 2> slope(const Vec<T, 3> (&x)[2], const Vec<T, 1>& rest) {
    const Vec<T, 3> d = x[0] - x[1];
    const T squared = max(length_squared(d), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const Vec<T, 3> direction = d * over_length;
    return {squared * over_length - rest[0], {direction, -direction}};
  }
};

}  // namespace phyxel::pbd
