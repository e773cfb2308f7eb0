#pragma once

#include "phyxel/core/mat.h"
#include "phyxel/core/scalar_ops.h"

namespace phyxel {

/// A rotation in the plane of two columns or rows p and q: p <- c p - s q, q <- s p + c q.
template <class T>
struct PlaneRotation {
  T c, s;
};

/// The rotation that makes the symmetric [app apq; apq aqq] diagonal.
template <class T>
struct JacobiRotation {
  PlaneRotation<T> rotation;  // by at most 45 degrees
  T shift;                    // app <- app - shift, aqq <- aqq + shift
};

/// Golub and Van Loan 2013, section 8.5.2, with tan = 2 apq / (|d| + h) kept as a quotient, so that
/// nothing divides by zero. Entries are of order one: apq whose square underflows counts as zero,
/// and then the rotation is exactly the identity.
template <class T>
PHYXEL_FN JacobiRotation<T> jacobi_rotation(const T& app, const T& aqq, const T& apq) {
  const T d = aqq - app, twice = apq + apq, square = twice * twice;
  const T h = sqrt(d * d + square), w = abs(d) + h;
  const T r = sqrt(w * w + square);
  const T sign = select(d < T(0), T(-1), T(1));
  const auto turns = square > T(smallest_normal<T>);
  return {{select(turns, w / r, T(1)), select(turns, twice * sign / r, T(0))},
          T(0.5) * (h - abs(d)) * sign};
}

/// The rotation of rows (p, q) that turns their entries (a, b) into (r, 0) with r >= 0; the
/// identity for (0, 0). Scaled, so that c^2 + s^2 = 1 to rounding for any a and b.
template <class T>
PHYXEL_FN PlaneRotation<T> givens_rotation(const T& a, const T& b) {
  const T scale = max(max(abs(a), abs(b)), T(smallest_normal<T>));
  const T x = a / scale, y = b / scale;
  const T r = sqrt(x * x + y * y);
  const auto turns = r > T(0);
  const T divisor = select(turns, r, T(1));
  return {select(turns, x / divisor, T(1)), -y / divisor};
}

template <class T>
PHYXEL_FN void rotate(T& p, T& q, const PlaneRotation<T>& rotation) {
  const T old = p;
  p = rotation.c * old - rotation.s * q;
  q = rotation.s * old + rotation.c * q;
}
template <class T, int N>
PHYXEL_FN void rotate(Vec<T, N>& p, Vec<T, N>& q, const PlaneRotation<T>& rotation) {
  for (int k = 0; k < N; ++k) rotate(p[k], q[k], rotation);
}

/// (p, q) <- (q, -p) where the mask holds: a swap that is a rotation by 90 degrees.
template <class T, int N, class Mask>
PHYXEL_FN void turn_if(const Mask& mask, Vec<T, N>& p, Vec<T, N>& q) {
  for (int k = 0; k < N; ++k) {
    const T old = p[k];
    p[k] = select(mask, q[k], old);
    q[k] = select(mask, -old, q[k]);
  }
}

}  // namespace phyxel
