#pragma once

#include "phyxel/core/mat.h"
#include "phyxel/core/scalar_ops.h"

// B-splines between nodes at whole numbers, in one dimension. T is a number or a pack.

namespace phyxel::grid {

/// Weights of the three nodes around a point; the middle one is the nearest. `offset` of the point
/// from that one: -1/2 to 1/2.
template <class T>
PHYXEL_FN Vec<T, 3> quadratic_weights(const T& offset) {
  const T half = T(LaneOf<T>(0.5));
  const T a = half - offset, b = half + offset;
  return {half * a * a, T(LaneOf<T>(0.75)) - offset * offset, half * b * b};
}

/// Weights of the four nodes around a point and their slopes; the second is the last one not beyond
/// the point. `offset` of the point from that one: 0 to 1.
template <class T>
struct CubicWeights {
  Vec<T, 4> value, slope;
};
template <class T>
PHYXEL_FN CubicWeights<T> cubic_weights(const T& offset) {
  using R = LaneOf<T>;
  const T half = T(R(0.5)), sixth = T(R(1) / 6), two_thirds = T(R(2) / 3);
  const T f = offset, g = T(1) - f;
  CubicWeights<T> w;
  w.value = {sixth * g * g * g, half * f * f * f - f * f + two_thirds,
             half * g * g * g - g * g + two_thirds, sixth * f * f * f};
  w.slope = {-half * g * g, T(R(1.5)) * f * f - T(2) * f, T(2) * g - T(R(1.5)) * g * g,
             half * f * f};
  return w;
}

}  // namespace phyxel::grid
