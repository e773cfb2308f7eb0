#pragma once

#include <array>
#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/methods/pbd/constraint.h"

// Checks that every kind of constraint has to pass.

namespace phyxel::pbd::test {

template <class Kind>
using Points = std::array<Vec3d, Kind::points>;

template <class Kind>
Slope<double, Kind::points> slope_at(const Points<Kind>& points,
                                     const Vec<double, Kind::numbers>& rest) {
  Vec3d x[Kind::points];
  for (int k = 0; k < Kind::points; ++k) x[k] = points[k];
  return Kind::slope(x, rest);
}

/// Gradients beside central differences of the value. `size`: of a gradient, where it is not 1.
template <class Kind>
void check_gradients(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest,
                     double size = 1) {
  const double step = 1e-5;
  const Slope<double, Kind::points> slope = slope_at<Kind>(points, rest);
  for (int k = 0; k < Kind::points; ++k)
    for (int c = 0; c < 3; ++c) {
      Points<Kind> ahead = points, behind = points;
      ahead[k][c] += step;
      behind[k][c] -= step;
      const double difference =
          (slope_at<Kind>(ahead, rest).value - slope_at<Kind>(behind, rest).value) / (2 * step);
      // Central differences: step^2 of the third derivative, and rounding over the step.
      CHECK(std::abs(slope.gradient[k][c] - difference) < 1e-8 * size);
    }
}

/// Gradients add up to nothing, and so do their moments: corrections keep momentum and spin.
template <class Kind>
void check_balance(const Points<Kind>& points, const Vec<double, Kind::numbers>& rest,
                   double size = 1) {
  const Slope<double, Kind::points> slope = slope_at<Kind>(points, rest);
  Vec3d sum = Vec3d::zero(), moment = Vec3d::zero();
  for (int k = 0; k < Kind::points; ++k) {
    sum += slope.gradient[k];
    moment += cross(points[k], slope.gradient[k]);
  }
  CHECK(length(sum) < 1e-13 * size);
  CHECK(length(moment) < 1e-13 * size);
}

}  // namespace phyxel::pbd::test
