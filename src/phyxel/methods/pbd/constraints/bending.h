#pragma once

#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

/// Of T = double too; that of packs is found in their own namespace.
template <class T>
PHYXEL_FN IfNumber<T> atan2(T y, T x) {
  return std::atan2(y, x);
}

/// An angle as one from -pi to pi, of one from -3 pi to 3 pi.
template <class T>
PHYXEL_FN T wrapped_angle(const T& angle) {
  const T pi = T(LaneOf<T>(M_PI)), turn = T(LaneOf<T>(2 * M_PI));
  return select(angle > pi, angle - turn, select(angle < -pi, angle + turn, angle));
}

/// C = the angle between two triangles - that at rest: 0 where they are flat, with a sign. Points:
/// the corners opposite of the edge, and its ends; triangles are 0 2 3 and 1 3 2.
struct Bending {
  static constexpr const char* name = "bending";
  static constexpr int points = 4;
  static constexpr int numbers = 1;  // angle at rest, rad

  /// Bridson et al. 2003, section 4. A triangle without area has no angle, and stays.
  template <class T>
  PHYXEL_FN static Slope<T, 4> slope(const Vec<T, 3> (&x)[4], const Vec<T, 1>& rest) {
    const T least = T(smallest_normal<T>);
    const Vec<T, 3> edge = x[3] - x[2];
    const Vec<T, 3> a2 = x[0] - x[2], a3 = x[0] - x[3], b2 = x[1] - x[2], b3 = x[1] - x[3];
    const Vec<T, 3> normal_a = cross(a2, a3), normal_b = cross(b3, b2);
    const T over_a = Quick<T>::reciprocal(max(length_squared(normal_a), least));
    const T over_b = Quick<T>::reciprocal(max(length_squared(normal_b), least));
    const T squared = max(length_squared(edge), least);
    const T over_length = Quick<T>::over_root(squared), length = squared * over_length;
    // Both arguments are those of unit normals times the lengths of the normals.
    const T sine = dot(cross(normal_a, normal_b), edge) * over_length;
    const T angle = atan2(sine, dot(normal_a, normal_b));
    const Vec<T, 3> by_a = normal_a * over_a, by_b = normal_b * over_b;
    Slope<T, 4> slope;
    slope.value = wrapped_angle(angle - rest[0]);
    slope.gradient[0] = by_a * -length;
    slope.gradient[1] = by_b * -length;
    slope.gradient[2] =
        -(by_a * (dot(a3, edge) * over_length) + by_b * (dot(b3, edge) * over_length));
    slope.gradient[3] = -(slope.gradient[0] + slope.gradient[1] + slope.gradient[2]);
    return slope;
  }
};

}  // namespace phyxel::pbd
