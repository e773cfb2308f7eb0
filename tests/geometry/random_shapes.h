#pragma once

#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/geometry/shape.h"

// Shapes and points for property tests, each a function of a number.

namespace phyxel::test {

struct Draw {
  Random random;
  std::uint64_t next = 0;

  explicit Draw(std::uint32_t seed) : random{seed, 0x74657374} {}
  Real real(Real low, Real high) { return low + (high - low) * random.uniform(next++); }
  int integer(int n) { return static_cast<int>(random.words(next++).word[0] % n); }
  Vec3 vector(Real low, Real high) { return {real(low, high), real(low, high), real(low, high)}; }
};

inline constexpr int primitive_kinds = 8;

inline Shape primitive(Draw& draw, int kind) {
  const Real a = draw.real(0.2, 0.6), b = draw.real(0.1, 0.5), c = draw.real(0.1, 0.5);
  switch (kind) {
    case 0:
      return shape_box({a, b, c}, draw.real(0, 0.05));
    case 1:
      return shape_sphere(a);
    case 2:
      return shape_ellipsoid({a, b, c});
    case 3:
      return shape_cylinder(a, b);
    case 4:
      return shape_capsule(a, b);
    case 5:
      return shape_cone(a, b, c);
    case 6:
      return shape_torus(a, b / 3);
    default:
      return shape_plane(draw.vector(-0.2, 0.2), draw.vector(-1, 1) + Vec3{0, 2, 0});
  }
}

inline Shape placed(Draw& draw, const Shape& shape) {
  const Transform pose{rotation_degrees(draw.vector(-180, 180)), draw.vector(-0.4, 0.4)};
  return transformed(shape, pose, draw.real(0.5, 1.5));
}

inline Shape random_primitive(Draw& draw) {
  return placed(draw, primitive(draw, draw.integer(primitive_kinds)));
}

/// A few primitives joined by sharp and smooth operations.
inline Shape random_shape(Draw& draw) {
  Shape shape = random_primitive(draw);
  const int operations = 1 + draw.integer(5);
  for (int k = 0; k < operations; ++k) {
    const Shape other = random_primitive(draw);
    const Real blend = draw.integer(2) == 0 ? Real(0) : draw.real(0.02, 0.3);
    const int which = draw.integer(4);
    if (which == 0) shape = intersect(shape, other, blend);
    if (which == 1) shape = subtract(shape, other, blend);
    if (which >= 2) shape = unite(shape, other, blend);
  }
  return draw.integer(4) == 0 ? placed(draw, complement(shape)) : shape;
}

}  // namespace phyxel::test
