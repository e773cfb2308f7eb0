#pragma once

#include "phyxel/core/plane_rotation.h"

namespace phyxel {

/// A = V diag(values) V^T of a symmetric 3x3 matrix.
template <class T>
struct EigenSymmetric {
  Vec<T, 3> values;   // descending
  Mat<T, 3> vectors;  // V: a rotation; its columns are the eigenvectors, in the same order
};

namespace detail {

/// The largest |entry| of the vectors, and never less than the smallest normal number: what to
/// divide by so that squares neither overflow nor vanish.
template <class T, class... Vectors>
PHYXEL_FN T magnitude(const Vec<T, 3>& first, const Vectors&... rest) {
  T m = max(max(abs(first[0]), abs(first[1])), max(abs(first[2]), T(smallest_normal<T>)));
  if constexpr (sizeof...(rest) > 0) m = max(m, magnitude(rest...));
  return m;
}

/// A symmetric matrix on its way to diagonal form, and the rotations so far.
template <class T>
struct JacobiState {
  Vec<T, 3> d;     // diagonal
  Vec<T, 3> o;     // o[k]: the entry outside row and column k
  Vec<T, 3> v[3];  // columns of V
};

/// Makes the entry outside row and column r zero.
template <class T>
PHYXEL_FN void jacobi_step(JacobiState<T>& m, int p, int q, int r) {
  const auto [rotation, shift] = jacobi_rotation(m.d[p], m.d[q], m.o[r]);
  m.d[p] -= shift;
  m.d[q] += shift;
  m.o[r] = T(0);
  rotate(m.o[q], m.o[p], rotation);
  rotate(m.v[p], m.v[q], rotation);
}

template <class T>
PHYXEL_FN void sort_pair(Vec<T, 3>& key, Vec<T, 3> (&columns)[3], int p, int q) {
  const auto wrong = key[p] < key[q];
  turn_if(wrong, columns[p], columns[q]);
  const T low = min(key[p], key[q]);
  key[p] = max(key[p], key[q]);
  key[q] = low;
}

/// Sweeps until rounding; measured over 10^6 matrices incl. nearly equal and graded eigenvalues.
template <class T>
constexpr int eigen_sweeps = sizeof(LaneOf<T>) == 4 ? 4 : 5;

}  // namespace detail

/// Eigenvalues and eigenvectors of a symmetric 3x3 matrix by cyclic Jacobi rotations with a fixed
/// number of sweeps: no branches, so T may be a pack. Accurate to rounding relative to the largest
/// eigenvalue, for any scale. Only the upper triangle of `a` is read.
template <class T>
PHYXEL_FN EigenSymmetric<T> eigen_symmetric(const Mat<T, 3>& a) {
  const Vec<T, 3> d{a[0][0], a[1][1], a[2][2]}, o{a[1][2], a[0][2], a[0][1]};
  const T scale = detail::magnitude(d, o), inverse_scale = T(1) / scale;
  const Mat<T, 3> unit = Mat<T, 3>::identity();
  detail::JacobiState<T> m{d * inverse_scale, o * inverse_scale, {unit[0], unit[1], unit[2]}};
  for (int sweep = 0; sweep < detail::eigen_sweeps<T>; ++sweep) {
    detail::jacobi_step(m, 0, 1, 2);
    detail::jacobi_step(m, 0, 2, 1);
    detail::jacobi_step(m, 1, 2, 0);
  }
  detail::sort_pair(m.d, m.v, 0, 1);
  detail::sort_pair(m.d, m.v, 0, 2);
  detail::sort_pair(m.d, m.v, 1, 2);
  return {m.d * scale, transpose(Mat<T, 3>{{m.v[0], m.v[1], m.v[2]}})};
}

}  // namespace phyxel
