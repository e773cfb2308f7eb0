#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "phyxel/core/backend.h"

// One template source is for a single number and a SIMD pack of numbers: instead of branching it
// writes select(mask, a, b), min, max, abs, sqrt, any, all. These are the versions for one number,
// whose mask is a bool; those for a pack are found in the pack's own namespace
// (phyxel/core/pack.h).

namespace phyxel {

/// The number type behind T: T itself for float and double, the type of a lane for a pack.
template <class T, bool = std::is_arithmetic_v<T>>
struct LaneType {
  using type = T;
};
template <class T>
struct LaneType<T, false> {
  using type = typename T::value_type;
};
template <class T>
using LaneOf = typename LaneType<T>::type;

/// The smallest normal number: a divisor that guards against 0 / 0 without a branch.
template <class T>
constexpr LaneOf<T> smallest_normal = std::numeric_limits<LaneOf<T>>::min();

template <class T>
using IfNumber = std::enable_if_t<std::is_arithmetic_v<T>, T>;

/// a where the mask holds, else b.
template <class T>
PHYXEL_FN IfNumber<T> select(bool mask, T a, T b) {
  return mask ? a : b;
}
template <class T>
PHYXEL_FN IfNumber<T> min(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_floating_point_v<T>) return ::fmin(a, b);  // one instruction
#endif
  return a < b ? a : b;
}
template <class T>
PHYXEL_FN IfNumber<T> max(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (std::is_floating_point_v<T>) return ::fmax(a, b);  // one instruction
#endif
  return a > b ? a : b;
}
/// x, but not below low nor above high.
template <class T>
PHYXEL_FN IfNumber<T> clamp(T x, T low, T high) {
  return x < low ? low : high < x ? high : x;
}
template <class T>
PHYXEL_FN IfNumber<T> abs(T a) {
  return std::abs(a);
}
template <class T>
PHYXEL_FN IfNumber<T> sqrt(T a) {
  return std::sqrt(a);
}
/// 1/a, the root of a > 0 and its reciprocal to a few units in the last place, as fast as the
/// processor can.
template <class T>
struct Quick {
  PHYXEL_FN static T reciprocal(const T& a) { return T(1) / a; }
  PHYXEL_FN static T root(const T& a) { return sqrt(a); }
  PHYXEL_FN static T over_root(const T& a) { return T(1) / sqrt(a); }
};

PHYXEL_FN bool any(bool mask) {
  return mask;
}
PHYXEL_FN bool all(bool mask) {
  return mask;
}

}  // namespace phyxel
