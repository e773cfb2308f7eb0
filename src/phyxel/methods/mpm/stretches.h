#pragma once

#include "phyxel/methods/mpm/principal.h"

// Laws of principal stretches without an SVD: the stretches are roots of the eigenvalues of F F^T,
// and both stress and plastic flow are functions of that matrix, U f(s) U^T. Such a function is a
// polynomial of the matrix, so that neither U nor V is ever computed.

namespace phyxel::mpm {

/// A symmetric matrix.
template <class T>
struct Symmetric {
  T xx, yy, zz, yz, xz, xy;
};

template <class T>
PHYXEL_INLINE Symmetric<T> shifted(const Symmetric<T>& a, const T& by) {
  return {a.xx + by, a.yy + by, a.zz + by, a.yz, a.xz, a.xy};
}

/// The product of two symmetric matrices that commute: symmetric again.
template <class T>
PHYXEL_INLINE Symmetric<T> product(const Symmetric<T>& a, const Symmetric<T>& b) {
  return {a.xx * b.xx + a.xy * b.xy + a.xz * b.xz, a.xy * b.xy + a.yy * b.yy + a.yz * b.yz,
          a.xz * b.xz + a.yz * b.yz + a.zz * b.zz, a.xy * b.xz + a.yy * b.yz + a.yz * b.zz,
          a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.xx * b.xy + a.xy * b.yy + a.xz * b.yz};
}

template <class T>
PHYXEL_INLINE Vec<T, 3> operator*(const Symmetric<T>& a, const Vec<T, 3>& v) {
  return {a.xx * v[0] + a.xy * v[1] + a.xz * v[2], a.xy * v[0] + a.yy * v[1] + a.yz * v[2],
          a.xz * v[0] + a.yz * v[1] + a.zz * v[2]};
}
template <class T>
PHYXEL_INLINE Mat<T, 3> operator*(const Symmetric<T>& a, const Mat<T, 3>& m) {
  return {{m[0] * a.xx + m[1] * a.xy + m[2] * a.xz, m[0] * a.xy + m[1] * a.yy + m[2] * a.yz,
           m[0] * a.xz + m[1] * a.yz + m[2] * a.zz}};
}

/// F F^T - 1.
template <class T>
PHYXEL_INLINE Symmetric<T> strain_of(const Mat<T, 3>& f) {
  const T one = T(1);
  return {dot(f[0], f[0]) - one, dot(f[1], f[1]) - one, dot(f[2], f[2]) - one,
          dot(f[1], f[2]),       dot(f[0], f[2]),       dot(f[0], f[1])};
}

namespace detail {

/// cos(acos(r) / 3) for r from -1 to 1. In s = sqrt(1 + r) it is smooth: a polynomial with an error
/// of 2e-7, or the functions themselves in double precision.
template <class T>
PHYXEL_INLINE T cosine_of_third(const T& r) {
  using R = LaneOf<T>;
  if constexpr (sizeof(R) == 8) {
    using std::acos, std::cos;
    return cos(acos(r) * T(R(1) / 3));
  } else {
    const T s = Quick<T>::root(max(T(1) + r, T(smallest_normal<T>)));
    T p = T(R(-0.00026793102));
    for (const R c : {R(0.0018779076), R(-0.0066345545), R(0.018224938), R(-0.055411520),
                      R(0.40823640), R(0.50000016)})
      p = p * s + T(c);
    return p;
  }
}

}  // namespace detail

/// Eigenvalues of a symmetric matrix, largest first, by the trigonometric solution of the cubic
/// equation (Smith 1961). Two that nearly coincide come out apart by up to 1e-3 of the spread,
/// which does not matter to functions of the matrix.
template <class T>
PHYXEL_INLINE Vec<T, 3> eigenvalues(const Symmetric<T>& a) {
  using R = LaneOf<T>;
  const T mean_value = (a.xx + a.yy + a.zz) * T(R(1) / 3);
  const Symmetric<T> d = shifted(a, -mean_value);
  const T squares =
      d.xx * d.xx + d.yy * d.yy + d.zz * d.zz + T(2) * (d.yz * d.yz + d.xz * d.xz + d.xy * d.xy);
  const T spread = Quick<T>::root(max(squares * T(R(1) / 6), T(R(1e-30))));
  const T determinant = d.xx * (d.yy * d.zz - d.yz * d.yz) + d.xy * (d.yz * d.xz - d.xy * d.zz) +
                        d.xz * (d.xy * d.yz - d.yy * d.xz);
  const T inverse = Quick<T>::reciprocal(spread);
  const T r = min(max(determinant * inverse * inverse * inverse * T(R(0.5)), T(-1)), T(1));
  const T largest = T(2) * spread * detail::cosine_of_third(r);
  const T smallest = T(-2) * spread * detail::cosine_of_third(-r);
  return {mean_value + largest, mean_value - (largest + smallest), mean_value + smallest};
}

/// What functions of one matrix share: Newton's interpolation at its eigenvalues l,
///   f(E) = f1 + f01 (E - l1) + f012 (E - l1)(E - l0).
template <class T>
struct Interpolation {
  Symmetric<T> first, second;  // E - l1, (E - l1)(E - l0)
  T over01, over12, over02;    // 1 / gaps

  PHYXEL_INLINE Interpolation(const Symmetric<T>& e, const Vec<T, 3>& l) {
    // Values at eigenvalues nearer than this differ by rounding only; what that makes of the
    // divided differences cancels in the sum.
    const T least = T(16 * std::numeric_limits<LaneOf<T>>::epsilon());
    first = shifted(e, -l[1]);
    second = product(first, shifted(e, -l[0]));
    over01 = Quick<T>::reciprocal(max(l[0] - l[1], least));
    over12 = Quick<T>::reciprocal(max(l[1] - l[2], least));
    over02 = Quick<T>::reciprocal(max(l[0] - l[2], least));
  }

  /// The matrix with the values f in place of the eigenvalues.
  PHYXEL_INLINE Symmetric<T> operator()(const Vec<T, 3>& f) const {
    const T f01 = (f[0] - f[1]) * over01, f12 = (f[1] - f[2]) * over12;
    const T f012 = (f01 - f12) * over02;
    return {f[1] + f01 * first.xx + f012 * second.xx, f[1] + f01 * first.yy + f012 * second.yy,
            f[1] + f01 * first.zz + f012 * second.zz, f01 * first.yz + f012 * second.yz,
            f01 * first.xz + f012 * second.xz,        f01 * first.xy + f012 * second.xy};
  }
};

/// The stretches that belong to eigenvalues of F F^T - 1; the last is negative where matter is
/// inside out.
template <class T>
PHYXEL_INLINE Vec<T, 3> stretches_of(const Vec<T, 3>& l, const T& determinant) {
  Vec<T, 3> s;
  for (int k = 0; k < 3; ++k)
    s[k] = Quick<T>::root(max(T(1) + l[k], T(std::numeric_limits<LaneOf<T>>::epsilon())));
  s[2] = select(determinant < T(0), -s[2], s[2]);
  return s;
}

/// Applies a law to the trial deformation gradient of a step of dt: F becomes the elastic part that
/// is left. Returns the Kirchhoff stress.
template <class Law, class T>
PHYXEL_INLINE Symmetric<T> stress_after_flow(const Law& law, Mat<T, 3>& f, MemoryOf<Law, T>& memory,
                                             LaneOf<T> dt, T& modulus) {
  const Symmetric<T> e = strain_of(f);
  const Vec<T, 3> l = eigenvalues(e);
  const Vec<T, 3> s = stretches_of(l, determinant(f));
  const Interpolation<T> function(e, l);
  const Response<T> r = respond(law, s, memory, dt);
  if constexpr (Law::is_plastic)
    f = function(Vec<T, 3>{r.stretch[0] * Quick<T>::reciprocal(s[0]),
                           r.stretch[1] * Quick<T>::reciprocal(s[1]),
                           r.stretch[2] * Quick<T>::reciprocal(s[2])}) *
        f;
  modulus = r.modulus;
  return function(r.stress);
}

/// The Kirchhoff stress of an elastic deformation gradient, without any flow.
template <class Law, class T>
PHYXEL_INLINE Symmetric<T> stress_without_flow(const Law& law, const Mat<T, 3>& f,
                                               MemoryOf<Law, T> memory, T& modulus) {
  const Symmetric<T> e = strain_of(f);
  const Vec<T, 3> l = eigenvalues(e);
  const Vec<T, 3> s = stretches_of(l, determinant(f));
  const Vec<T, 3> stress = elastic_stress(law, s, memory);
  modulus = respond(law, s, memory, 0).modulus;
  return Interpolation<T>(e, l)(stress);
}

}  // namespace phyxel::mpm
