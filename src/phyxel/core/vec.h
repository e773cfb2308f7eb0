#pragma once

#include <cmath>
#include <type_traits>

#include "phyxel/core/backend.h"
#include "phyxel/core/scalar_ops.h"

namespace phyxel {

/// N numbers of type T: float, double or a SIMD pack of particles.
template <class T, int N>
struct Vec {
  T c[N];

  PHYXEL_FN T& operator[](int k) { return c[k]; }
  PHYXEL_FN const T& operator[](int k) const { return c[k]; }

  PHYXEL_FN Vec& operator+=(const Vec& b) {
    for (int k = 0; k < N; ++k) c[k] += b.c[k];
    return *this;
  }
  PHYXEL_FN Vec& operator-=(const Vec& b) {
    for (int k = 0; k < N; ++k) c[k] -= b.c[k];
    return *this;
  }
  PHYXEL_FN Vec& operator*=(const T& s) {
    for (int k = 0; k < N; ++k) c[k] *= s;
    return *this;
  }

  PHYXEL_FN static Vec zero() { return filled(T(0)); }
  PHYXEL_FN static Vec filled(const T& value) {
    Vec v;
    for (int k = 0; k < N; ++k) v.c[k] = value;
    return v;
  }
};

using Vec2 = Vec<Real, 2>;
using Vec3 = Vec<Real, 3>;
using Vec3d = Vec<double, 3>;
using Int3 = Vec<Index, 3>;

template <class T, int N>
PHYXEL_FN Vec<T, N> operator+(Vec<T, N> a, const Vec<T, N>& b) {
  return a += b;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> operator-(Vec<T, N> a, const Vec<T, N>& b) {
  return a -= b;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> operator-(Vec<T, N> a) {
  for (int k = 0; k < N; ++k) a.c[k] = -a.c[k];
  return a;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> operator*(Vec<T, N> a, const std::type_identity_t<T>& s) {
  return a *= s;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> operator*(const std::type_identity_t<T>& s, Vec<T, N> a) {
  return a *= s;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> operator/(Vec<T, N> a, const std::type_identity_t<T>& s) {
  for (int k = 0; k < N; ++k) a.c[k] = a.c[k] / s;
  return a;
}
template <class T, int N>
PHYXEL_FN bool operator==(const Vec<T, N>& a, const Vec<T, N>& b) {
  for (int k = 0; k < N; ++k)
    if (a.c[k] != b.c[k]) return false;
  return true;
}

template <class T, int N>
PHYXEL_FN T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
  T sum = a.c[0] * b.c[0];
  for (int k = 1; k < N; ++k) sum += a.c[k] * b.c[k];
  return sum;
}
template <class T>
PHYXEL_FN Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T, int N>
PHYXEL_FN T length_squared(const Vec<T, N>& a) {
  return dot(a, a);
}
template <class T, int N>
PHYXEL_FN T length(const Vec<T, N>& a) {
  return sqrt(dot(a, a));
}
/// a / |a|; the zero vector stays zero.
template <class T, int N>
PHYXEL_FN Vec<T, N> normalized(const Vec<T, N>& a) {
  const T l = length(a);
  return a / select(l > T(0), l, T(1));
}
template <class T, int N>
PHYXEL_FN Vec<T, N> min(const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r;
  for (int k = 0; k < N; ++k) r.c[k] = select(a.c[k] < b.c[k], a.c[k], b.c[k]);
  return r;
}
template <class T, int N>
PHYXEL_FN Vec<T, N> max(const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r;
  for (int k = 0; k < N; ++k) r.c[k] = select(a.c[k] < b.c[k], b.c[k], a.c[k]);
  return r;
}
/// Component by component product.
template <class T, int N>
PHYXEL_FN Vec<T, N> scaled(const Vec<T, N>& a, const Vec<T, N>& b) {
  Vec<T, N> r;
  for (int k = 0; k < N; ++k) r.c[k] = a.c[k] * b.c[k];
  return r;
}
template <class To, class T, int N>
PHYXEL_FN Vec<To, N> cast(const Vec<T, N>& a) {
  Vec<To, N> r;
  for (int k = 0; k < N; ++k) r.c[k] = static_cast<To>(a.c[k]);
  return r;
}
template <int N>
PHYXEL_FN bool is_finite(const Vec<Real, N>& a) {
  for (int k = 0; k < N; ++k)
    if (!std::isfinite(a.c[k])) return false;
  return true;
}

/// Axis-aligned box; starts empty (min > max) and grows by include().
template <class T>
struct BoundsOf {
  Vec<T, 3> min = Vec<T, 3>::filled(T(1e30));
  Vec<T, 3> max = Vec<T, 3>::filled(T(-1e30));

  PHYXEL_FN void include(const Vec<T, 3>& p) {
    min = phyxel::min(min, p);
    max = phyxel::max(max, p);
  }
  PHYXEL_FN void include(const BoundsOf& b) {
    min = phyxel::min(min, b.min);
    max = phyxel::max(max, b.max);
  }
  PHYXEL_FN bool empty() const { return min[0] > max[0] || min[1] > max[1] || min[2] > max[2]; }
  PHYXEL_FN Vec<T, 3> size() const { return max - min; }
  PHYXEL_FN Vec<T, 3> centre() const { return (min + max) * T(0.5); }
  PHYXEL_FN bool contains(const Vec<T, 3>& p) const {
    for (int k = 0; k < 3; ++k)
      if (p[k] < min[k] || p[k] > max[k]) return false;
    return true;
  }
};
using Bounds = BoundsOf<Real>;

}  // namespace phyxel
