#pragma once

#include "phyxel/core/svd.h"

namespace phyxel {

/// A = R S.
template <class T, int N = 3>
struct Polar {
  Mat<T, N> rotation;  // R, a proper rotation also for reflected and singular A
  Mat<T, N> stretch;   // S, exactly symmetric; indefinite where determinant(A) < 0
};

/// The polar decomposition through the singular values: R = U V^T, S = V diag(sigma) V^T. R is the
/// rotation nearest to A.
template <class T>
PHYXEL_FN Polar<T> polar(const Mat<T, 3>& a) {
  const Svd<T> f = svd(a);
  Polar<T> result;
  result.rotation = f.u * transpose(f.v);
  for (int r = 0; r < 3; ++r)
    for (int c = r; c < 3; ++c) {
      const T s = dot(scaled(f.v[r], f.sigma), f.v[c]);
      result.stretch[r][c] = s;
      result.stretch[c][r] = s;
    }
  return result;
}

/// In the plane the nearest rotation has a closed form: cosine and sine are proportional to
/// A_00 + A_11 and A_10 - A_01. The identity where both are zero: no rotation is nearer then.
template <class T>
PHYXEL_FN Polar<T, 2> polar(const Mat<T, 2>& a) {
  const PlaneRotation<T> turn = givens_rotation(a[0][0] + a[1][1], a[1][0] - a[0][1]);
  Polar<T, 2> result;
  result.rotation = {{{turn.c, turn.s}, {-turn.s, turn.c}}};
  result.stretch = transpose(result.rotation) * a;
  const T s = (result.stretch[0][1] + result.stretch[1][0]) * T(0.5);
  result.stretch[0][1] = s;
  result.stretch[1][0] = s;
  return result;
}

}  // namespace phyxel
