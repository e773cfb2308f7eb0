#pragma once

#include "phyxel/methods/pbd/constraints/strain.h"

namespace phyxel::pbd {

namespace detail {

/// Nine numbers as a matrix, row by row.
template <class T, int N>
PHYXEL_FN Mat<T, 3> matrix(const Vec<T, N>& numbers) {
  return {{{numbers[0], numbers[1], numbers[2]},
           {numbers[3], numbers[4], numbers[5]},
           {numbers[6], numbers[7], numbers[8]}}};
}

/// F = D B, with the edges from x_0 as columns of D.
template <class T>
PHYXEL_FN Mat<T, 3> gradient_of(const Vec<T, 3> (&x)[4], const Mat<T, 3>& b) {
  const Mat<T, 3> edges = {{x[1] - x[0], x[2] - x[0], x[3] - x[0]}};
  return transpose(edges) * b;
}

/// dC/dF as gradients by the positions: dC/dx_k = (dC/dF B^T) column k - 1.
template <class T>
PHYXEL_FN Slope<T, 4> of_points(const SlopeOfF<T>& c, const Mat<T, 3>& b) {
  Slope<T, 4> slope;
  slope.value = c.value;
  for (int k = 0; k < 3; ++k) slope.gradient[k + 1] = c.derivative * b[k];
  slope.gradient[0] = -(slope.gradient[1] + slope.gradient[2] + slope.gradient[3]);
  return slope;
}

}  // namespace detail

/// The shape of a tetrahedron, by a law of strain.h.
template <class Law>
struct TetrahedronShape {
  static constexpr const char* name = Law::of_tetrahedron;
  static constexpr int points = 4;
  static constexpr int numbers = 9;  // B: the inverse of the rest edges, 1 / m

  template <class T>
  PHYXEL_FN static Slope<T, 4> slope(const Vec<T, 3> (&x)[4], const Vec<T, 9>& rest) {
    const Mat<T, 3> b = detail::matrix(rest);
    return detail::of_points(Law::of(detail::gradient_of(x, b)), b);
  }
};

/// Its volume.
struct TetrahedronVolume {
  static constexpr const char* name = "tetrahedron_volume";
  static constexpr int points = 4;
  static constexpr int numbers = 9;  // B

  template <class T>
  PHYXEL_FN static Slope<T, 4> slope(const Vec<T, 3> (&x)[4], const Vec<T, 9>& rest) {
    const Mat<T, 3> b = detail::matrix(rest);
    return detail::of_points(volume_of(detail::gradient_of(x, b)), b);
  }
};

/// Six times the volume; below zero for an inverted one.
template <class T>
PHYXEL_FN T six_volumes(const Vec<T, 3> (&x)[4]) {
  return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0]));
}

/// The rest values of a tetrahedron as it is.
template <class T>
PHYXEL_FN Vec<T, 9> tetrahedron_rest(const Vec<T, 3> (&x)[4]) {
  const Mat<T, 3> edges = {{x[1] - x[0], x[2] - x[0], x[3] - x[0]}};
  const Mat<T, 3> b = inverse(transpose(edges));
  Vec<T, 9> rest;
  for (int k = 0; k < 9; ++k) rest[k] = b[k / 3][k % 3];
  return rest;
}

}  // namespace phyxel::pbd
