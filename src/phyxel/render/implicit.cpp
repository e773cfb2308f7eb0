#include "phyxel/render/implicit.h"

#include <algorithm>
#include <cmath>

namespace phyxel::render {
namespace {

// Picture units. Closer than this counts as the surface; below surface_offset, so that a ray that
// leaves the surface does not meet it again.
constexpr Real touching = Real(0.25) * Real(surface_offset);
// Half the edge of the box around the camera's target to which unbounded solids are cut.
constexpr Real reach = 4;

/// The ray in the frame of the shape, still measured in picture units.
struct LocalRay {
  Vec3 origin;  // m
  Vec3 step;    // m per picture unit

  Vec3 at(Real t) const { return origin + step * t; }
};

LocalRay localise(const Implicit& s, const Ray& ray) {
  const Transform& pose = s.object->pose;
  return {apply_inverse(pose, to_scene(s.units, ray.origin)),
          transpose(pose.rotation) * (cast<Real>(ray.direction) * (1 / s.units.scale))};
}

Real distance_at(const Implicit& s, const LocalRay& ray, Real t) {
  return signed_distance(s.object->shape, ray.at(t)).distance * s.units.scale;
}

struct Interval {
  Real first, last;
};

Interval cut(const Bounds& box, const LocalRay& ray, Interval t) {
  for (int k = 0; k < 3; ++k) {
    const Real inverse = 1 / ray.step[k];
    Real a = (box.min[k] - ray.origin[k]) * inverse, b = (box.max[k] - ray.origin[k]) * inverse;
    if (a > b) std::swap(a, b);
    if (a > t.first) t.first = a;  // written so that 0/0 along a face changes nothing
    if (b < t.last) t.last = b;
  }
  return t;
}

/// The zero between `outside` and `inside`, where a step of an inexact distance went too far.
Real bisect(const Implicit& s, const LocalRay& ray, Real outside, Real inside) {
  for (int k = 0; k < 20; ++k) {
    const Real middle = (outside + inside) / 2;
    (distance_at(s, ray, middle) > 0 ? outside : inside) = middle;
  }
  return outside;
}

/// First t with a distance of about zero, or nothing.
std::optional<Real> march(const Implicit& s, const LocalRay& ray, Interval t) {
  Real d = distance_at(s, ray, t.first), previous = t.first;
  bool outside = d > 0;
  for (int step = 0; step < 400 && t.first <= t.last; ++step) {
    if (outside && d < 0) return bisect(s, ray, previous, t.first);
    if (outside && d < touching) return t.first;
    outside = d > 0;
    previous = t.first;
    t.first += std::max(std::abs(d), touching);
    d = distance_at(s, ray, t.first);
  }
  return std::nullopt;
}

}  // namespace

Implicit make_implicit(const ShapeObject& object, const PictureUnits& units) {
  Implicit s{&object, units, bounds_of(object.shape)};
  if (is_bounded(s.clip)) return s;
  const Vec3 middle = apply_inverse(object.pose, units.origin);
  const Vec3 half = Vec3::filled(reach / units.scale);
  s.clip = {max(s.clip.min, middle - half), min(s.clip.max, middle + half)};
  return s;
}

BoundsOf<float> picture_bounds(const Implicit& s) {
  BoundsOf<float> box;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1 ? s.clip.max : s.clip.min)[0],
                 (corner & 2 ? s.clip.max : s.clip.min)[1],
                 (corner & 4 ? s.clip.max : s.clip.min)[2]};
    box.include(to_picture(s.units, apply(s.object->pose, p)));
  }
  const Vec3f skin = Vec3f::filled(surface_offset);
  return {box.min - skin, box.max + skin};
}

std::optional<ImplicitHit> intersect(const Implicit& s, const Ray& ray) {
  const LocalRay local = localise(s, ray);
  const Real skin = Real(surface_offset) / s.units.scale;
  const Bounds box{s.clip.min - Vec3::filled(skin), s.clip.max + Vec3::filled(skin)};
  const Interval t = cut(box, local, {Real(ray.near), Real(ray.far)});
  if (!(t.first <= t.last)) return std::nullopt;
  const std::optional<Real> hit = march(s, local, t);
  if (!hit) return std::nullopt;
  const Vec3 normal = signed_distance(s.object->shape, local.at(*hit)).normal;
  return ImplicitHit{static_cast<float>(*hit),
                     normalized(cast<float>(rotate(s.object->pose, normal)))};
}

}  // namespace phyxel::render
