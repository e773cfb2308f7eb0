#pragma once

#include "phyxel/core/mat.h"
#include "phyxel/methods/pbd/constraint.h"

// The strain of a triangle. With an area A at rest and the moduli lambda and mu of a membrane, N/m,
// compliances of 1 / (2 mu A) for the stretch along each of two directions at right angles,
// 1 / (mu A) for the shear between them and A / lambda for the area make an isotropic membrane. One
// of them alone makes a fabric that gives way along its threads less than across.

namespace phyxel::pbd {

/// C = area - rest area.
struct TriangleArea {
  static constexpr const char* name = "triangle_area";
  static constexpr int points = 3;
  static constexpr int numbers = 1;  // rest area, m^2

  template <class T>
  PHYXEL_FN static Slope<T, 3> slope(const Vec<T, 3> (&x)[3], const Vec<T, 1>& rest) {
    const Vec<T, 3> twice = cross(x[1] - x[0], x[2] - x[0]);
    const T squared = max(length_squared(twice), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const Vec<T, 3> half_normal = twice * (over_length * T(Real(0.5)));
    return {squared * over_length * T(Real(0.5)) - rest[0],
            {cross(half_normal, x[2] - x[1]), cross(half_normal, x[0] - x[2]),
             cross(half_normal, x[1] - x[0])}};
  }
};

namespace detail {

/// The image of a unit vector of the rest plane: a column of the deformation gradient.
template <class T>
PHYXEL_FN Vec<T, 3> image(const Vec<T, 3> (&x)[3], const T& b_1, const T& b_2) {
  return (x[1] - x[0]) * b_1 + (x[2] - x[0]) * b_2;
}

}  // namespace detail

/// C = |F d| - 1: the stretch along a direction d of the rest plane, with F d = sum b_k x_k.
struct TriangleStretch {
  static constexpr const char* name = "triangle_stretch";
  static constexpr int points = 3;
  static constexpr int numbers = 2;  // b_1, b_2, 1 / m; b_0 = -b_1 - b_2

  template <class T>
  PHYXEL_FN static Slope<T, 3> slope(const Vec<T, 3> (&x)[3], const Vec<T, 2>& rest) {
    const Vec<T, 3> along = detail::image(x, rest[0], rest[1]);
    const T squared = max(length_squared(along), T(smallest_normal<T>));
    const T over_length = Quick<T>::over_root(squared);
    const Vec<T, 3> direction = along * over_length;
    return {squared * over_length - T(Real(1)),
            {direction * -(rest[0] + rest[1]), direction * rest[0], direction * rest[1]}};
  }
};

/// C = (F d) . (F e): the shear between two directions at right angles in the rest plane.
struct TriangleShear {
  static constexpr const char* name = "triangle_shear";
  static constexpr int points = 3;
  static constexpr int numbers = 4;  // b_1, b_2 of d, then of e

  template <class T>
  PHYXEL_FN static Slope<T, 3> slope(const Vec<T, 3> (&x)[3], const Vec<T, 4>& rest) {
    const Vec<T, 3> d = detail::image(x, rest[0], rest[1]);
    const Vec<T, 3> e = detail::image(x, rest[2], rest[3]);
    const Vec<T, 3> g_1 = e * rest[0] + d * rest[2], g_2 = e * rest[1] + d * rest[3];
    return {dot(d, e), {-(g_1 + g_2), g_1, g_2}};
  }
};

/// The rest values of a triangle as it is, for `direction`, which need not lie in its plane, and
/// the one at right angles to it. Directions at right angles to the triangle are replaced by an
/// edge.
template <class T>
PHYXEL_FN Vec<T, 4> triangle_rest(const Vec<T, 3> (&x)[3], const Vec<T, 3>& direction) {
  const Vec<T, 3> a = x[1] - x[0], b = x[2] - x[0], normal = normalized(cross(a, b));
  Vec<T, 3> d = direction - normal * dot(normal, direction);
  if (length_squared(d) < T(1e-6) * length_squared(direction)) d = a;
  d = normalized(d);
  const Vec<T, 3> e = cross(normal, d);
  // F d = sum b_k x_k, where the rest edges are the columns of a 2 x 2 matrix in (d, e).
  const Mat<T, 2> edges = {{{dot(a, d), dot(b, d)}, {dot(a, e), dot(b, e)}}};
  const Mat<T, 2> inverse_edges = inverse(edges);
  return {inverse_edges[0][0], inverse_edges[1][0], inverse_edges[0][1], inverse_edges[1][1]};
}

}  // namespace phyxel::pbd
