#pragma once

#include "phyxel/core/mat.h"

// The disc of one surfel: its half axes and its normal.

namespace phyxel {

/// Two unit vectors across a unit normal n, with u x v = n. Duff et al. 2017.
struct TangentAxes {
  Vec3 u, v;
};
inline TangentAxes tangent_axes(const Vec3& n) {
  const Real sign = std::copysign(Real(1), n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  return {{1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]}, {b, sign + n[1] * n[1] * a, -n[1]}};
}

inline Vec3 disc_normal(const Vec3& u, const Vec3& v) {
  return normalized(cross(u, v));
}

/// The shortest turn that takes unit vector `from` to unit vector `to`, applied to a.
inline Vec3 turned(const Vec3& a, const Vec3& from, const Vec3& to) {
  const Real c = dot(from, to);
  if (c < Real(-0.999)) return a - from * (2 * dot(a, from));  // turned over
  const Vec3 axis = cross(from, to);
  return a * c + cross(axis, a) + axis * (dot(axis, a) / (1 + c));
}

}  // namespace phyxel
