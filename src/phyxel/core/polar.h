#pragma once

#include "phyxel/core/svd.h"

namespace phyxel {

/// A = R S.
template <class T>
struct Polar {
  Mat<T, 3> rotation;  // R, a proper rotation also for reflected and singular A
  Mat<T, 3> stretch;   // S, exactly symmetric; indefinite where determinant(A) < 0
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

}  // namespace phyxel
