#pragma once

#include <cmath>
#include <limits>

#include "phyxel/core/backend.h"

// Sums that do not depend on the order of their terms, to the last bit. A term that is added to a
// number much larger than the whole sum is rounded to the last place of that number, which stays
// the same, so that nothing else is ever rounded. What rounding left over is added in the same way,
// finer (Ahrens, Demmel and Nguyen 2020, with two bins). Terms that cancel leave exactly zero.

namespace phyxel {

/// The large numbers: whose last places the terms are rounded to.
struct SumGrid {
  Real coarse = 0, fine = 0;
};

/// For at most so many terms, none larger than `bound`.
inline SumGrid sum_grid(double bound, int terms) {
  constexpr int digits = std::numeric_limits<Real>::digits;
  const int sum = std::ilogb(std::fmax(bound, 1e-15) * terms) + 1;  // sums are below 2^sum
  const int large = sum + 1;                          // 2^large + sum has one exponent
  const int last = large - digits + 1;                // its last place
  const int rest = last + std::ilogb(double(terms));  // the same of what is left over
  return {static_cast<Real>(std::ldexp(1.5, large)), static_cast<Real>(std::ldexp(1.5, rest))};
}

/// A number, or a pack of sums.
template <class T>
struct OrderlessSum {
  T coarse, fine = T(Real(0));

  PHYXEL_FN explicit OrderlessSum(const SumGrid& grid) : coarse(T(grid.coarse)) {}

  PHYXEL_FN void add(const SumGrid& grid, const T& term) {
    const T next = coarse + term;
    const T left = term - (next - coarse);
    coarse = next;
    // A term halfway between two places may go either way above: then what is left is half a place,
    // and the total the same. Here it must not: a number that stays rounds it.
    fine += (left + T(grid.fine)) - T(grid.fine);
  }
  PHYXEL_FN T whole(const SumGrid& grid) const { return coarse - T(grid.coarse); }
  PHYXEL_FN T value(const SumGrid& grid) const { return whole(grid) + fine; }
};

}  // namespace phyxel
