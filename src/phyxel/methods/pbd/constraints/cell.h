#pragma once

#include "phyxel/methods/pbd/constraints/strain.h"

// A cube of the lattice with 8 corners: corner k lies at x, y, z of its bits 0, 1, 2. Tetrahedra
// with linear displacements lock: they answer bending with shear that is not there, and with
// Poisson's ratios near 1/2 hardly move at all. A cell takes its strain at its centre, where there
// is no such shear, and what the centre does not see (12 ways of bending and twisting) has a
// stiffness of its own that makes bending right for one cell already: Flanagan & Belytschko 1981,
// with the stiffness of pure bending after Belytschko & Bindeman 1993.

namespace phyxel::pbd {

namespace detail {

/// +1 or -1: the side of corner k along an axis.
PHYXEL_FN constexpr Real side(int k, int axis) {
  return (k >> axis) & 1 ? Real(1) : Real(-1);
}

/// F at the centre, in the axes of the lattice: its columns are the mean edges over the rest edge.
template <class T>
PHYXEL_FN Mat<T, 3> gradient_of(const Vec<T, 3> (&x)[8], const T& over_edge) {
  Mat<T, 3> columns;
  for (int axis = 0; axis < 3; ++axis) {
    Vec<T, 3> sum = Vec<T, 3>::zero();
    for (int k = 0; k < 8; ++k)
      if ((k >> axis) & 1) sum += x[k] - x[k ^ (1 << axis)];
    columns[axis] = sum * (over_edge * T(Real(0.25)));
  }
  return transpose(columns);
}

template <class T>
PHYXEL_FN Slope<T, 8> of_corners(const SlopeOfF<T>& c, const T& over_edge) {
  const Mat<T, 3> by_axis = transpose(c.derivative) * (over_edge * T(Real(0.25)));
  Slope<T, 8> slope;
  slope.value = c.value;
  for (int k = 0; k < 8; ++k)
    slope.gradient[k] =
        by_axis[0] * T(side(k, 0)) + by_axis[1] * T(side(k, 1)) + by_axis[2] * T(side(k, 2));
  return slope;
}

/// The four patterns of signs that no constant strain has: yz, zx, xy and xyz.
PHYXEL_FN constexpr Real pattern(int k, int mode) {
  const Real all = side(k, 0) * side(k, 1) * side(k, 2);
  return mode == 3 ? all : all * side(k, mode);
}

}  // namespace detail

/// The shape at the centre of a cell, by a law of strain.h.
template <class Law>
struct CellShape {
  static constexpr const char* name = Law::of_cell;
  static constexpr int points = 8;
  static constexpr int numbers = 1;  // 1 / edge, 1 / m

  template <class T>
  PHYXEL_FN static Slope<T, 8> slope(const Vec<T, 3> (&x)[8], const Vec<T, 1>& rest) {
    return detail::of_corners(Law::of(detail::gradient_of(x, rest[0])), rest[0]);
  }
};

/// The volume, by the strain there.
struct CellVolume {
  static constexpr const char* name = "cell_volume";
  static constexpr int points = 8;
  static constexpr int numbers = 1;  // 1 / edge

  template <class T>
  PHYXEL_FN static Slope<T, 8> slope(const Vec<T, 3> (&x)[8], const Vec<T, 1>& rest) {
    return detail::of_corners(volume_of(detail::gradient_of(x, rest[0])), rest[0]);
  }
};

/// C^2 = sum of |q_m|^2 / edge^2, with q_m = sum of pattern m times x: bending and twisting of a
/// cell. Turns of the cell turn each q_m, so that no frame has to follow them. The energy of pure
/// bending, u_x = c x z, is E c^2 edge^5 / 24, and q = 2 c edge^2: the compliance is 48 / (E V).
struct CellBend {
  static constexpr const char* name = "cell_bend";
  static constexpr int points = 8;
  static constexpr int numbers = 1;  // 1 / edge, 1 / m

  template <class T>
  PHYXEL_FN static Slope<T, 8> slope(const Vec<T, 3> (&x)[8], const Vec<T, 1>& rest) {
    Vec<T, 3> q[4];
    T squared = T(smallest_normal<T>);
    for (int m = 0; m < 4; ++m) {
      q[m] = Vec<T, 3>::zero();
      for (int k = 1; k < 8; ++k) q[m] += (x[k] - x[0]) * T(detail::pattern(k, m));
      squared += length_squared(q[m]);
    }
    const T scale = rest[0] * Quick<T>::over_root(squared);
    Slope<T, 8> slope;
    slope.value = squared * scale;
    for (int k = 0; k < 8; ++k) {
      slope.gradient[k] = q[0] * T(detail::pattern(k, 0));
      for (int m = 1; m < 4; ++m) slope.gradient[k] += q[m] * T(detail::pattern(k, m));
      slope.gradient[k] *= scale;
    }
    return slope;
  }
};

/// Its compliance times Young's modulus and the volume: see there.
constexpr double cell_bend_softness = 48;

}  // namespace phyxel::pbd
