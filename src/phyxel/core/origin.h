#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "phyxel/core/vec.h"

// Positions are kept relative to an origin near them, as Real is precise near zero only.

namespace phyxel {

/// a - b of numbers that were written in decimals, without their rounding errors: the
/// difference of 1000000.05 and 1000000 is the same double as 0.05. It is rounded to as many
/// decimals as a double of the larger size is sure to hold: nine for numbers of a million.
inline double decimal_difference(double a, double b) {
  const double difference = a - b, size = std::max(std::abs(a), std::abs(b));
  if (b == 0 || !(size > 0) || !std::isfinite(size)) return difference;
  // Each of the two is off by at most 2^-53 of its size, so that the sum of their errors is below
  // a half of the last decimal while size * 10^decimals stays below 2^51.
  const int decimals = static_cast<int>(std::floor(std::log10(0x1p50 / size)));
  if (decimals < 0 || decimals > 22) return difference;  // 10^22 is the last exact power in double
  double scale = 1;
  for (int k = 0; k < decimals; ++k) scale *= 10;
  return std::round(difference * scale) / scale;
}

/// An origin near the middle of the bounds where float would be too coarse for what lies within
/// them; zero where it is fine. Pictures are traced in float by all builds.
inline Vec3d origin_for(const BoundsOf<double>& bounds) {
  if (bounds.empty()) return Vec3d::zero();
  const auto largest = [](const Vec3d& v) {
    return std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});
  };
  const Vec3d middle = bounds.centre();
  const double size = largest(bounds.size()), distance = largest(middle);
  // 13 of the 24 bits of a float must remain for the size of the bounds. A single point has no size
  // to compare with.
  const bool coarse = distance * std::numeric_limits<float>::epsilon() * 0x1p13 > size;
  if (!coarse || size == 0) return Vec3d::zero();
  const double step = std::exp2(std::floor(std::log2(distance)) - 20);
  Vec3d origin;
  for (int k = 0; k < 3; ++k) origin[k] = std::round(middle[k] / step) * step;
  return origin;
}

}  // namespace phyxel
