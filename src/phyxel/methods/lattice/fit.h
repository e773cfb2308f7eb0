#pragma once

#include "phyxel/core/polar.h"
#include "phyxel/methods/lattice/spin.h"

namespace phyxel::lattice {

/// Sums over the neighbours that hold a slot of particle i: r = x_j - x_i, l the lattice point of
/// the slot, w its weight. Everything a neighbourhood does follows from them.
template <class T, int Dim>
struct Moments {
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

/// How the lattice of a particle lies.
template <class T, int Dim>
struct Fit {
  Mat<T, Dim> a;         // takes the lattice to where the neighbours are
  Mat<T, Dim> rotation;  // R
  Mat<T, Dim> stretch;   // S, symmetric
  Mat<T, Dim> gather;    // (sum w l l^T)^-1, or what stands in for it
  bool full;             // false: too few or thin neighbours, only their rotation is trusted
};

/// S - 1.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> strain(const Fit<T, Dim>& fit) {
  return fit.stretch - Mat<T, Dim>::identity();
}

namespace detail {

/// A tenth of the determinant of an even neighbourhood: the corner of a cube has half of it.
/// Flatter ones would make the law, which divides by the flat side, too stiff for the step.
template <class T, int Dim>
PHYXEL_FN auto is_even(const Moments<T, Dim>& m) {
  const T size = trace(m.ll) / T(Dim);
  T even = size;
  for (int k = 1; k < Dim; ++k) even *= size;
  return determinant(m.ll) > T(0.1) * even;
}
template <class T, int Dim>
PHYXEL_FN bool spans_space(const Moments<T, Dim>& m) {
  return m.count > Dim && is_even(m);
}

/// Rotation nearest to what there is; directions that no neighbour determines stay as before, and
/// are not stretched. The one share of the lattice as it was only settles those, the other bounds
/// the inverse.
template <class T, int Dim>
PHYXEL_FN Fit<T, Dim> fit_rotation(const Moments<T, Dim>& m, const Mat<T, Dim>& previous_a) {
  const Mat<T, Dim> unit = Mat<T, Dim>::identity(), before = polar(previous_a).rotation;
  if (m.count == 0) return {before, before, unit, Mat<T, Dim>::zero(), false};
  const T size = trace(m.ll) / T(Dim), settling = T(1e-4) * size, bounding = T(0.05) * size;
  Fit<T, Dim> fit;
  fit.full = false;
  fit.rotation = polar(m.rl + before * settling).rotation;
  fit.gather = inverse(m.ll + unit * bounding);
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
    if (change < rounding) break;  // its square is what the next round would change
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
  fit.gather = inverse(m.ll);
  fit.a = m.rl * fit.gather;
  const Polar<T, Dim> parts = detail::polar_of_regular(fit.a);
  fit.rotation = parts.rotation;
  fit.stretch = parts.stretch;
  return fit;
}

/// What takes neighbours back to the lattice in the next step: A^-1, or R^-1 where A is crushed to
/// less than a tenth of its volume or inside out.
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> to_lattice(const Mat<T, Dim>& a) {
  return determinant(a) > T(0.1) ? inverse(a) : transpose(polar(a).rotation);
}
template <class T, int Dim>
PHYXEL_FN Mat<T, Dim> to_lattice(const Fit<T, Dim>& fit) {
  return determinant(fit.a) > T(0.1) ? inverse(fit.a) : transpose(fit.rotation);
}

}  // namespace phyxel::lattice
