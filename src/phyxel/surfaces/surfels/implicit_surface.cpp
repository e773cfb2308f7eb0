#include "phyxel/surfaces/surfels/implicit_surface.h"

#include <cmath>

namespace phyxel {

namespace {

constexpr int newton_steps = 12, bisections = 24;

/// On one side of the surface each.
struct Bracket {
  Vec3 in, out;
  bool has_in = false, has_out = false;

  void include(const Vec3& p, Real value) {
    (value > 0 ? in : out) = p;
    (value > 0 ? has_in : has_out) = true;
  }
  bool is_closed() const { return has_in && has_out; }
};

/// How far along the gradient the surface lies, m, positive outwards.
Real newton_step(const PointField& blobs, const FieldSample& at) {
  const ValueScale scale = value_scale(blobs);
  const Real slope = length(at.gradient) / scale.length;
  const Real weight = at.value / scale.length + scale.iso;
  if (!(slope > 0) || !(weight > 0)) return 0;
  if (weight > scale.iso) return (weight - scale.iso) / slope;
  return weight * std::log(weight / scale.iso) / slope;
}

Vec3 bisected(const PointField& blobs, Bracket b, Real tolerance) {
  for (int k = 0; k < bisections && length(b.in - b.out) > tolerance; ++k) {
    const Vec3 middle = (b.in + b.out) * Real(0.5);
    b.include(middle, field_value(blobs, middle));
  }
  return (b.in + b.out) * Real(0.5);
}

}  // namespace

SurfaceFoot foot_on_implicit(const PointField& blobs, const Vec3& p, Real reach) {
  const Real tolerance = Real(1e-4) * blobs.options.spacing;
  const Real longest = Real(0.5) * blobs.options.spacing;
  Vec3 x = p;
  Bracket bracket;
  FieldSample at = sample_at(blobs, x);
  for (int k = 0; k < newton_steps; ++k) {
    const Real step = newton_step(blobs, at);
    if (step == 0 || length_squared(x - p) > reach * reach) break;
    if (std::abs(step) < tolerance) return {x, -normalized(at.gradient), true};
    bracket.include(x, at.value);
    x -= normalized(at.gradient) * clamp(step, -longest, longest);
    at = sample_at(blobs, x);
  }
  if (!bracket.is_closed()) return {p, Vec3::zero(), false};
  x = bisected(blobs, bracket, tolerance);
  const Vec3 normal = field_normal(blobs, x);
  return {x, normal, length_squared(x - p) <= reach * reach && length_squared(normal) > 0};
}

}  // namespace phyxel
