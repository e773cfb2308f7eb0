#pragma once

#include <cstdint>
#include <cstring>

#include "phyxel/core/backend.h"

// Sums of numbers of any size whose bits do not depend on the order of their terms, so that threads
// may add at any time: the digits of a term are whole numbers, and these add up without rounding.
// After the small superaccumulator of Neal 2015.

namespace phyxel {

/// Eight digits of 32 bits, each in a whole number of 64: it holds 2^31 terms of any signs.
struct WideSum {
  static constexpr int digits = 8;
  static constexpr int lowest = -160;  // digit k counts units of 2^(lowest + 32 k)
  std::int64_t digit[digits];
};

PHYXEL_FN double power_of_two(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

/// The exponent of the first bit of a double; 1024 where it is not finite.
PHYXEL_FN int exponent_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<int>(bits >> 52 & 0x7ff) - 1023;
}

/// Two digits of a term, at `place` and below it: at least its first 33 bits. Terms below 2^-128
/// count as nothing, and those beyond 2^95 as that.
struct WideTerm {
  int place = 1;
  std::int64_t high = 0, low = 0;
};

PHYXEL_FN WideTerm wide_term(double value) {
  constexpr int largest = WideSum::lowest + 32 * WideSum::digits - 1;
  int exponent = exponent_of(value);
  if (exponent < WideSum::lowest + 32) return {};
  if (exponent > largest) value = power_of_two(exponent = largest) * (value < 0 ? -1 : 1);
  WideTerm term;
  term.place = (exponent - WideSum::lowest) / 32;
  const double units = value * power_of_two(-(WideSum::lowest + 32 * term.place));
  term.high = static_cast<std::int64_t>(units);
  term.low = static_cast<std::int64_t>((units - static_cast<double>(term.high)) * 4294967296.0);
  return term;
}

/// sum += term where other threads may do the same; on the host only if `shared`.
PHYXEL_FN void add_whole(std::int64_t& sum, std::int64_t term, [[maybe_unused]] bool shared) {
#ifdef __CUDA_ARCH__
  atomicAdd(reinterpret_cast<unsigned long long*>(&sum), static_cast<unsigned long long>(term));
#else
  if (shared)
    __atomic_fetch_add(&sum, term, __ATOMIC_RELAXED);
  else
    sum += term;
#endif
}

/// sum += value; `shared` as of add_whole.
PHYXEL_FN void add(WideSum& sum, double value, bool shared) {
  const WideTerm term = wide_term(value);
  if (term.high != 0) add_whole(sum.digit[term.place], term.high, shared);
  if (term.low != 0) add_whole(sum.digit[term.place - 1], term.low, shared);
}

/// a += b, digit by digit, where no other thread adds.
PHYXEL_FN void merge(const WideSum& b, WideSum& a) {
  for (int k = 0; k < WideSum::digits; ++k) a.digit[k] += b.digit[k];
}

PHYXEL_FN double value_of(const WideSum& sum) {
  double value = 0;
  for (int k = 0; k < WideSum::digits; ++k)
    value += static_cast<double>(sum.digit[k]) * power_of_two(WideSum::lowest + 32 * k);
  return value;
}

}  // namespace phyxel
