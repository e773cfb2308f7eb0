#pragma once

#include <cstdint>
#include <limits>

#include "phyxel/core/vec.h"

// Sums whose rounding has no direction. In short steps what a constraint adds to a position is not
// much longer than the distance to the next float: rounded to the nearest one, the same share of it
// is lost or won step after step. A beam whose particles move by a tenth of that in a step stands
// still, as if there was static friction. With a random fraction of that distance added before
// rounding the sum is right on average.

namespace phyxel::pbd {

/// The distance from x to the next number nearer to 0, with the sign of x. x less 5/8 of the
/// distance for the smallest x of the same exponent rounds to that number, for all x of this
/// exponent.
template <class T>
PHYXEL_FN T next_distance(const T& x) {
  constexpr LaneOf<T> share = LaneOf<T>(0.625) * std::numeric_limits<LaneOf<T>>::epsilon();
  return x - (x - x * T(share));
}

/// x + dx, rounded up or down at random: `random` between -1/2 and 1/2. x where dx = 0.
template <class T>
PHYXEL_FN T dithered_sum(const T& x, const T& dx, const T& random) {
  const T sum = x + dx;
  const T lost = dx - (sum - x);
  return sum + (lost + random * next_distance(sum));
}

/// Numbers that are equally distributed over whole numbers, in turn as over steps (Weyl).
PHYXEL_FN std::uint32_t scrambled(std::uint32_t i) {
  return i * 2654435769u;
}
/// Between -1/2 and 1/2.
PHYXEL_FN Real fraction_of(std::uint32_t i) {
  return static_cast<Real>(static_cast<std::int32_t>(i)) * Real(0.999 / 4294967296.0);
}

/// How positions are rounded in a sweep.
struct Dither {
  bool on = false;
  std::uint32_t salt = 0;

  /// x + dx for number `part` of what has the scrambled number i.
  PHYXEL_FN Real sum(Real x, Real dx, std::uint32_t scrambled_i, int part) const {
    return on ? dithered_sum(x, dx, fraction_of(scrambled_i + salt_of(part))) : x + dx;
  }
  PHYXEL_FN std::uint32_t salt_of(int part) const {
    return salt + static_cast<std::uint32_t>(part) * 1013904223u;
  }
};

/// Steps that need it: free fall in one is below some hundred distances between floats at 1 m, and
/// corrections of stiff bodies are much less. Longer steps take a sixth less time without, and
/// doubles have no need.
PHYXEL_FN bool needs_dither(Real dt) {
  return sizeof(Real) == 4 && dt < Real(1e-3);
}

/// Of a sweep of a step.
PHYXEL_FN Dither dither_of(Real dt, std::uint64_t step, int sweep) {
  const auto number = static_cast<std::uint32_t>(step) * 747796405u +
                      static_cast<std::uint32_t>(sweep) * 2891336453u;
  return {needs_dither(dt), number};
}

}  // namespace phyxel::pbd
