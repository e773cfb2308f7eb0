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
  return transpose(t.rotation) * (x - t.translation);
}
PHYXEL_FN Vec3 rotate(const Transform& t, const Vec3& direction) {
  return t.rotation * direction;
}
/// apply(compose(a, b), x) = apply(a, apply(b, x)).
PHYXEL_FN Transform compose(const Transform& a, const Transform& b) {
  return {a.rotation * b.rotation, apply(a, b.translation)};
}

}  // namespace phyxel
