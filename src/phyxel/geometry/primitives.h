#pragma once

#include <type_traits>

#include "phyxel/geometry/shape.h"

namespace phyxel {
inline namespace PHYXEL_BACKEND {

// Exact signed distances of primitives in their own frame, with the gradient (a unit vector). They
// are 1-Lipschitz, which sampling relies on to skip whole runs of points.

PHYXEL_FN Real sign_of(Real x) {
  return x < 0 ? Real(-1) : Real(1);
}

PHYXEL_FN Real largest(const Vec3& v) {
  return max(v[0], max(v[1], v[2]));
}
PHYXEL_FN Real smallest(const Vec3& v) {
  return min(v[0], min(v[1], v[2]));
}

/// v / |v|, or `otherwise` where v has no direction (centre of a sphere, axis of a torus).
PHYXEL_FN Vec3 direction(const Vec3& v, const Vec3& otherwise) {
  const Real l = length(v);
  return l > 0 ? v / l : otherwise;
}

/// A solid of revolution about y seen in its half plane (r, y).
struct Meridian {
  Real r, y;
  Vec3 radial;  // unit, in the xz plane

  PHYXEL_FN Vec3 lift(Real along_r, Real along_y) const {
    return radial * along_r + Vec3{0, along_y, 0};
  }
};
PHYXEL_FN Meridian meridian_of(const Vec3& p) {
  return {sqrt(p[0] * p[0] + p[2] * p[2]), p[1], direction({p[0], 0, p[2]}, {1, 0, 0})};
}

/// Distance outside or inside a corner where the two half spaces a < 0 and b < 0 meet, with the
/// weights of their normals.
struct Corner {
  Real distance, along_a, along_b;
};
PHYXEL_FN Corner corner(Real a, Real b) {
  if (a > 0 && b > 0) {
    const Real l = sqrt(a * a + b * b);
    return {l, a / l, b / l};
  }
  return a > b ? Corner{a, 1, 0} : Corner{b, 0, 1};
}

PHYXEL_FN int widest(const Vec3& v) {
  if (v[0] >= v[1] && v[0] >= v[2]) return 0;
  return v[1] >= v[2] ? 1 : 2;
}

/// tau > 0 with |(e_i y_i / (tau + D_i))| = 1, D_i = e_i^2 - min(e)^2: Newton on 1/sqrt, which is
/// nearly linear, from below, where it converges without overshooting.
PHYXEL_FN Real ellipsoid_root(const Vec3& ey, const Vec3& D) {
  constexpr Real near_enough =
      std::is_same_v<Real, float> ? 3e-4 : 1e-8;  // the error is its square
  Real tau = max(largest(ey - D), length(ey) - largest(D));
  for (int iteration = 0; iteration < 24; ++iteration) {
    const Real a = tau + D[0], b = tau + D[1], c = tau + D[2];
    const Real s = Real(1) / (a * b * c);
    const Vec3 inverse = {b * c * s, a * c * s, a * b * s};
    const Vec3 term = scaled(ey, inverse);
    const Real F = dot(term, term);
    const Real step = F * (sqrt(F) - 1) / dot(scaled(term, term), inverse);
    tau += step;
    if (step <= near_enough * tau) break;
  }
  return tau;
}

PHYXEL_FN_APART SignedDistance distance_to_box(const Vec3& p, const Vec3& half_size,
                                               Real rounding) {
  Vec3 q, out;
  for (int k = 0; k < 3; ++k) {
    q[k] = abs(p[k]) - half_size[k] + rounding;
    out[k] = max(Real(0), q[k]) * sign_of(p[k]);
  }
  const Real l = length(out);
  if (l > 0) return {l - rounding, out / l};
  const int k = widest(q);
  Vec3 normal = Vec3::zero();
  normal[k] = sign_of(p[k]);
  return {q[k] - rounding, normal};
}

PHYXEL_FN_APART SignedDistance distance_to_sphere(const Vec3& p, Real radius) {
  return {length(p) - radius, direction(p, {0, 1, 0})};
}

PHYXEL_FN_APART SignedDistance distance_to_ellipsoid(const Vec3& p, const Vec3& radii) {
  const Real unit = largest(radii);
  const Vec3 e = radii / unit;
  const Real least = smallest(e);
  Vec3 y, ey, D;
  for (int k = 0; k < 3; ++k) {
    // A coordinate of exactly zero would hide which way the nearest point lies.
    y[k] = max(std::is_same_v<Real, float> ? Real(1e-8) : Real(1e-16), abs(p[k]) / unit);
    ey[k] = e[k] * y[k];
    D[k] = (e[k] - least) * (e[k] + least);
  }
  const Real tau = ellipsoid_root(ey, D);
  Vec3 normal, offset;
  for (int k = 0; k < 3; ++k) {
    normal[k] = y[k] / (tau + D[k]);
    offset[k] = y[k] - e[k] * e[k] * normal[k];
  }
  normal = direction(normal, {0, 1, 0});
  const Real distance = dot(offset, normal) * unit;
  for (int k = 0; k < 3; ++k) normal[k] *= sign_of(p[k]);
  return {distance, normal};
}

PHYXEL_FN_APART SignedDistance distance_to_cylinder(const Vec3& p, Real radius, Real half_height) {
  const Meridian m = meridian_of(p);
  const Corner c = corner(m.r - radius, abs(m.y) - half_height);
  return {c.distance, m.lift(c.along_a, c.along_b * sign_of(m.y))};
}

PHYXEL_FN_APART SignedDistance distance_to_capsule(const Vec3& p, Real radius, Real half_height) {
  const Vec3 q = p - Vec3{0, clamp(p[1], -half_height, half_height), 0};
  return {length(q) - radius, direction(q, {1, 0, 0})};
}

PHYXEL_FN_APART SignedDistance distance_to_cone(const Vec3& p, Real radius, Real top_radius,
                                                Real half_height) {
  const Meridian m = meridian_of(p);
  const Real rim = m.y < 0 ? radius : top_radius;
  const Vec2 to_cap = {m.r - min(rim, m.r), abs(m.y) - half_height};
  const Vec2 side = {top_radius - radius, 2 * half_height};
  const Vec2 from_foot = {m.r - radius, m.y + half_height};
  const Real along = clamp(dot(from_foot, side) / dot(side, side), Real(0), Real(1));
  const Vec2 to_side = from_foot - side * along;
  const Vec2 side_normal = normalized(Vec2{side[1], -side[0]});
  const bool within = dot(from_foot, side_normal) < 0 && to_cap[1] < 0;
  const Real sign = within ? Real(-1) : Real(1);
  if (dot(to_cap, to_cap) < dot(to_side, to_side)) {
    const Real l = length(to_cap);
    if (l <= 0) return {0, {0, sign_of(m.y), 0}};
    return {sign * l, m.lift(sign * to_cap[0] / l, sign * to_cap[1] / l * sign_of(m.y))};
  }
  const Real l = length(to_side);
  if (l <= 0) return {0, m.lift(side_normal[0], side_normal[1])};
  return {sign * l, m.lift(sign * to_side[0] / l, sign * to_side[1] / l)};
}

PHYXEL_FN_APART SignedDistance distance_to_torus(const Vec3& p, Real radius, Real thickness) {
  const Meridian m = meridian_of(p);
  const Vec3 q = m.lift(m.r - radius, m.y);
  return {length(q) - thickness, direction(q, {0, 1, 0})};
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
