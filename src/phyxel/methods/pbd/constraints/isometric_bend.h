#pragma once

#include "phyxel/methods/pbd/constraint.h"

namespace phyxel::pbd {

/// C = |sum K_k x_k| - rest: for small angles the dihedral angle times the length of the edge, but
/// linear in the positions. x_2 and x_3 are the ends of the edge, x_0 and x_1 the corners opposite.
/// Bergou et al. 2006, "A quadratic bending model for inextensible surfaces": as good as the angle
/// while edges keep their lengths, and cheaper. The energy is bend_stiffness / 2 C^2 / (A_0 + A_1),
/// that of the hinges; the 3 of the paper makes regular meshes three times too stiff when they are
/// rolled up along their rows.
struct IsometricBend {
  static constexpr const char* name = "isometric_bend";
  static constexpr int points = 4;
  static constexpr int numbers = 4;  // K_0, K_1, K_2, 1 / m, and the rest value; K adds up to 0

  template <class T>
  PHYXEL_FN static Slope<T, 4> slope(const Vec<T, 3> (&x)[4], const Vec<T, 4>& rest) {
    const T k[4] = {rest[0], rest[1], rest[2], -(rest[0] + rest[1] + rest[2])};
    // From x_3, so that places far from the origin keep their digits.
    Vec<T, 3> curvature = (x[0] - x[3]) * k[0];
    for (int i = 1; i < 3; ++i) curvature += (x[i] - x[3]) * k[i];
    const T squared = max(length_squared(curvature), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const Vec<T, 3> direction = curvature * over_length;
    Slope<T, 4> slope;
    slope.value = squared * over_length - rest[3];
    for (int i = 0; i < 4; ++i) slope.gradient[i] = direction * k[i];
    return slope;
  }
};

namespace detail {

/// The cotangent of the angle at `at` between `a` and `b`.
template <class T>
PHYXEL_FN T cotangent(const Vec<T, 3>& at, const Vec<T, 3>& a, const Vec<T, 3>& b) {
  const Vec<T, 3> u = a - at, v = b - at;
  return dot(u, v) / length(cross(u, v));
}

}  // namespace detail

/// The rest values of two triangles as they are. A flat pair has the rest value 0.
template <class T>
PHYXEL_FN Vec<T, 4> isometric_bend_rest(const Vec<T, 3> (&x)[4]) {
  using detail::cotangent;
  const T at_2 = cotangent(x[2], x[3], x[0]), below_2 = cotangent(x[2], x[3], x[1]);
  const T at_3 = cotangent(x[3], x[2], x[0]), below_3 = cotangent(x[3], x[2], x[1]);
  // Bergou et al. 2006, section 3: their x_0, x_1 are the ends of the edge, here x_2 and x_3.
  Vec<T, 4> rest = {-(at_2 + at_3), -(below_2 + below_3), at_3 + below_3, T(0)};
  rest[3] = IsometricBend::slope(x, rest).value;
  return rest;
}

}  // namespace phyxel::pbd
