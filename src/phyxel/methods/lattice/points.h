#pragma once

#include "phyxel/core/vec.h"

// The lattice of Wicke et al. 2006, eq. 1: cubic closest packing in 3D, hexagonal in 2D, turned so
// that it is the packing that fills new bodies (geometry/sampling.h). Whole numbers name its
// points, those with an even sum:
//
//   3D   D / sqrt(2) (a, b, c)              the points D3 of Conway and Sloane 1982
//   2D   D (a / 2, sqrt(3) b / 2)
//
// Slots are the points nearest to the origin, numbered shell by shell; slot ^ 1 is the opposite.

namespace phyxel::lattice {

template <int Dim>
using LatticePoint = Vec<Index, Dim>;

constexpr int shell_limit = 3;

/// Slots of the first `shells` shells. At distances D, sqrt(2) D, sqrt(3) D in 3D and D, sqrt(3) D,
/// 2 D in 2D.
template <int Dim>
PHYXEL_FN constexpr int slot_count(int shells) {
  if (Dim == 2) return 6 * shells;
  return shells == 1 ? 12 : shells == 2 ? 18 : 42;
}

/// Shell of a slot, from 0.
template <int Dim>
PHYXEL_FN int shell_of(int slot) {
  if (Dim == 2) return slot / 6;
  return slot < 12 ? 0 : slot < 18 ? 1 : 2;
}

/// Area or volume of the Voronoi cell of a lattice point, in units of D^Dim.
template <int Dim>
constexpr double cell_volume = Dim == 2 ? 0.86602540378443865 : 0.70710678118654752;

/// Vector to a lattice point, in the unit of the spacing.
template <class T>
PHYXEL_FN Vec<T, 2> offset(const LatticePoint<2>& p, T spacing) {
  return {T(p[0]) * (spacing * T(0.5)), T(p[1]) * (spacing * T(cell_volume<2>))};
}
template <class T>
PHYXEL_FN Vec<T, 3> offset(const LatticePoint<3>& p, T spacing) {
  return cast<T>(p) * (spacing * T(cell_volume<3>));
}

namespace detail {

/// A number that fits into an Index: large and non-finite ones become large finite ones.
template <class T>
PHYXEL_FN T within_whole_numbers(T x) {
  constexpr T far = 1e6;
  return max(min(x, far), -far);
}
template <class T>
PHYXEL_FN Index nearest_whole(T x) {
  return static_cast<Index>(std::floor(x + T(0.5)));
}
PHYXEL_FN bool is_negative(const LatticePoint<2>& p) {
  return p[0] != 0 ? p[0] < 0 : p[1] < 0;
}

}  // namespace detail

/// The lattice point nearest to v: of the two interleaved rectangular lattices, the nearer point.
template <class T>
PHYXEL_FN LatticePoint<2> nearest_point(const Vec<T, 2>& v, T spacing) {
  const T x = detail::within_whole_numbers(v[0] * 2 / spacing);
  const T y = detail::within_whole_numbers(v[1] / (spacing * T(cell_volume<2>)));
  const LatticePoint<2> even{2 * detail::nearest_whole(x / 2), 2 * detail::nearest_whole(y / 2)};
  const LatticePoint<2> odd{2 * static_cast<Index>(std::floor(x / 2)) + 1,
                            2 * static_cast<Index>(std::floor(y / 2)) + 1};
  const auto distance = [&](const LatticePoint<2>& p) {
    const T dx = x - T(p[0]), dy = y - T(p[1]);
    return dx * dx + 3 * dy * dy;
  };
  return distance(odd) < distance(even) ? odd : even;
}

/// The lattice point nearest to v: every coordinate to its nearest whole number, and where their
/// sum is odd the one that moved most the other way. Conway and Sloane 1982.
template <class T>
PHYXEL_FN LatticePoint<3> nearest_point(const Vec<T, 3>& v, T spacing) {
  const T per_unit = T(1) / (spacing * T(cell_volume<3>));
  LatticePoint<3> p;
  T largest = T(-1);
  int worst = 0;
  Index other_way = 0;
  for (int k = 0; k < 3; ++k) {
    const T x = detail::within_whole_numbers(v[k] * per_unit);
    p[k] = detail::nearest_whole(x);
    const T error = x - T(p[k]);
    if (abs(error) > largest) {
      largest = abs(error);
      worst = k;
      other_way = error < 0 ? -1 : 1;
    }
  }
  if (((p[0] + p[1] + p[2]) & 1) != 0) p[worst] += other_way;
  return p;
}

/// Whether a lattice point is the nearest one to a point `away` from it: inside its Voronoi cell, a
/// hexagon or a rhombic dodecahedron. Numbers or packs of them.
template <class T, class Number>
PHYXEL_FN auto is_nearest(const Vec<T, 2>& away, Number spacing) {
  const T half(spacing * Number(0.5)), x = away[0] * T(Number(0.5)),
                                       y = away[1] * T(Number(cell_volume<2>));
  return abs(away[0]) < half && abs(x) + abs(y) < half;
}
template <class T, class Number>
PHYXEL_FN auto is_nearest(const Vec<T, 3>& away, Number spacing) {
  const T x = abs(away[0]), y = abs(away[1]), z = abs(away[2]);
  return x + y + z - min(x, min(y, z)) < T(spacing * Number(cell_volume<3>));
}

/// Slot of a lattice point; -1 for the origin and beyond the third shell.
PHYXEL_FN int slot_of(const LatticePoint<2>& p) {
  if (abs(p[0]) > 4 || abs(p[1]) > 2) return -1;
  const Index n = (p[0] * p[0] + 3 * p[1] * p[1]) / 4;
  if (n != 1 && n != 3 && n != 4) return -1;
  const int shell = n == 1 ? 0 : n == 3 ? 1 : 2;
  const bool negative = detail::is_negative(p);
  const int axis = p[0] == 0 || p[1] == 0 ? 0 : (p[0] > 0) == (p[1] > 0) ? 1 : 2;
  return 6 * shell + 2 * axis + (negative ? 1 : 0);
}
PHYXEL_FN int slot_of(const LatticePoint<3>& p) {
  for (int k = 0; k < 3; ++k)
    if (abs(p[k]) > 2) return -1;
  const Index n = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / 2;
  if (n < 1 || n > 3) return -1;
  // The axis unlike the other two: the 0 of (0, 1, 1), the 2 of (2, 0, 0) and (2, 1, 1).
  const Index unlike = n == 1 ? 0 : 2;
  const int axis = abs(p[0]) == unlike ? 0 : abs(p[1]) == unlike ? 1 : 2;
  const Index a = p[axis], b = p[(axis + 1) % 3], c = p[(axis + 2) % 3];
  if (n == 1) return 4 * axis + (b < 0 ? 1 : 0) + ((b < 0) != (c < 0) ? 2 : 0);
  const int negative = a < 0 ? 1 : 0;
  if (n == 2) return 12 + 2 * axis + negative;
  return 18 + 8 * axis + negative + ((b < 0) != (a < 0) ? 2 : 0) + ((c < 0) != (a < 0) ? 4 : 0);
}

/// Lattice point of a slot.
PHYXEL_FN void lattice_point(int slot, LatticePoint<2>& p) {
  constexpr Index x[9] = {2, 1, 1, 0, 3, 3, 4, 2, 2}, y[9] = {0, 1, -1, 2, 1, -1, 0, 2, -2};
  const Index sign = (slot & 1) != 0 ? -1 : 1;
  p = {sign * x[slot >> 1], sign * y[slot >> 1]};
}
PHYXEL_FN void lattice_point(int slot, LatticePoint<3>& p) {
  const int shell = shell_of<3>(slot);
  const int k = slot - (shell == 0 ? 0 : shell == 1 ? 12 : 18);
  const int axis = shell == 0 ? k >> 2 : shell == 1 ? k >> 1 : k >> 3;
  const Index sign = (k & 1) != 0 ? -1 : 1;
  const Index first = (k & 2) != 0 ? -sign : sign, second = (k & 4) != 0 ? -sign : sign;
  p[axis] = shell == 0 ? 0 : 2 * sign;
  p[(axis + 1) % 3] = shell == 0 ? sign : shell == 1 ? 0 : first;
  p[(axis + 2) % 3] = shell == 0 ? first : shell == 1 ? 0 : second;
}
template <int Dim>
PHYXEL_FN LatticePoint<Dim> lattice_point(int slot) {
  LatticePoint<Dim> p;
  lattice_point(slot, p);
  return p;
}

/// Vector from a particle to the lattice point of a slot, in the lattice's own frame.
template <int Dim, class T>
PHYXEL_FN Vec<T, Dim> slot_offset(int slot, T spacing) {
  return offset(lattice_point<Dim>(slot), spacing);
}

/// Influence of the shells on a neighbourhood, falling with their distance. The particle itself has
/// weight 1.
template <class T>
struct ShellWeights {
  T weight[shell_limit] = {1, 1, 1};
  int shells = 1;  // from 1 to shell_limit
};
template <int Dim, class T>
PHYXEL_FN T weight_of(const ShellWeights<T>& weights, int slot) {
  return weights.weight[shell_of<Dim>(slot)];
}

/// Weight of a particle and all its slots: the largest possible sum, as one particle is assigned to
/// a slot.
template <int Dim, class T>
PHYXEL_FN T full_weight(const ShellWeights<T>& weights) {
  T sum = T(1);
  for (int slot = 0; slot < slot_count<Dim>(weights.shells); ++slot)
    sum += weight_of<Dim>(weights, slot);
  return sum;
}

/// The sum of w l l^T over whole shells is this times the identity, m^2.
template <int Dim, class T>
PHYXEL_FN T shell_moment(const ShellWeights<T>& weights, T spacing) {
  T sum = T(0);
  for (int slot = 0; slot < slot_count<Dim>(weights.shells); ++slot)
    sum += weight_of<Dim>(weights, slot) * length_squared(slot_offset<Dim>(slot, spacing));
  return sum / T(Dim);
}

/// Area or volume of a particle at rest, m^2 or m^3.
template <int Dim, class T>
PHYXEL_FN T rest_cell(T spacing) {
  T volume = T(cell_volume<Dim>);
  for (int k = 0; k < Dim; ++k) volume *= spacing;
  return volume;
}

}  // namespace phyxel::lattice
