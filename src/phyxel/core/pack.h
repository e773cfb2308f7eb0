#pragma once

// GCC 12 takes the undefined pass-through operands in its own AVX-512 headers for mistakes
// (GCC bug 105593).
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

#include "phyxel/core/column.h"
#include "phyxel/core/scalar_ops.h"

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

/// In pack_shuffle.h.
template <>
struct Quick<Pack>;

/// Lanes of a pack of T.
template <class T>
constexpr Index pack_size = static_cast<Index>(PackOf<T>::size);

namespace detail {

template <class E>
struct Packed {
  using type = PackOf<E>;
};
template <class T, int N>
struct Packed<Vec<T, N>> {
  using type = Vec<PackOf<T>, N>;
};
template <class T, int R, int C>
struct Packed<Mat<T, R, C>> {
  using type = Mat<PackOf<T>, R, C>;
};

/// Number k of an element of a column, or of what its elements are packed into.
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

/// What an element of a column is packed into: Vec3 into Vec<Pack, 3>.
template <class E>
using PackedOf = typename detail::Packed<E>::type;
/// Elements that fit into it.
template <class E>
constexpr Index lanes_of = pack_size<typename ElementOf<E>::Number>;

/// The elements from[0], from[1], ... of a column, one per lane. Lanes from `count` on repeat the
/// last one: arithmetic on them is as harmless as on the others.
template <class E>
inline PackedOf<E> load(const E* from, Index count = lanes_of<E>) {
  using Number = typename ElementOf<E>::Number;
  constexpr int numbers = ElementOf<E>::components;
  alignas(64) Number lanes[numbers][lanes_of<E>];
  for (Index l = 0; l < lanes_of<E>; ++l)
    for (int k = 0; k < numbers; ++k)
      lanes[k][l] = detail::number(from[l < count ? l : count - 1], k);
  PackedOf<E> packed;
  for (int k = 0; k < numbers; ++k)
    detail::number(packed, k) = PackOf<Number>::load_aligned(lanes[k]);
  return packed;
}

/// The first `count` lanes to the elements to[0], to[1], ... of a column.
template <class E>
inline void store(const PackedOf<E>& packed, E* to, Index count = lanes_of<E>) {
  constexpr int numbers = ElementOf<E>::components;
  alignas(64) typename ElementOf<E>::Number lanes[numbers][lanes_of<E>];
  for (int k = 0; k < numbers; ++k) detail::number(packed, k).store_aligned(lanes[k]);
  for (Index l = 0; l < lanes_of<E> && l < count; ++l)
    for (int k = 0; k < numbers; ++k) detail::number(to[l], k) = lanes[k][l];
}

}  // namespace phyxel
