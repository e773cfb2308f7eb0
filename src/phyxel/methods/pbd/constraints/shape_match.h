#pragma once

#include "phyxel/core/polar.h"

// Shape matching, Mueller et al. 2005, "Meshless deformations based on shape matching": particles
// are drawn to their places in the shape of their body, turned by R and moved as fits them best. As
// a constraint of XPBD it is C = sqrt(sum m |p - g|^2) with goals g = c + R q, whose energy k C^2 /
// 2 has masses on springs of the same frequency, k = (2 pi f)^2. R and c make C least, so that its
// gradients m (p - g) / C add up to nothing, as their moments do: both momenta stay.

namespace phyxel::pbd {

/// Sums over the particles of a body, whose places q at rest count from their centre of mass, and p
/// from one of them.
struct ShapeSums {
  Vec3d first = Vec3d::zero();    // m p, kg m
  Mat3d moments = Mat3d::zero();  // m p q^T, kg m^2
  double square = 0;              // m |p|^2, kg m^2
};

PHYXEL_FN ShapeSums shape_term(double mass, const Vec3d& p, const Vec3d& q) {
  return {p * mass, outer(p, q) * mass, mass * length_squared(p)};
}
PHYXEL_FN ShapeSums operator+(const ShapeSums& a, const ShapeSums& b) {
  return {a.first + b.first, a.moments + b.moments, a.square + b.square};
}

/// Where the shape lies: goals are centre + rotation q.
struct ShapeFit {
  Mat3d rotation = Mat3d::identity();
  Vec3d centre = Vec3d::zero();  // m, from the same particle
  double value = 0;              // C, kg^1/2 m
};

/// `mass` and `rest_square`: sums of m and m |q|^2. Sums of m q are zero, so that moments about the
/// centre are those about any point.
PHYXEL_FN ShapeFit fit_shape(const ShapeSums& sums, double mass, double rest_square) {
  ShapeFit fit;
  const Polar<double> parts = polar(sums.moments);
  fit.rotation = parts.rotation;
  fit.centre = sums.first / mass;
  const double spread = sums.square - mass * length_squared(fit.centre);
  const double squared = spread + rest_square - 2 * trace(parts.stretch);
  fit.value = squared > 0 ? std::sqrt(squared) : 0;
  return fit;
}

/// How a shape gives way.
struct ShapeGive {
  double stiffness;   // k, 1/s^2
  double share = -1;  // of a sweep, with projection = "stiffness"; below 0: it is compliant
};

/// The change of the multiplier in a step dt. Gradients have sum |grad|^2 / m = 1.
PHYXEL_FN double shape_change(const ShapeFit& fit, double lambda, const ShapeGive& give,
                              double dt) {
  if (give.share >= 0) return -fit.value * give.share;
  const double compliance = 1 / (give.stiffness * dt * dt);
  return -(fit.value + compliance * lambda) / (1 + compliance);
}

}  // namespace phyxel::pbd
