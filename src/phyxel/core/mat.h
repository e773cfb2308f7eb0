#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// R x C matrix of type T: float, double or a SIMD pack. m[row][column].
template <class T, int R, int C = R>
struct Mat {
  Vec<T, C> row[R];

  PHYXEL_FN Vec<T, C>& operator[](int r) { return row[r]; }
  PHYXEL_FN const Vec<T, C>& operator[](int r) const { return row[r]; }

  PHYXEL_FN Mat& operator+=(const Mat& b) {
    for (int r = 0; r < R; ++r) row[r] += b.row[r];
    return *this;
  }
  PHYXEL_FN Mat& operator-=(const Mat& b) {
    for (int r = 0; r < R; ++r) row[r] -= b.row[r];
    return *this;
  }
  PHYXEL_FN Mat& operator*=(const T& s) {
    for (int r = 0; r < R; ++r) row[r] *= s;
    return *this;
  }

  PHYXEL_FN static Mat zero() {
    Mat m;
    for (int r = 0; r < R; ++r) m.row[r] = Vec<T, C>::zero();
    return m;
  }
  PHYXEL_FN static Mat identity() {
    Mat m = zero();
    for (int r = 0; r < R; ++r) m[r][r] = T(1);
    return m;
  }
};

using Mat3 = Mat<Real, 3>;
using Mat3d = Mat<double, 3>;

template <class T, int R, int C>
PHYXEL_FN Mat<T, R, C> operator+(Mat<T, R, C> a, const Mat<T, R, C>& b) {
  return a += b;
}
template <class T, int R, int C>
PHYXEL_FN Mat<T, R, C> operator-(Mat<T, R, C> a, const Mat<T, R, C>& b) {
  return a -= b;
}
template <class T, int R, int C>
PHYXEL_FN Mat<T, R, C> operator*(Mat<T, R, C> a, const std::type_identity_t<T>& s) {
  return a *= s;
}
template <class T, int R, int K, int C>
PHYXEL_FN Mat<T, R, C> operator*(const Mat<T, R, K>& a, const Mat<T, K, C>& b) {
  Mat<T, R, C> m;
  for (int r = 0; r < R; ++r) {
    m[r] = b[0] * a[r][0];
    for (int k = 1; k < K; ++k) m[r] += b[k] * a[r][k];
  }
  return m;
}
template <class T, int R, int C>
PHYXEL_FN Vec<T, R> operator*(const Mat<T, R, C>& a, const Vec<T, C>& x) {
  Vec<T, R> y;
  for (int r = 0; r < R; ++r) y[r] = dot(a[r], x);
  return y;
}
template <class T, int R, int C>
PHYXEL_FN Mat<T, C, R> transpose(const Mat<T, R, C>& a) {
  Mat<T, C, R> m;
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) m[c][r] = a[r][c];
  return m;
}
template <class T, int R, int C>
PHYXEL_FN Mat<T, R, C> outer(const Vec<T, R>& a, const Vec<T, C>& b) {
  Mat<T, R, C> m;
  for (int r = 0; r < R; ++r) m[r] = b * a[r];
  return m;
}
template <class T, int N>
PHYXEL_FN Mat<T, N> diagonal(const Vec<T, N>& d) {
  Mat<T, N> m = Mat<T, N>::zero();
  for (int k = 0; k < N; ++k) m[k][k] = d[k];
  return m;
}
template <class T, int N>
PHYXEL_FN T trace(const Mat<T, N>& a) {
  T sum = a[0][0];
  for (int k = 1; k < N; ++k) sum += a[k][k];
  return sum;
}
template <class T>
PHYXEL_FN T determinant(const Mat<T, 2>& a) {
  return a[0][0] * a[1][1] - a[0][1] * a[1][0];
}
template <class T>
PHYXEL_FN T determinant(const Mat<T, 3>& a) {
  return dot(a[0], cross(a[1], a[2]));
}
/// Cofactor matrix: determinant(a) inverse(a)^T, defined for singular a too.
template <class T>
PHYXEL_FN Mat<T, 2> cofactor(const Mat<T, 2>& a) {
  return {{{a[1][1], -a[1][0]}, {-a[0][1], a[0][0]}}};
}
template <class T>
PHYXEL_FN Mat<T, 3> cofactor(const Mat<T, 3>& a) {
  return {{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])}};
}
template <class T, int N>
PHYXEL_FN Mat<T, N> inverse(const Mat<T, N>& a) {
  return transpose(cofactor(a)) * (T(1) / determinant(a));
}
template <class T, int R, int C>
PHYXEL_FN T norm_squared(const Mat<T, R, C>& a) {
  T sum = dot(a[0], a[0]);
  for (int r = 1; r < R; ++r) sum += dot(a[r], a[r]);
  return sum;
}

/// Rotation by `angle` radians about the unit vector `axis` (Rodrigues).
template <class T>
PHYXEL_FN Mat<T, 3> rotation(const Vec<T, 3>& axis, T angle) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle), zero = T(0);
  const Vec<T, 3> w = axis * s;
  return outer(axis, axis) * (T(1) - c) + Mat<T, 3>::identity() * c +
         Mat<T, 3>{{{zero, -w[2], w[1]}, {w[2], zero, -w[0]}, {-w[1], w[0], zero}}};
}
/// Rotation by angles in degrees about x, then y, then z (the scene file's `rotation`).
PHYXEL_FN Mat3 rotation_degrees(const Vec3& degrees) {
  const Vec3 a = degrees * static_cast<Real>(M_PI / 180.0);
  return rotation(Vec3{0, 0, 1}, a[2]) * rotation(Vec3{0, 1, 0}, a[1]) *
         rotation(Vec3{1, 0, 0}, a[0]);
}

}  // namespace phyxel
