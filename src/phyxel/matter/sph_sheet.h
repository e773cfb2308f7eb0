#pragma once

#include <algorithm>
#include <cmath>

#include "phyxel/core/backend.h"

namespace phyxel::sph {

/// Simpson's rule on 2 halves intervals.
template <class F>
double integral(double from, double to, const F& f, int halves = 64) {
  const double step = (to - from) / (2 * halves);
  double sum = f(from) + f(to);
  for (int k = 1; k < 2 * halves; ++k) sum += f(from + k * step) * (k % 2 == 1 ? 4 : 2);
  return sum * step / 3;
}

/// Integral of f(r) over a plane (3 dimensions) or a line (2) at distance z, up to r = 2.
template <class F>
double over_sheet(double z, int dimensions, const F& f, int halves = 64) {
  constexpr double pi = 3.14159265358979323846;
  const auto ring = [&](double s) {
    return f(static_cast<Real>(std::hypot(z, s))) * (dimensions == 2 ? 2 : 2 * pi * s);
  };
  return integral(0, std::sqrt(std::max(0.0, 4 - z * z)), ring, halves);
}

}  // namespace phyxel::sph
