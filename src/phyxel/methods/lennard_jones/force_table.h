#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/methods/lennard_jones/law.h"

// Any pair law in registers. As a function of u = scale r^2 the force over the distance is a
// polynomial of degree 4 or 5 on each of 32 intervals: the four octaves below 1, eight intervals
// each, so that the upper bits of u name the interval and no root is taken. The energy is the
// integral of the same polynomials. Relative errors stay below 1e-5 (tests); a law for which they
// do not is summed without a table.

namespace phyxel::lennard_jones {

#ifndef PHYXEL_DOUBLE

struct ForceTable {
  static constexpr int largest_degree = 5;
  static constexpr Real least = Real(1) / 16;  // u; nearer pairs are computed from the law

  PairLaw law;                         // as tabulated
  Real scale = 0;                      // 1/m^2; 0: nothing is tabulated yet
  Real limit = 1;                      // u at the cut-off
  int degree = 0;                      // 4 or 5; 0: the law is too steep for a table
  Table32 slope[largest_degree + 1];   // (dE/dr)/r by powers of u - (left end of the interval)
  Table32 energy[largest_degree + 2];  // E
  Table32 stiffness[2];                // an estimate, N/m: the chord over the interval
};

ForceTable make_force_table(const PairLaw& law);

namespace detail {

/// Interval and place in it for a pack of u.
struct TablePlace {
  xsimd::as_integer_t<Pack> interval;
  Pack t;
};
PHYXEL_INLINE TablePlace place_of(const Pack& u) {
  // A float's bits: sign, 8 of exponent, 23 of mantissa. Two of the exponent and three of the
  // mantissa are the number of the interval; the others above are constant in [1/16, 1).
  const auto bits = xsimd::bitwise_cast<xsimd::as_integer_t<Pack>>(u);
  const auto left = bits & xsimd::as_integer_t<Pack>(static_cast<std::int32_t>(0xfff00000));
  return {bits >> 20, u - xsimd::bitwise_cast<Pack>(left)};
}

}  // namespace detail

/// Values of the law at a pack of squared distances of at least `least`.
struct TableValue {
  Pack slope_over_r;  // N/m
  Pack stiffness;     // N/m
};
inline TableValue look_up(const ForceTable& table, const Pack& u) {
  const auto [interval, t] = detail::place_of(u);
  Pack value = look_up(table.slope[ForceTable::largest_degree], interval), derivative(Real(0));
  for (int k = ForceTable::largest_degree - 1; k >= 0; --k) {
    derivative = xsimd::fma(derivative, t, value);
    value = xsimd::fma(value, t, look_up(table.slope[k], interval));
  }
  // E'' = g + r g'(r) = g + 2 u dg/du with g = E'/r.
  const Pack bend = xsimd::fma(u + u, derivative, value);
  return {value, max(abs(bend), abs(value))};
}
inline Pack look_up_energy(const ForceTable& table, const Pack& u) {
  const auto [interval, t] = detail::place_of(u);
  Pack value = look_up(table.energy[ForceTable::largest_degree + 1], interval);
  for (int k = ForceTable::largest_degree; k >= 0; --k)
    value = xsimd::fma(value, t, look_up(table.energy[k], interval));
  return value;
}

#endif

}  // namespace phyxel::lennard_jones
