#include "phyxel/geometry/thickness.h"

#include <algorithm>
#include <limits>

#include "phyxel/core/random.h"

namespace phyxel {

namespace {

constexpr double thick = std::numeric_limits<double>::infinity();

/// Of a primitive in its own frame, whose sizes are halves; negative: it has no formula.
double thickness_of(const Shape::Node& node) {
  using Op = Shape::Op;
  const Real* p = node.p;
  switch (node.op) {
    case Op::box:
    case Op::ellipsoid:
      return 2 * double(std::min({p[0], p[1], p[2]}));
    case Op::sphere:
      return 2 * double(p[0]);
    case Op::capsule:
      return 2 * double(p[0]);
    case Op::cylinder:
      return 2 * double(std::min(p[0], p[1]));
    case Op::cone:
      return 2 * double(std::min(std::max(p[0], p[1]), p[2]));
    case Op::torus:
      return 2 * double(p[1]);
    case Op::plane:
      return thick;
    default:
      return -1;
  }
}

/// The surface nearest to p, by a few steps: distances of operations are too small at times.
SignedDistance to_surface(const Shape& shape, Vec3& p) {
  SignedDistance d = signed_distance(shape, p);
  for (int k = 0; k < 4; ++k) {
    p -= d.normal * d.distance;
    d = signed_distance(shape, p);
  }
  return d;
}

/// Half the limit below a place of the surface: what lies nearest there faces the other way where
/// the solid is thinner than the limit.
double thickness_at(const Shape& shape, Vec3 p, double limit) {
  const SignedDistance at = to_surface(shape, p);
  const Real depth = static_cast<Real>(limit / 2);
  if (std::abs(at.distance) > depth / 8) return thick;
  const SignedDistance below = signed_distance(shape, p - at.normal * depth);
  if (dot(below.normal, at.normal) > Real(-0.5)) return thick;
  const double thickness = double(depth) - double(below.distance);
  return thickness > 0 && thickness < limit ? thickness : thick;
}

}  // namespace

double thickness_below(const Shape& shape, double limit) {
  if (shape.nodes.size() == 1)
    if (const double known = thickness_of(shape.nodes[0]) * double(shape.nodes[0].scale);
        known >= 0)
      return known < limit ? known : thick;
  const Bounds bounds = bounds_of(shape);
  if (!is_bounded(bounds)) return thick;
  const Random random{11, 0};
  double thinnest = thick;
  for (std::uint64_t k = 0; k < 300; ++k)
    thinnest = std::min(
        thinnest,
        thickness_at(shape, bounds.min + scaled(bounds.size(), random.uniform3(k)), limit));
  return thinnest;
}

}  // namespace phyxel
