#pragma once

#include <cmath>
#include <cstdint>

#include "phyxel/core/backend.h"

// Sums that do not depend on the order of their terms, to the last bit: terms are rounded to whole
// numbers of a unit, and whole numbers add up without rounding. Terms that cancel leave exactly
// zero.

namespace phyxel {

/// The unit of terms: a power of two, so that scaling does not round.
struct SumUnit {
  Real size = 1;  // of a unit
  Real per_one = 1;
};

/// Whole numbers are as wide as Real, with a sign. `terms` terms, none larger than `bound`, fit.
inline SumUnit sum_unit(double bound, int terms) {
  constexpr int bits = 8 * sizeof(Real) - 1;
  const int sum = std::ilogb(std::fmax(bound, 1e-15) * terms) + 1;  // sums are below 2^sum
  return {static_cast<Real>(std::ldexp(1.0, sum - bits)),
          static_cast<Real>(std::ldexp(1.0, bits - sum))};
}

/// The nearest whole number, the even one of two.
PHYXEL_FN std::int64_t whole_of(Real units) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4) return __float2int_rn(units);
  return __double2ll_rn(units);
#else
  return std::lrint(units);
#endif
}

/// A sum in units, one term after the other.
struct OrderlessSum {
  std::int64_t whole = 0;

  PHYXEL_FN void add(Real units) { whole += whole_of(units); }
  PHYXEL_FN Real value(const SumUnit& unit) const {
    return static_cast<Real>(double(whole) * double(unit.size));
  }
};

}  // namespace phyxel
