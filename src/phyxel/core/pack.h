#pragma once

// GCC 12 takes the undefined pass-through operands in its own AVX-512 headers for mistakes
// (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

#include "phyxel/core/mat.h"

// A pack is a SIMD register of numbers, one lane per particle. Vec<Pack, 3> and Mat<Pack, 3> hold
// that many vectors and matrices at once, and the templates of core/ work on them unchanged, with
// select, min, max, abs, sqrt, any and all from xsimd. It is slow to compile: only kernel files
// include this header, never another header.

namespace phyxel {

template <class T>
using PackOf = xsimd::batch<T>;
using Pack = PackOf<Real>;
using Vec3Pack = Vec<Pack, 3>;
using Mat3Pack = Mat<Pack, 3>;

/// Lanes of a pack of T.
template <class T>
constexpr Index pack_size = static_cast<Index>(PackOf<T>::size);

namespace detail {

/// An element of a column (a number, Vec or Mat) as a row of numbers.
template <class E>
struct Element {
  using Number = E;
  using Packed = PackOf<E>;
  static constexpr int numbers = 1;
};
template <class T, int N>
struct Element<Vec<T, N>> {
  using Number = T;
  using Packed = Vec<PackOf<T>, N>;
  static constexpr int numbers = N;
};
template <class T, int R, int C>
struct Element<Mat<T, R, C>> {
  using Number = T;
  using Packed = Mat<PackOf<T>, R, C>;
  static constexpr int numbers = R * C;
};

template <class T>
inline T& number(T& a, int) {
  return a;
}
template <class T, int N>
inline T& number(Vec<T, N>& a, int k) {
  return a[k];
}
template <class T, int N>
inline const T& number(const Vec<T, N>& a, int k) {
  return a[k];
}
template <class T, int R, int C>
inline T& number(Mat<T, R, C>& a, int k) {
  return a[k / C][k % C];
}
template <class T, int R, int C>
inline const T& number(const Mat<T, R, C>& a, int k) {
  return a[k / C][k % C];
}

}  // namespace detail

template <class E>
using PackedOf = typename detail::Element<E>::Packed;
template <class E>
constexpr Index lanes_of = pack_size<typename detail::Element<E>::Number>;

/// The numbers, Vecs or Mats from[0], from[1], ... of a column, one per lane. Lanes from `count` on
/// repeat the last one: arithmetic on them is as harmless as on the others.
template <class E>
inline PackedOf<E> load(const E* from, Index count = lanes_of<E>) {
  using Element = detail::Element<E>;
  alignas(64) typename Element::Number lanes[Element::numbers][lanes_of<E>];
  for (Index l = 0; l < lanes_of<E>; ++l)
    for (int k = 0; k < Element::numbers; ++k)
      lanes[k][l] = detail::number(from[l < count ? l : count - 1], k);
  PackedOf<E> packed;
  for (int k = 0; k < Element::numbers; ++k)
    detail::number(packed, k) = PackOf<typename Element::Number>::load_aligned(lanes[k]);
  return packed;
}

/// The first `count` lanes to to[0], to[1], ...
template <class E>
inline void store(const PackedOf<E>& packed, E* to, Index count = lanes_of<E>) {
  using Element = detail::Element<E>;
  alignas(64) typename Element::Number lanes[Element::numbers][lanes_of<E>];
  for (int k = 0; k < Element::numbers; ++k) detail::number(packed, k).store_aligned(lanes[k]);
  for (Index l = 0; l < lanes_of<E> && l < count; ++l)
    for (int k = 0; k < Element::numbers; ++k) detail::number(to[l], k) = lanes[k][l];
}

}  // namespace phyxel
