#pragma once

#include <limits>

#include "phyxel/core/eigen_symmetric.h"

namespace phyxel::lattice {

/// Angular velocity, torque or angular momentum: a vector in 3D, one number in 2D.
template <class T, int Dim>
using Spin = Vec<T, Dim == 3 ? 3 : 1>;

/// a x b.
template <class T>
PHYXEL_FN Vec<T, 1> wedge(const Vec<T, 2>& a, const Vec<T, 2>& b) {
  return {a[0] * b[1] - a[1] * b[0]};
}
template <class T>
PHYXEL_FN Vec<T, 3> wedge(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return cross(a, b);
}

/// The sum of a x b for a matrix that is the sum of a b^T.
template <class T>
PHYXEL_FN Vec<T, 1> wedge(const Mat<T, 2>& m) {
  return {m[0][1] - m[1][0]};
}
template <class T>
PHYXEL_FN Vec<T, 3> wedge(const Mat<T, 3>& m) {
  return {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]};
}

/// A spin as columns have it, and back.
template <class T>
PHYXEL_FN Vec<T, 3> as_column(const Vec<T, 1>& spin) {
  return {T(0), T(0), spin[0]};
}
template <class T>
PHYXEL_FN Vec<T, 3> as_column(const Vec<T, 3>& spin) {
  return spin;
}
template <int Dim, class T>
PHYXEL_FN Spin<T, Dim> spin_of(const Vec<T, 3>& column) {
  if constexpr (Dim == 3)
    return column;
  else
    return Spin<T, Dim>{column[2]};
}

/// spin x d.
template <class T>
PHYXEL_FN Vec<T, 2> turned(const Vec<T, 1>& spin, const Vec<T, 2>& d) {
  return {-spin[0] * d[1], spin[0] * d[0]};
}
template <class T>
PHYXEL_FN Vec<T, 3> turned(const Vec<T, 3>& spin, const Vec<T, 3>& d) {
  return cross(spin, d);
}

/// I^-1 momentum for points whose sum of w d d^T about their centre is `spread`, so that the
/// inertia I = trace(spread) 1 - spread. Points on a line have no inertia about it, and forces on
/// them have no moment about it: that axis gets no spin.
template <class T>
PHYXEL_FN Vec<T, 1> spin_from(const Mat<T, 2>& spread, const Vec<T, 1>& momentum) {
  const T inertia = trace(spread);
  return {inertia > T(smallest_normal<T>) ? momentum[0] / inertia : T(0)};
}
/// The inertia of points of this spread, and whether it is far from singular.
template <class T>
PHYXEL_FN Mat<T, 3> inertia_of(const Mat<T, 3>& spread) {
  return Mat<T, 3>::identity() * trace(spread) - spread;
}
template <class T>
PHYXEL_FN auto turns_freely(const Mat<T, 3>& spread) {
  const Mat<T, 3> inertia = inertia_of(spread);
  const T size = trace(inertia) * T(1.0 / 3), cube = size * size * size;
  return determinant(inertia) > T(0.05) * cube && cube > T(smallest_normal<T>);
}
template <class T>
PHYXEL_FN auto turns_freely(const Mat<T, 2>& spread) {
  return trace(spread) > T(smallest_normal<T>);
}

/// spin_from where the inertia is far from singular; packs of numbers as well.
template <class T>
PHYXEL_FN Vec<T, 1> free_spin(const Mat<T, 2>& spread, const Vec<T, 1>& momentum) {
  return {momentum[0] / trace(spread)};
}
template <class T>
PHYXEL_FN Vec<T, 3> free_spin(const Mat<T, 3>& spread, const Vec<T, 3>& momentum) {
  const Mat<T, 3> inertia = inertia_of(spread);
  return cofactor(inertia) * momentum / determinant(inertia);
}

template <class T>
PHYXEL_FN Vec<T, 3> spin_from(const Mat<T, 3>& spread, const Vec<T, 3>& momentum) {
  if (turns_freely(spread)) return free_spin(spread, momentum);
  const EigenSymmetric<T> axes = eigen_symmetric(inertia_of(spread));
  const Vec<T, 3> along = transpose(axes.vectors) * momentum;
  constexpr T rounding = 16 * std::numeric_limits<T>::epsilon();
  const T least = max(axes.values[0] * rounding, T(smallest_normal<T>));
  Vec<T, 3> spin;
  for (int k = 0; k < 3; ++k) spin[k] = axes.values[k] > least ? along[k] / axes.values[k] : T(0);
  return axes.vectors * spin;
}

}  // namespace phyxel::lattice
