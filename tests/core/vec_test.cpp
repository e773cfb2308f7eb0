#include "phyxel/core/vec.h"

#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

TEST_CASE_TEMPLATE("products_of_vectors_keep_their_identities", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const auto a = cast<T>(source.vector()), b = cast<T>(source.vector());
    const auto c = cast<T>(source.vector());
    // Sums of a few products of numbers below one.
    const Wide bound = 16 * eps<T>();
    CHECK(length(cross(a, b) + cross(b, a)) <= bound);
    CHECK(std::abs(dot(cross(a, b), a)) <= bound);
    CHECK(std::abs(dot(a, cross(b, c)) - dot(c, cross(a, b))) <= bound);
    CHECK(length(cross(a, cross(b, c)) - (b * dot(a, c) - c * dot(a, b))) <= bound);
    CHECK(std::abs(length_squared(cross(a, b)) -
                   (length_squared(a) * length_squared(b) - dot(a, b) * dot(a, b))) <= 4 * bound);
  }
}

TEST_CASE("arithmetic_works_component_by_component") {
  const Vec3 a{1, 2, 3}, b{4, 5, 6};
  CHECK(a + b == Vec3{5, 7, 9});
  CHECK(b - a == Vec3{3, 3, 3});
  CHECK(-a == Vec3{-1, -2, -3});
  CHECK(a * 2 == Vec3{2, 4, 6});
  CHECK(2 * a == a * 2);
  CHECK(b / 2 == Vec3{2, Real(2.5), 3});
  CHECK(scaled(a, b) == Vec3{4, 10, 18});
  CHECK(dot(a, b) == Real(32));
  CHECK(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1});
  CHECK(min(Vec3{1, 5, 2}, Vec3{3, 4, 2}) == Vec3{1, 4, 2});
  CHECK(max(Vec3{1, 5, 2}, Vec3{3, 4, 2}) == Vec3{3, 5, 2});
  CHECK(cast<Index>(Vec3d{1.9, -1.9, 2}) == Int3{1, -1, 2});
  CHECK_FALSE(a == b);
}

TEST_CASE("a_normalized_vector_has_length_one_and_zero_stays_zero") {
  CHECK(std::abs(length(normalized(Vec3{3, -4, 12})) - 1) <= 2 * eps<Real>());
  CHECK(normalized(Vec3::zero()) == Vec3::zero());
}

TEST_CASE("a_non_finite_component_is_found") {
  const Real infinity = std::numeric_limits<Real>::infinity();
  CHECK(is_finite(Vec3{1, 2, 3}));
  for (int k = 0; k < 3; ++k)
    for (const Real bad : {infinity, -infinity, infinity - infinity}) {
      Vec3 v{1, 2, 3};
      v[k] = bad;
      CHECK_FALSE(is_finite(v));
    }
}

TEST_CASE("bounds_start_empty_and_grow_to_what_they_include") {
  Bounds bounds;
  CHECK(bounds.empty());
  bounds.include(Vec3{1, 2, 3});
  CHECK_FALSE(bounds.empty());
  CHECK(bounds.size() == Vec3::zero());
  bounds.include(Vec3{-1, 4, 3});
  CHECK(bounds.centre() == Vec3{0, 3, 3});
  CHECK(bounds.size() == Vec3{2, 2, 0});
  CHECK(bounds.contains(Vec3{0, 3, 3}));
  CHECK_FALSE(bounds.contains(Vec3{0, 5, 3}));
  Bounds other;
  other.include(bounds);
  CHECK(other.min == bounds.min);
  CHECK(other.max == bounds.max);
}
