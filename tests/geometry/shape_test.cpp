#include "phyxel/geometry/shape.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "geometry/random_shapes.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/shape_bounds.h"

using namespace phyxel;
using doctest::Approx;

namespace {

// A few roundings of numbers about 1.
constexpr double exact = std::is_same_v<Real, float> ? 2e-6 : 1e-12;

double distance(const Shape& shape, const Vec3& p) {
  return signed_distance(shape, p).distance;
}

Shape moved(const Shape& shape, const Vec3& by) {
  return transformed(shape, {Mat3::identity(), by});
}

/// Slope of the distance by central differences.
Vec3d slope(const Shape& shape, const Vec3& p, Real h) {
  Vec3d g;
  for (int k = 0; k < 3; ++k) {
    Vec3 step = Vec3::zero();
    step[k] = h;
    g[k] = (distance(shape, p + step) - distance(shape, p - step)) / (2.0 * h);
  }
  return g;
}

}  // namespace

TEST_CASE("distances_of_primitives_are_those_of_paper_and_pencil") {
  CHECK(distance(shape_box({2, 4, 6}), {1.5, 0, 0}) == Approx(0.5).epsilon(exact));
  CHECK(distance(shape_box({2, 4, 6}), {4, 6, 3}) == Approx(5).epsilon(exact));
  CHECK(distance(shape_box({2, 4, 6}), {0.25, 0, 0}) == Approx(-0.75).epsilon(exact));
  CHECK(distance(shape_box({2, 2, 2}, 0.5), {1, 1, 1}) ==
        Approx(0.5 * std::sqrt(3.0) - 0.5).epsilon(exact));
  CHECK(distance(shape_sphere(2), {0, 3, 4}) == Approx(3).epsilon(exact));
  CHECK(distance(shape_ellipsoid({3, 2, 1}), {5, 0, 0}) == Approx(2).epsilon(exact));
  CHECK(distance(shape_ellipsoid({3, 2, 1}), {0, 0, 0}) == Approx(-1).epsilon(exact));
  CHECK(distance(shape_cylinder(1, 4), {4, 6, 0}) == Approx(5).epsilon(exact));
  CHECK(distance(shape_cylinder(1, 4), {0, 1.5, 0}) == Approx(-0.5).epsilon(exact));
  CHECK(distance(shape_capsule(1, 4), {0, 4, 0}) == Approx(1).epsilon(exact));
  CHECK(distance(shape_capsule(1, 4), {0, 1, 3}) == Approx(2).epsilon(exact));
  // A cone of 45 degrees: tip at y = 1, foot of radius 2 at y = -1.
  CHECK(distance(shape_cone(2, 0, 2), {0, 2, 0}) == Approx(1).epsilon(exact));
  CHECK(distance(shape_cone(2, 0, 2), {2, 1, 0}) == Approx(std::sqrt(2.0)).epsilon(exact));
  CHECK(distance(shape_cone(2, 0, 2), {0, -0.75, 0}) == Approx(-0.25).epsilon(exact));
  CHECK(distance(shape_torus(2, 0.5), {0, 0, 0}) == Approx(1.5).epsilon(exact));
  CHECK(distance(shape_torus(2, 0.5), {0, 0, -2}) == Approx(-0.5).epsilon(exact));
  CHECK(distance(shape_plane({0, 1, 0}, {0, 2, 0}), {7, -2, 3}) == Approx(-3).epsilon(exact));
}

TEST_CASE("a_cone_of_equal_radii_is_a_cylinder_and_a_round_ellipsoid_is_a_sphere") {
  test::Draw draw(1);
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = draw.vector(-2, 2);
    CHECK(distance(shape_cone(0.7, 0.7, 1.2), p) ==
          Approx(distance(shape_cylinder(0.7, 1.2), p)).epsilon(10 * exact));
    CHECK(std::abs(distance(shape_ellipsoid({0.7, 0.7, 0.7}), p) - distance(shape_sphere(0.7), p)) <
          10 * exact);
  }
}

TEST_CASE("the_foot_of_the_distance_to_an_ellipsoid_lies_on_it_and_is_the_nearest") {
  test::Draw draw(2);
  for (int k = 0; k < 200; ++k) {
    const Vec3 radii = draw.vector(0.05, 1), p = draw.vector(-1.5, 1.5);
    const SignedDistance d = signed_distance(shape_ellipsoid(radii), p);
    const Vec3 foot = p - d.normal * d.distance;
    Real norm = 0;
    for (int i = 0; i < 3; ++i) norm += foot[i] * foot[i] / (radii[i] * radii[i]);
    // An error of 1e-6 m is magnified by the curvature of the thinnest radius.
    CHECK(norm == Approx(1).epsilon(std::is_same_v<Real, float> ? 2e-3 : 1e-8));
    for (int trial = 0; trial < 100; ++trial) {
      const Vec3 other = scaled(normalized(draw.vector(-1, 1)), radii);
      REQUIRE(length(other - p) > std::abs(d.distance) - 10 * exact);
    }
  }
}

TEST_CASE("the_normal_is_the_slope_of_the_distance_for_any_shape") {
  const Real h = std::is_same_v<Real, float> ? 1e-3 : 1e-6;
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_shape(draw);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = draw.vector(-1, 1);
      const Vec3d coarse = slope(shape, p, 2 * h), fine = slope(shape, p, h);
      // Differences across an edge, or where a blend turns the slope to nothing, say nothing.
      if (length(coarse - fine) > 2e-3 || length(fine) < 0.1) continue;
      ++compared;
      const Vec3d normal = cast<double>(signed_distance(shape, p).normal);
      // Rounding of the distances over 2 h, and the curvature between two steps.
      REQUIRE(length(normal - normalized(fine)) < 0.03);
    }
  }
  CHECK(compared > 6000);
}

TEST_CASE("the_slope_of_a_primitive_is_one") {
  const Real h = std::is_same_v<Real, float> ? 1e-3 : 1e-6;
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_primitive(draw);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = draw.vector(-1, 1);
      const Vec3d coarse = slope(shape, p, 2 * h), fine = slope(shape, p, h);
      if (length(coarse - fine) > 1e-3) continue;  // across an edge or the axis within
      ++compared;
      REQUIRE(length(fine) == Approx(1).epsilon(3e-3));  // rounding over 2 h
    }
  }
  CHECK(compared > 3000);
}

TEST_CASE("no_distance_changes_faster_than_the_place_it_is_taken_at") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_shape(draw);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = draw.vector(-1, 1), q = p + draw.vector(-0.3, 0.3);
      REQUIRE(std::abs(distance(shape, p) - distance(shape, q)) <=
              length(p - q) * (1 + 1e-4) + 10 * exact);
    }
  }
}

TEST_CASE("normals_are_unit_vectors_where_no_direction_is_given") {
  const std::vector<Shape> shapes = {
      shape_box({1, 1, 1}),       shape_sphere(1),          shape_ellipsoid({1, 2, 3}),
      shape_cylinder(1, 2),       shape_capsule(1, 2),      shape_cone(1, 0, 2),
      shape_cone(0, 1, 2),        shape_torus(1, 0.2),      shape_plane({0, 0, 0}, {0, 1, 0}),
      shape_ellipsoid({1, 1, 1}), shape_box({1, 1, 1}, 0.5)};
  const std::vector<Vec3> points = {{0, 0, 0}, {0, 1, 0},       {0, -1, 0},    {1, 0, 0},
                                    {0, 0, 1}, {0.5, 0.5, 0.5}, {0, 1e-30, 0}, {1e8, 0, 0}};
  for (const Shape& a : shapes)
    for (const Shape& shape : {a, complement(a), unite(a, complement(a), 0.5)})
      for (const Vec3& p : points) {
        const SignedDistance d = signed_distance(shape, p);
        REQUIRE(std::isfinite(d.distance));
        REQUIRE(length(d.normal) == Approx(1).epsilon(1e-5));
      }
}

TEST_CASE("operations_keep_the_sign_of_set_algebra") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::Draw draw(seed);
    const Shape a = test::random_primitive(draw), b = test::random_primitive(draw);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = draw.vector(-1, 1);
      const bool in_a = inside(a, p), in_b = inside(b, p);
      REQUIRE(inside(unite(a, b), p) == (in_a || in_b));
      REQUIRE(inside(intersect(a, b), p) == (in_a && in_b));
      REQUIRE(inside(subtract(a, b), p) == (in_a && !in_b));
      REQUIRE(inside(complement(a), p) == !in_a);
      // A blend only adds to a union and only takes from the others.
      REQUIRE(distance(unite(a, b, 0.2), p) <= distance(unite(a, b), p) + exact);
      REQUIRE(distance(intersect(a, b, 0.2), p) >= distance(intersect(a, b), p) - exact);
      REQUIRE(distance(subtract(a, b, 0.2), p) >= distance(subtract(a, b), p) - exact);
    }
  }
}

TEST_CASE("a_blend_fills_the_crease_by_a_quarter_of_its_radius") {
  const Shape a = shape_plane({0, 0, 0}, {0, 1, 0}), b = shape_plane({0, 0, 0}, {1, 0, 0});
  CHECK(distance(unite(a, b, 0.4), {0, 0, 0}) == Approx(-0.1).epsilon(exact));
  CHECK(distance(unite(a, b, 0.4), {0.5, 0, 0}) == Approx(0).epsilon(exact));
}

TEST_CASE("skipping_far_operands_changes_no_bit") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_shape(draw);
    Shape unguarded = shape;
    for (Shape::Node& node : unguarded.nodes) node.skip = 0;
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = draw.vector(-2, 2);
      const SignedDistance a = signed_distance(shape, p), b = signed_distance(unguarded, p);
      REQUIRE(a.distance == b.distance);
      REQUIRE(a.normal == b.normal);
    }
  }
}

TEST_CASE("a_transform_moves_distances_and_normals_with_the_shape") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_shape(draw);
    const Transform t{rotation_degrees(draw.vector(-180, 180)), draw.vector(-1, 1)};
    const Real scale = draw.real(0.3, 3);
    const Shape other = transformed(shape, t, scale);
    for (int k = 0; k < 10; ++k) {
      const Vec3 p = draw.vector(-1, 1);
      const SignedDistance here = signed_distance(shape, p);
      const SignedDistance there = signed_distance(other, apply(t, p * scale));
      REQUIRE(std::abs(there.distance - here.distance * scale) < 20 * exact);
    }
  }
}

TEST_CASE("bounds_hold_the_solid_and_fit_single_primitives") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::random_shape(draw);
    const Bounds b = bounds_of(shape);
    for (int k = 0; k < 300; ++k) {
      const Vec3 p = draw.vector(-2, 2);
      if (inside(shape, p)) REQUIRE(b.contains(p));
    }
  }
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    test::Draw draw(seed);
    const Shape shape = test::placed(draw, test::primitive(draw, draw.integer(7)));
    const Bounds b = bounds_of(shape);
    Bounds seen;
    for (int k = 0; k < 2000; ++k) {
      const Vec3 p = b.min + scaled(draw.vector(0, 1), b.size());
      const SignedDistance d = signed_distance(shape, p);
      seen.include(p - d.normal * d.distance);  // on the surface
    }
    // Corners and rims are met only by chance.
    for (int k = 0; k < 3; ++k) REQUIRE(seen.size()[k] > 0.88 * b.size()[k]);
  }
}

TEST_CASE("unbounded_shapes_say_so_until_cut_to_size") {
  const Shape ground = shape_plane({0, 1, 0}, {0, 1, 0});
  CHECK_FALSE(is_bounded(bounds_of(ground)));
  CHECK(bounds_of(ground).max[1] == Real(1));
  CHECK_FALSE(is_bounded(bounds_of(complement(shape_sphere(1)))));
  const Bounds cut = bounds_of(intersect(ground, shape_box({4, 4, 4})));
  CHECK(is_bounded(cut));
  CHECK(cut.max[1] == Real(1));
  CHECK(bounds_of(intersect(shape_sphere(1), moved(shape_sphere(1), {3, 0, 0}))).empty());
}

TEST_CASE("deep_chains_evaluate_and_too_deep_nests_are_refused") {
  Shape chain = shape_sphere(0.1);
  for (int k = 1; k < 200; ++k)
    chain = unite(moved(shape_sphere(0.1), {Real(0.2) * k, 0, 0}), chain);
  CHECK(inside(chain, {Real(0.2) * 150, 0, 0}));
  Shape nest = shape_sphere(1);
  for (int k = 0; k < 31; ++k) nest = subtract(shape_sphere(2), nest);
  CHECK(std::isfinite(distance(nest, {0, 0, 0})));
  CHECK_THROWS_WITH_AS(subtract(shape_sphere(2), nest), doctest::Contains("at most 32"),
                       InputError);
}

TEST_CASE("sizes_that_make_no_solid_are_refused_with_their_value") {
  CHECK_THROWS_WITH_AS(shape_sphere(-1), doctest::Contains("sphere.radius = -1"), InputError);
  CHECK_THROWS_AS(shape_sphere(NAN), InputError);
  CHECK_THROWS_AS(shape_box({1, 0, 1}), InputError);
  CHECK_THROWS_WITH_AS(shape_box({1, 1, 1}, 0.6), doctest::Contains("at most half"), InputError);
  CHECK_THROWS_AS(shape_cone(0, 0, 1), InputError);
  CHECK_THROWS_AS(shape_plane({0, 0, 0}, {0, 0, 0}), InputError);
  CHECK_THROWS_AS(unite(shape_sphere(1), shape_sphere(1), -1), InputError);
  CHECK_THROWS_AS(unite(shape_sphere(1), Shape{}), InputError);
  CHECK_THROWS_AS(transformed(shape_sphere(1), {}, 0), InputError);
}
