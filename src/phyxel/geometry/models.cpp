#include "phyxel/geometry/models.h"

namespace phyxel {
namespace {

Shape ellipsoid_at(const Vec3& centre, const Vec3& radii, const Vec3& degrees = {0, 0, 0}) {
  return transformed(shape_ellipsoid(radii), {rotation_degrees(degrees), centre});
}
Shape sphere_at(const Vec3& centre, Real radius) {
  return transformed(shape_sphere(radius), {Mat3::identity(), centre});
}

/// Capsule between two points.
Shape limb(const Vec3& a, const Vec3& b, Real radius) {
  const Vec3 along = b - a, y = normalized(along);
  const Vec3 x = normalized(cross(std::abs(y[2]) < Real(0.9) ? Vec3{0, 0, 1} : Vec3{1, 0, 0}, y));
  const Mat3 turn = transpose(Mat3{{x, y, cross(x, y)}});
  return transformed(shape_capsule(radius, length(along)), {turn, (a + b) * Real(0.5)});
}

Vec3 mirrored(Vec3 v) {
  v[0] = -v[0];
  return v;
}
/// An ellipsoid and its mirror image in x; degrees turn the one on the right (+x).
Shape ellipsoid_pair(const Vec3& centre, const Vec3& radii, const Vec3& degrees = {0, 0, 0}) {
  return unite(ellipsoid_at(centre, radii, degrees),
               ellipsoid_at(mirrored(centre), radii, {degrees[0], -degrees[1], -degrees[2]}));
}
Shape limb_pair(const Vec3& a, const Vec3& b, Real radius) {
  return unite(limb(a, b, radius), limb(mirrored(a), mirrored(b), radius));
}

/// Moves the box between `low` and `high` along y to `size` about the origin.
Shape fitted(const Shape& shape, Real low, Real high, Real z, Real size) {
  const Real scale = size / (high - low);
  return transformed(shape, {Mat3::identity(), Vec3{0, -(low + high) / 2, -z} * scale}, scale);
}

Shape bunny_head() {
  Shape head = ellipsoid_at({0, 0.60, 0.20}, {0.15, 0.14, 0.165});
  head = unite(head, ellipsoid_at({0, 0.565, 0.31}, {0.085, 0.07, 0.075}), 0.06);
  head = unite(head, ellipsoid_pair({0.08, 0.565, 0.24}, {0.075, 0.065, 0.08}), 0.05);
  Shape ears = ellipsoid_pair({0.075, 0.85, 0.10}, {0.052, 0.18, 0.034}, {-14, 0, -10});
  ears = subtract(ears, ellipsoid_pair({0.078, 0.85, 0.138}, {0.028, 0.14, 0.022}, {-14, 0, -10}),
                  0.02);
  head = unite(head, ears, 0.04);
  head = unite(head, ellipsoid_pair({0.112, 0.64, 0.29}, {0.024, 0.028, 0.024}), 0.004);
  return unite(head, ellipsoid_at({0, 0.602, 0.385}, {0.024, 0.016, 0.014}), 0.008);
}

Shape bunny_body() {
  Shape body = ellipsoid_at({0, 0.28, -0.05}, {0.22, 0.26, 0.30});
  body = unite(body, ellipsoid_at({0, 0.36, 0.13}, {0.17, 0.21, 0.15}), 0.12);
  body = unite(body, ellipsoid_pair({0.17, 0.19, -0.08}, {0.11, 0.18, 0.20}), 0.05);
  body = unite(body, limb_pair({0.10, 0.30, 0.19}, {0.085, 0.06, 0.235}, 0.055), 0.05);
  body = unite(body, ellipsoid_pair({0.085, 0.035, 0.27}, {0.055, 0.045, 0.085}), 0.03);
  body = unite(body, ellipsoid_pair({0.18, 0.035, 0.08}, {0.065, 0.05, 0.16}), 0.03);
  return unite(body, sphere_at({0, 0.16, -0.35}, 0.085), 0.025);
}

Shape pips(Real size, int axis, Real side, int number) {
  const Real out = size / 2 + size * Real(0.035), d = size * Real(0.24),
             radius = size * Real(0.095);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Shape shape;
  const auto add = [&](Real a, Real b) {
    Vec3 centre = Vec3::zero();
    centre[axis] = side * out;
    centre[u] = a * d;
    centre[v] = b * d;
    const Shape pip = sphere_at(centre, radius);
    shape = shape.nodes.empty() ? pip : unite(shape, pip);
  };
  if (number % 2 == 1) add(0, 0);
  if (number >= 2) add(1, 1), add(-1, -1);
  if (number >= 4) add(1, -1), add(-1, 1);
  if (number == 6) add(1, 0), add(-1, 0);
  return shape;
}

}  // namespace

Shape model_bunny(Real size) {
  const Shape bunny = unite(bunny_body(), bunny_head(), 0.06);
  const Shape ground = shape_plane({0, 0, 0}, {0, -1, 0});
  return fitted(intersect(bunny, ground), 0, 1.03, 0, size);
}

Shape model_bust(Real size) {
  return model_bunny(size);
}

Shape model_die(Real size) {
  Shape all = pips(size, 1, 1, 1);
  all = unite(all, pips(size, 1, -1, 6));
  all = unite(all, pips(size, 2, 1, 2));
  all = unite(all, pips(size, 2, -1, 5));
  all = unite(all, pips(size, 0, 1, 3));
  all = unite(all, pips(size, 0, -1, 4));
  return subtract(shape_box(Vec3::filled(size), size * Real(0.14)), all, size * Real(0.015));
}

}  // namespace phyxel
