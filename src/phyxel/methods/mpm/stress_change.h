#pragma once

#include "phyxel/core/dual.h"
#include "phyxel/methods/mpm/principal.h"

// Change of the elastic stress of a particle by a small motion, for implicit steps. A motion of the
// grid with the gradient G takes F to (1 + G) F, and the force -V0 P F^T grad w changes by
// -V0 D grad w with D = (d2W/dF2 : G F) F^T (Stomakhin et al. 2013, section 6). For an isotropic
// law, in the frame of its principal directions U, with Kirchhoff stresses t and stretches s,
//
//     D_ii = sum_j A_ij G_jj            A_ij = s_j dt_i/ds_j - [i = j] t_i
//     D_ij = a s_j^2 G_ij + b G_ji      a = (t_i - t_j) / (s_i^2 - s_j^2)
//                                       b = a s_j^2 - t_j = a s_i^2 - t_i
//
// These are the slopes dp_i/ds_j and the (p_i - p_j)/(s_i - s_j), (p_i + p_j)/(s_i + s_j) of the
// first Piola-Kirchhoff stresses p = t/s (Stomakhin et al. 2012) carried over to the space of the
// grid: V is not needed, and nothing is divided by a stretch. D is the response to the rate of
// strain and a geometric part G t: a rigid rotation W leaves D = W t, zero where stress is zero.

namespace phyxel::mpm {

/// What stress_change needs of a particle: 24 numbers, once per step. Pair k is (i, j) = (k + 1,
/// k + 2) modulo 3, the one that leaves k out. Pa.
template <class T>
struct Stiffness {
  Mat<T, 3> frame;   // U, columns are the principal directions
  Vec<T, 3> along;   // A_kk
  Vec<T, 3> across;  // A_ij of pair k
  Vec<T, 3> shear;   // from G_ij to D_ij
  Vec<T, 3> turned;  // from G_ji to D_ji
  Vec<T, 3> mixed;   // from G_ij to D_ji and from G_ji to D_ij
};

/// D for the gradient G, Pa. About 130 fused operations, 108 of them the turns to U and back.
template <class T>
PHYXEL_FN Mat<T, 3> stress_change(const Stiffness<T>& c, const Mat<T, 3>& gradient) {
  const Mat<T, 3> back = transpose(c.frame), g = back * gradient * c.frame;
  Mat<T, 3> d;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    d[k][k] = c.along[k] * g[k][k] + c.across[j] * g[i][i] + c.across[i] * g[j][j];
    d[i][j] = c.shear[k] * g[i][j] + c.mixed[k] * g[j][i];
    d[j][i] = c.mixed[k] * g[i][j] + c.turned[k] * g[j][i];
  }
  return c.frame * d * back;
}

/// A stiffness that resists a change of volume alone: D = k (trace G) 1.
template <class T>
PHYXEL_FN Stiffness<T> stiffness_of_volume(const T& k) {
  const auto all = Vec<T, 3>::filled(k), none = Vec<T, 3>::zero();
  return {Mat<T, 3>::identity(), all, all, none, none, none};
}

template <class T>
PHYXEL_FN Stiffness<T> operator*(Stiffness<T> c, const std::type_identity_t<T>& scale) {
  c.along *= scale;
  c.across *= scale;
  c.shear *= scale;
  c.turned *= scale;
  c.mixed *= scale;
  return c;
}

namespace detail {

/// Stretches this close to each other, as a share of the largest, count as equal: the cube root of
/// rounding, where a difference quotient and the slope in its place have equal errors.
template <class T>
constexpr LaneOf<T> equal_stretches = sizeof(LaneOf<T>) == 4 ? LaneOf<T>(5e-3) : LaneOf<T>(6e-6);

/// Least sum of two stretches as a divisor: below it matter is compressed to a line, or inverted by
/// as much as it is stretched, where laws that are no smooth functions of F have no slope.
template <class T>
constexpr LaneOf<T> least_sum = LaneOf<T>(1e-3);

/// (t_i - t_j) / (s_i^2 - s_j^2).
template <class T>
PHYXEL_FN T shear_quotient(const Vec<Dual<T>, 3>& t, const Vec<T, 3>& s, int i, int j) {
  const T gap = s[i] - s[j], largest = max(max(abs(s[0]), abs(s[1])), abs(s[2]));
  const auto equal = abs(gap) <= largest * T(equal_stretches<T>);
  const T slope = (t[i].slope[i] - t[i].slope[j] + t[j].slope[j] - t[j].slope[i]) * T(0.5);
  const T quotient = select(equal, slope, (t[i].value - t[j].value) / select(equal, T(1), gap));
  return quotient / max(s[i] + s[j], T(least_sum<T>));
}

/// The symmetric matrix (first, mixed; mixed, second) without its negative eigenvalues.
template <class T>
PHYXEL_FN void hold_positive(T& first, T& second, T& mixed) {
  const T middle = (first + second) * T(0.5), half = (first - second) * T(0.5);
  const T reach = sqrt(half * half + mixed * mixed);
  const T high = max(middle + reach, T(0)), low = max(middle - reach, T(0));
  const T mean = (high + low) * T(0.5);
  const T part = (high - low) * T(0.5) / max(reach, T(smallest_normal<T>));
  first = mean + half * part;
  second = mean - half * part;
  mixed *= part;
}

/// Sylvester: the leading minors are positive. d is the diagonal, o[k] the entry outside row and
/// column k, both at most 1, so that products stay numbers.
template <class T>
PHYXEL_FN auto positive_definite(const Vec<T, 3>& d, const Vec<T, 3>& o) {
  const T minor = d[0] * d[1] - o[2] * o[2];
  const T determinant = minor * d[2] + T(2) * product(o) - d[0] * o[0] * o[0] - d[1] * o[1] * o[1];
  return (d[0] > T(0)) && (minor > T(0)) && (determinant > T(0));
}

/// The same for 3 x 3. Most matrices are positive already and need no eigenvectors; a lane that is
/// keeps its numbers whatever the other lanes are.
template <class T>
PHYXEL_FN void hold_positive(Vec<T, 3>& d, Vec<T, 3>& o) {
  const T inverse_scale = T(1) / phyxel::detail::magnitude(d, o);
  const auto positive = positive_definite(d * inverse_scale, o * inverse_scale);
  if (all(positive)) return;
  const auto [values, v] =
      eigen_symmetric(Mat<T, 3>{{{d[0], o[2], o[1]}, {o[2], d[1], o[0]}, {o[1], o[0], d[2]}}});
  const Vec<T, 3> kept = max(values, Vec<T, 3>::zero());
  for (int k = 0; k < 3; ++k) {
    d[k] = select(positive, d[k], dot(scaled(v[k], kept), v[k]));
    o[k] = select(positive, o[k], dot(scaled(v[(k + 1) % 3], kept), v[(k + 2) % 3]));
  }
}

}  // namespace detail

/// From the principal directions U and stretches of an elastic state, F F^T = U s^2 U^T in any
/// order; where matter is inverted, the smallest is negative. Plastic flow is left to the end of
/// the step. Where the stress is no slope of an energy, this is the symmetric part.
template <class Law, class T>
PHYXEL_FN Stiffness<T> stiffness_of(const Law& law, const Mat<T, 3>& frame, const Vec<T, 3>& s,
                                    const MemoryOf<Law, T>& memory) {
  Vec<Dual<T>, 3> variables;
  for (int k = 0; k < 3; ++k) variables[k] = variable(s[k], k);
  const Vec<Dual<T>, 3> t = elastic_stress(law, variables, constant_memory<Law, T>(memory));
  Stiffness<T> c;
  c.frame = frame;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    c.along[k] = s[k] * t[k].slope[k] - t[k].value;
    c.across[k] = (s[j] * t[i].slope[j] + s[i] * t[j].slope[i]) * T(0.5);
    const T a = detail::shear_quotient(t, s, i, j);
    c.shear[k] = a * s[j] * s[j];
    c.turned[k] = a * s[i] * s[i];
    c.mixed[k] = (c.shear[k] + c.turned[k] - t[i].value - t[j].value) * T(0.5);
  }
  return c;
}
template <class Law, class T>
PHYXEL_FN Stiffness<T> stiffness_of(const Law& law, const Mat<T, 3>& f,
                                    const MemoryOf<Law, T>& memory) {
  const Svd<T> parts = svd(f);
  return stiffness_of(law, parts.u, parts.sigma, memory);
}

/// Without its negative eigenvalues: unstable motions are left to the explicit part, and the system
/// of an implicit step is positive definite at any dt. Teran et al. 2005.
template <class T>
PHYXEL_FN Stiffness<T> held_positive(Stiffness<T> c) {
  detail::hold_positive(c.along, c.across);
  for (int k = 0; k < 3; ++k) detail::hold_positive(c.shear[k], c.turned[k], c.mixed[k]);
  return c;
}

}  // namespace phyxel::mpm
