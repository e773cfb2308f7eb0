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

/// Scales what stands between y = low and y = high to `size`, and moves its middle to the origin.
Shape fitted(const Shape& shape, Real low, Real high, Real z, Real size) {
  const Real scale = size / (high - low);
  return transformed(shape, {Mat3::identity(), Vec3{0, -(low + high) / 2, -z} * scale}, scale);
}

Shape bunny_head() {
  const Vec3 ear_turn = {-16, -18, -9};
  Shape head = ellipsoid_at({0, 0.60, 0.20}, {0.145, 0.135, 0.165});
  head = unite(head, ellipsoid_pair({0.038, 0.562, 0.318}, {0.050, 0.046, 0.050}), 0.07);
  head = unite(head, ellipsoid_pair({0.085, 0.565, 0.225}, {0.072, 0.068, 0.085}), 0.06);
  Shape ears = ellipsoid_pair({0.082, 0.842, 0.098}, {0.056, 0.185, 0.036}, ear_turn);
  const Shape hollows = ellipsoid_pair({0.075, 0.850, 0.138}, {0.030, 0.140, 0.024}, ear_turn);
  ears = subtract(ears, hollows, 0.025);
  head = unite(head, ears, 0.05);
  head = unite(head, ellipsoid_pair({0.098, 0.636, 0.278}, {0.033, 0.037, 0.033}), 0.004);
  return unite(head, ellipsoid_at({0, 0.597, 0.368}, {0.027, 0.018, 0.017}, {-25, 0, 0}), 0.006);
}

Shape bunny_body() {
  Shape body = ellipsoid_at({0, 0.28, -0.05}, {0.22, 0.26, 0.30});
  body = unite(body, ellipsoid_at({0, 0.36, 0.13}, {0.17, 0.21, 0.15}), 0.12);
  body = unite(body, ellipsoid_pair({0.17, 0.19, -0.08}, {0.11, 0.18, 0.20}), 0.05);
  body = unite(body, limb_pair({0.10, 0.30, 0.19}, {0.085, 0.06, 0.235}, 0.055), 0.05);
  body = unite(body, ellipsoid_pair({0.085, 0.035, 0.27}, {0.055, 0.045, 0.085}), 0.03);
  body = unite(body, ellipsoid_pair({0.18, 0.035, 0.08}, {0.065, 0.05, 0.16}), 0.03);
  return unite(body, sphere_at({0, 0.17, -0.345}, 0.085), 0.03);
}

Shape bust_head() {
  Shape head = ellipsoid_at({0, 0.712, -0.011}, {0.117, 0.138, 0.141});
  head = unite(head, ellipsoid_at({0, 0.63, 0.040}, {0.098, 0.135, 0.098}), 0.05);
  head = unite(head, sphere_at({0, 0.525, 0.106}, 0.030), 0.05);
  head = unite(head, ellipsoid_pair({0.060, 0.615, 0.080}, {0.042, 0.045, 0.045}), 0.04);
  head = unite(head, limb({-0.055, 0.702, 0.117}, {0.055, 0.702, 0.117}, 0.014), 0.03);
  head = subtract(head, ellipsoid_pair({0.043, 0.673, 0.150}, {0.030, 0.017, 0.030}), 0.02);
  head = unite(head, ellipsoid_pair({0.043, 0.671, 0.112}, {0.023, 0.017, 0.022}), 0.004);
  head = unite(head, limb({0, 0.69, 0.130}, {0, 0.628, 0.168}, 0.012), 0.022);
  head = unite(head, ellipsoid_pair({0.013, 0.620, 0.155}, {0.013, 0.010, 0.014}), 0.014);
  head = unite(head, ellipsoid_at({0, 0.583, 0.130}, {0.034, 0.0085, 0.016}), 0.008);
  head = unite(head, ellipsoid_at({0, 0.568, 0.126}, {0.027, 0.010, 0.016}), 0.008);
  return unite(head, ellipsoid_pair({0.122, 0.655, -0.010}, {0.013, 0.040, 0.026}, {-10, 20, 8}),
               0.012);
}

Shape bust_hair() {
  Shape cap = ellipsoid_at({0, 0.730, -0.032}, {0.135, 0.150, 0.158});
  cap = subtract(cap, ellipsoid_at({0, 0.630, 0.135}, {0.145, 0.170, 0.150}), 0.012);
  return unite(cap, ellipsoid_at({0, 0.800, -0.205}, {0.066, 0.064, 0.058}), 0.015);
}

Shape bust_chest() {
  Shape chest = ellipsoid_at({0, 0.31, -0.02}, {0.28, 0.085, 0.105}, {8, 0, 0});
  chest = unite(chest, ellipsoid_at({0, 0.24, 0.015}, {0.175, 0.155, 0.105}, {-8, 0, 0}), 0.09);
  return unite(chest, limb({0, 0.34, -0.015}, {0, 0.56, 0.005}, 0.066), 0.07);
}

Shape bust_base() {
  const auto at = [](const Shape& shape, Real y) {
    return transformed(shape, {Mat3::identity(), {0, y, 0}});
  };
  Shape base = at(shape_cylinder(0.165, 0.04), 0.02);
  base = unite(base, at(shape_torus(0.128, 0.022), 0.055), 0.004);
  return unite(base, at(shape_cone(0.130, 0.06, 0.12), 0.09), 0.02);
}

/// Presses the pips of one face into the die.
Shape with_pips(Shape die, Real size, int axis, Real side, int number) {
  const Real out = size * Real(0.535), d = size * Real(0.24);
  const auto press = [&](Real a, Real b) {
    Vec3 centre = Vec3::zero();
    centre[axis] = side * out;
    centre[(axis + 1) % 3] = a * d;
    centre[(axis + 2) % 3] = b * d;
    die = subtract(die, sphere_at(centre, size * Real(0.095)), size * Real(0.015));
  };
  if (number % 2 == 1) press(0, 0);
  if (number >= 2) press(1, 1), press(-1, -1);
  if (number >= 4) press(1, -1), press(-1, 1);
  if (number == 6) press(1, 0), press(-1, 0);
  return die;
}

}  // namespace

Shape model_bunny(Real size) {
  const Shape bunny = unite(bunny_body(), bunny_head(), 0.06);
  const Shape ground = shape_plane({0, 0, 0}, {0, -1, 0});
  return fitted(intersect(bunny, ground), 0, 1.0158, -0.023, size);
}

Shape model_bust(Real size) {
  Shape bust = unite(bust_chest(), bust_head(), 0.025);
  bust = unite(bust, bust_hair(), 0.004);
  return fitted(unite(bust, bust_base(), 0.01), 0, 0.88, 0, size);
}

Shape model_die(Real size) {
  Shape die = shape_box(Vec3::filled(size), size * Real(0.14));
  const int along_axis[3] = {3, 1, 2};  // on the faces +x, +y, +z
  for (int axis = 0; axis < 3; ++axis) {
    die = with_pips(die, size, axis, 1, along_axis[axis]);
    die = with_pips(die, size, axis, -1, 7 - along_axis[axis]);
  }
  return die;
}

}  // namespace phyxel
