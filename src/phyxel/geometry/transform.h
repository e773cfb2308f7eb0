#pragma once

#include "phyxel/core/mat.h"

namespace phyxel {

/// Rigid motion: x -> rotation x + translation.
struct Transform {
  Mat3 rotation = Mat3::identity();
  Vec3 translation = Vec3::zero();  // m
};

PHYXEL_FN Vec3 apply(const Transform& t, const Vec3& x) {
  return t.rotation * x + t.translation;
}
PHYXEL_FN Vec3 apply_inverse(const Transform& t, const Vec3& x) {
  // Not by transpose(): a matrix turned in memory costs more than the product.
  const Vec3 d = x - t.translation;
  const Vec3 &a = t.rotation[0], &b = t.rotation[1], &c = t.rotation[2];
  return {a[0] * d[0] + b[0] * d[1] + c[0] * d[2], a[1] * d[0] + b[1] * d[1] + c[1] * d[2],
          a[2] * d[0] + b[2] * d[1] + c[2] * d[2]};
}
PHYXEL_FN Vec3 rotate(const Transform& t, const Vec3& direction) {
  return t.rotation * direction;
}
/// apply(compose(a, b), x) = apply(a, apply(b, x)).
PHYXEL_FN Transform compose(const Transform& a, const Transform& b) {
  return {a.rotation * b.rotation, apply(a, b.translation)};
}

}  // namespace phyxel
