#pragma once

#include "phyxel/core/polar.h"
#include "phyxel/methods/lattice/spin.h"

namespace phyxel::lattice {

/// Sums over the neighbours assigned to particle i: r = x_j - x_i, l the lattice point of
/// the slot, w its weight. Fit and forces of the neighbourhood follow from them.
template <class T, int Dim>
struct Moments {
  // 1/m^2, a power of two by which ll is scaled before its determinant is taken: at spacings of
  // micrometres that of ll itself would underflow a float. 1 for usual spacings.
  LaneOf<T> unit = 1;
  int count = 0;
  T w = T(0);
  Vec<T, Dim> wr = Vec<T, Dim>::zero(), wl = Vec<T, Dim>::zero();
  Mat<T, Dim> rl = Mat<T, Dim>::zero();  // w r l^T
  Mat<T, Dim> ll = Mat<T, Dim>::zero();  // w l l^T
  Mat<T, Dim> rr = Mat<T, Dim>::zero();  // w r r^T
};

template <class T, int Dim>
PHYXEL_FN void add(Moments<T, Dim>& m, T w, const Vec<T, Dim>& r, const Vec<T, Dim>& l) {
  const Vec<T, Dim> wr = r * w, wl = l * w;
  ++m.count;
  m.w += w;
  m.wr += wr;
  m.wl += wl;
  m.rl += outer(wr, l);
  m.ll += outer(wl, l);
  m.rr += outer(wr, r);
}

/// The fit of a particle's lattice to its neighbours.
template <class T, int Dim>
struct Fit {
  Mat<T, Dim> a;         // A, maps lattice points to the neighbours
  Mat<T, Dim> rotation;  // R
  Mat<T, Dim> stretch;   // S, symmetric
  Mat<T, Dim> gather;    // (sum w l l^T)^-1, or its regularised form
  bool full;             // false: neighbours do not span space, only the rotation is trusted
};

/// S - 1.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> strain(const Fit<T, Dim>& fit) {
  return fit.stretch - Mat<T, Dim>::identity();
}

namespace detail {

/// The inverse of a sum of w l l^T, scaled by the unit of the moments.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> inverse_in(LaneOf<T> unit, const Mat<T, Dim>& ll) {
  if (unit == 1) return inverse(ll);
  return inverse(ll * T(unit)) * T(unit);
}
template <class T, int Dim>
PHYXEL_FN auto is_even(const Mat<T, Dim>& ll) {
  const T size = trace(ll) / T(Dim);
  T even = size;
  for (int k = 1; k < Dim; ++k) even *= size;
  return determinant(ll) > T(0.1) * even;
}

/// Whether the determinant is above a tenth of that of an isotropic neighbourhood; at the corner of
/// a cube it is half. For flatter ones the inverse would make the law too stiff for the step.
template <class T, int Dim>
PHYXEL_FN auto is_even(const Moments<T, Dim>& m) {
  return m.unit == 1 ? is_even(m.ll) : is_even(m.ll * T(m.unit));
}
template <class T, int Dim>
PHYXEL_FN bool spans_space(const Moments<T, Dim>& m) {
  return m.count > Dim && is_even(m);
}

/// Rotation nearest to the neighbours there are. Directions that no neighbour determines stay as
/// they were and are not stretched: a small share of the previous lattice (`settling`) decides
/// those, a larger one (`bounding`) bounds the inverse.
template <class T, int Dim>
PHYXEL_FN Fit<T, Dim> fit_rotation(const Moments<T, Dim>& m, const Mat<T, Dim>& previous_a) {
  const Mat<T, Dim> unit = Mat<T, Dim>::identity(), before = polar(previous_a).rotation;
  if (m.count == 0) return {before, before, unit, Mat<T, Dim>::zero(), false};
  const T size = trace(m.ll) / T(Dim), settling = T(1e-4) * size, bounding = T(0.05) * size;
  Fit<T, Dim> fit;
  fit.full = false;
  fit.rotation = polar(m.rl + before * settling).rotation;
  fit.gather = inverse_in(m.unit, m.ll + unit * bounding);
  fit.a = (m.rl + fit.rotation * bounding) * fit.gather;
  const Mat<T, Dim> s = transpose(fit.rotation) * fit.a;
  fit.stretch = (s + transpose(s)) * T(0.5);
  return fit;
}

/// R S of a matrix that is far from singular, by Newton's iteration R <- (R + R^-T) / 2 (Higham
/// 1986): three or four rounds for the strains of solids, a fraction of what singular values cost.
template <class T>
PHYXEL_FN Polar<T, 3> polar_of_regular(const Mat<T, 3>& a) {
  if (!(determinant(a) > T(0.1))) return polar(a);
  constexpr T rounding = 4 * std::numeric_limits<T>::epsilon();
  Mat<T, 3> r = a;
  for (int round = 0; round < 20; ++round) {
    const Mat<T, 3> next = (r + cofactor(r) * (T(1) / determinant(r))) * T(0.5);
    const T change = norm_squared(next - r);
    r = next;
    if (change < rounding) break;  // the next change is about this: convergence is quadratic
  }
  const Mat<T, 3> s = transpose(r) * a;
  return {r, (s + transpose(s)) * T(0.5)};
}
template <class T>
PHYXEL_FN Polar<T, 2> polar_of_regular(const Mat<T, 2>& a) {
  return polar(a);
}

}  // namespace detail

/// A = (sum w r l^T)(sum w l l^T)^-1 = R S. Wicke et al. 2006, eq. 4, guarded. previous_a is A of
/// the step before.
template <class T, int Dim>
PHYXEL_FN Fit<T, Dim> fit_lattice(const Moments<T, Dim>& m, const Mat<T, Dim>& previous_a) {
  if (!detail::spans_space(m)) return detail::fit_rotation(m, previous_a);
  Fit<T, Dim> fit;
  fit.full = true;
  fit.gather = detail::inverse_in(m.unit, m.ll);
  fit.a = m.rl * fit.gather;
  const Polar<T, Dim> parts = detail::polar_of_regular(fit.a);
  fit.rotation = parts.rotation;
  fit.stretch = parts.stretch;
  return fit;
}

/// Maps neighbours back to the lattice in the next step: A^-1, or R^-1 where A is compressed to
/// less than a tenth of its volume or inverted.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> to_lattice(const Mat<T, Dim>& a) {
  return determinant(a) > T(0.1) ? inverse(a) : transpose(polar(a).rotation);
}
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> to_lattice(const Fit<T, Dim>& fit) {
  return determinant(fit.a) > T(0.1) ? inverse(fit.a) : transpose(fit.rotation);
}

}  // namespace phyxel::lattice
