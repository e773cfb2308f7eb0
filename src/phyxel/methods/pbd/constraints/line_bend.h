#pragma once

#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

/// C = |sum K_k x_k|: the angle at the vertex x_1 of a line from x_0 to x_2, for small angles. With
/// K = 1 / l_0, -1 / l_0 - 1 / l_1, 1 / l_1 it is the difference of the unit tangents while edges
/// keep their lengths. With half of both edges for the vertex, and the curvature C over that, the
/// energy E I C^2 / (l_0 + l_1) is that of a rod.
struct LineBend {
  static constexpr const char* name = "line_bend";
  static constexpr int points = 3;
  static constexpr int numbers = 2;  // 1 / l_0, 1 / l_1, 1 / m

  /// A straight line has no direction to bend in, and stays.
  template <class T>
  PHYXEL_FN static Slope<T, 3> slope(const Vec<T, 3> (&x)[3], const Vec<T, 2>& rest) {
    const Vec<T, 3> turn = (x[0] - x[1]) * rest[0] + (x[2] - x[1]) * rest[1];
    const T squared = max(length_squared(turn), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const Vec<T, 3> direction = turn * over_length;
    return {squared * over_length,
            {direction * rest[0], direction * -(rest[0] + rest[1]), direction * rest[1]}};
  }
};

}  // namespace phyxel::pbd
