#include "phyxel/render/implicit.h"

#include <algorithm>
#include <cmath>

#include "phyxel/geometry/box_tree.h"

namespace phyxel::render {
namespace {

// Picture units. Closer than this counts as the surface; below solid_offset, so that a ray that
// leaves the surface does not meet it again.
constexpr Real touching = Real(0.25) * Real(solid_offset);
// Half the edge of the box around the camera's target to which unbounded solids are cut.
constexpr Real reach = 4;
// Shapes of at least this many nodes are worth the cost of a grid.
constexpr std::size_t costly_nodes = 4;
constexpr int most_steps = 400;

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

/// What is known at a point of a ray; picture units.
struct Probe {
  Real distance;  // nothing is nearer
  Real slope;     // change of the distance along the ray, -1 to 1; -1 where it is not known
};

SignedDistance distance_at(const Implicit& s, const Vec3& p) {
  return signed_distance(local_shape(s.grid.find(p), s.object->shape), p);
}

Probe probe(const Implicit& s, const LocalRay& ray, Real t) {
  const Vec3 p = ray.at(t);
  const ShapeGrid::Cell* cell = s.grid.find(p);
  if (cell && cell->free > 0) return {cell->free * s.units.scale, -1};
  const SignedDistance d = signed_distance(local_shape(cell, s.object->shape), p);
  return {d.distance * s.units.scale, dot(d.normal, ray.step) * s.units.scale};
}

/// The zero between two points of a ray outside and inside the solid: false position, halving the
/// value of an end that stays (the Illinois rule).
Real zero_between(const Implicit& s, const LocalRay& ray, Real a, Real f_a, Real b, Real f_b) {
  for (int k = 0; k < 12; ++k) {
    const Real t = (a * f_b - b * f_a) / (f_b - f_a);
    const Real f = probe(s, ray, t).distance;
    if (std::abs(f) < touching) return t;
    if ((f > 0) == (f_b > 0))
      f_a /= 2;
    else
      a = b, f_a = f_b;
    b = t, f_b = f;
  }
  return f_a > 0 ? a : b;
}

/// The length of the next step outside the solid. If the distance went on along the ray as it does
/// here, the free balls around both ends of a step of 2 d / (1 - slope) would just touch: with a
/// grain of salt, and never more than twenty times the distance. Keinert et al. 2014.
Real bold_step(const Probe& here) {
  const Real bold = Real(1.6) * here.distance / std::max(1 - here.slope, Real(0.1));
  return std::max({bold, here.distance, touching});
}

/// Where a ray that starts inside has left the solid.
Real leave(const Implicit& s, const LocalRay& ray, Interval t) {
  Probe here = probe(s, ray, t.first);
  for (int step = 0; here.distance < 0 && step < most_steps && t.first <= t.last; ++step) {
    t.first += std::max(-here.distance, 2 * touching);
    here = probe(s, ray, t.first);
  }
  return t.first;
}

bool is_hit(const Probe& here) {
  return here.distance < touching && here.slope < 0;
}
/// So near, and coming nearer, that the surface is straight from here.
bool is_near_hit(const Probe& here) {
  return here.distance < 8 * touching && here.slope < Real(-0.1);
}

/// First t with a distance of about zero, or nothing.
std::optional<Real> march(const Implicit& s, const LocalRay& ray, Interval t) {
  t.first = leave(s, ray, t);
  Probe here = probe(s, ray, t.first);
  for (int step = 0; step < most_steps && t.first <= t.last; ++step) {
    if (is_near_hit(here)) return t.first + here.distance / -here.slope;
    if (is_hit(here)) return t.first;
    Real stride = bold_step(here);
    Probe next = probe(s, ray, t.first + stride);
    if (here.distance + std::abs(next.distance) < stride) {
      stride = std::max(here.distance, touching);  // something may hide between the balls
      next = probe(s, ray, t.first + stride);
    }
    if (next.distance < 0)
      return zero_between(s, ray, t.first, here.distance, t.first + stride, next.distance);
    t.first += stride;
    here = next;
  }
  return std::nullopt;
}

}  // namespace

Interval cut(const Bounds& box, const Vec3& origin, const Vec3& step, Interval t) {
  for (int k = 0; k < 3; ++k) {
    const Real inverse = 1 / step[k];
    Real a = (box.min[k] - origin[k]) * inverse, b = (box.max[k] - origin[k]) * inverse;
    if (a > b) std::swap(a, b);
    if (a > t.first) t.first = a;  // written so that 0/0 along a face changes nothing
    if (b < t.last) t.last = b;
  }
  return t;
}

Implicit make_implicit(const ShapeObject& object, const PictureUnits& units) {
  Implicit s{&object, units, bounds_of(object.shape), {}};
  if (!is_bounded(s.clip)) {
    const Vec3 middle = apply_inverse(object.pose, units.origin);
    const Vec3 half = Vec3::filled(reach / units.scale);
    s.clip = {max(s.clip.min, middle - half), min(s.clip.max, middle + half)};
  }
  if (object.shape.nodes.size() >= costly_nodes) s.grid = make_shape_grid({}, object.shape, s.clip);
  return s;
}

BoundsOf<float> picture_bounds(const Implicit& s) {
  BoundsOf<float> box;
  for (int corner = 0; corner < 8; ++corner)
    box.include(to_picture(s.units, apply(s.object->pose, corner_of(s.clip, corner))));
  const Vec3f skin = Vec3f::filled(solid_offset);
  return {box.min - skin, box.max + skin};
}

std::optional<ImplicitHit> intersect(const Implicit& s, const Ray& ray) {
  const LocalRay local = localise(s, ray);
  const Real skin = Real(solid_offset) / s.units.scale;
  const Bounds box{s.clip.min - Vec3::filled(skin), s.clip.max + Vec3::filled(skin)};
  const Interval t = cut(box, local.origin, local.step, {Real(ray.near), Real(ray.far)});
  if (!(t.first <= t.last)) return std::nullopt;
  const std::optional<Real> hit = march(s, local, t);
  if (!hit) return std::nullopt;
  const Vec3 normal = distance_at(s, local.at(*hit)).normal;
  return ImplicitHit{static_cast<float>(*hit),
                     normalized(cast<float>(rotate(s.object->pose, normal)))};
}

}  // namespace phyxel::render
