#include "phyxel/surfaces/surfels/implicit_surface.h"

#include <cmath>

namespace phyxel {

namespace {

constexpr int newton_steps = 12, bisections = 24;
constexpr Real step_tolerance = Real(1e-4), short_step = Real(0.005);  // spacings of the phyxels

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

/// How far along the gradient the surface lies, m, positive outwards; nowhere where it is flat.
constexpr Real nowhere = Real(1e30);
Real newton_step(const PointField& blobs, const FieldSample& at) {
  const ValueScale scale = value_scale(blobs);
  const Real slope = length(at.gradient) / scale.length;
  const Real weight = at.value / scale.length + scale.iso;
  if (!(slope > 0) || !(weight > 0)) return nowhere;
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

/// Steps along the gradient, until they are short or the bracket holds the surface.
SurfaceFoot newton(const PointField& blobs, const Vec3& p, Real reach, Bracket& bracket) {
  const Real longest = Real(0.5) * blobs.options.spacing;
  Vec3 x = p;
  FieldSample at = sample_at(blobs, x);
  for (int k = 0; k < newton_steps; ++k) {
    const Real step = newton_step(blobs, at);
    if (step == nowhere || length_squared(x - p) > reach * reach) break;
    // A short step leaves an error of its square.
    if (std::abs(step) < short_step * blobs.options.spacing)
      return {x - normalized(at.gradient) * step, -normalized(at.gradient), true};
    bracket.include(x, at.value);
    x -= normalized(at.gradient) * clamp(step, -longest, longest);
    at = sample_at(blobs, x);
  }
  return {p, Vec3::zero(), false};
}

/// Looks outwards from inside, inwards from outside.
Bracket march(const PointField& blobs, const Vec3& p, const Vec3& normal, Real reach) {
  Bracket bracket;
  const Real first = field_value(blobs, p);
  const Real step = Real(0.25) * blobs.options.spacing * (first > 0 ? 1 : -1);
  bracket.include(p, first);
  for (Real gone = step; std::abs(gone) <= reach && !bracket.is_closed(); gone += step) {
    const Vec3 x = p + normal * gone;
    bracket.include(x, field_value(blobs, x));
  }
  return bracket;
}

}  // namespace

SurfaceFoot foot_on_implicit(const PointField& blobs, const Vec3& p, const Vec3& normal,
                             Real reach) {
  Bracket bracket;
  const SurfaceFoot quick = newton(blobs, p, reach, bracket);
  if (quick.found) return quick;
  if (!bracket.is_closed()) bracket = march(blobs, p, normal, reach);
  if (!bracket.is_closed()) return quick;
  const Vec3 x = bisected(blobs, bracket, step_tolerance * blobs.options.spacing);
  const Vec3 out = field_normal(blobs, x);
  return {x, out, length_squared(x - p) <= reach * reach && length_squared(out) > 0};
}

}  // namespace phyxel
