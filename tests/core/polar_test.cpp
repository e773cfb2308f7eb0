#include "phyxel/core/polar.h"

#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

template <class T>
void check_polar(const Mat<T, 3>& a) {
  const Polar<T> p = polar(a);
  const WideMat r = converted<Wide>(p.rotation), s = converted<Wide>(p.stretch);
  // The errors of the singular values, and of two products more; 20 eps was the worst of 10^6.
  CHECK(rotation_error(r) <= 32 * eps<T>());
  CHECK(relative_error(r * s, converted<Wide>(a)) <= 32 * eps<T>());
  for (int k = 0; k < 9; ++k) CHECK(p.stretch[k / 3][k % 3] == p.stretch[k % 3][k / 3]);
}

/// Newton's iteration X <- (X + X^-T) / 2, for regular matrices with a positive determinant.
WideMat reference_rotation(WideMat x) {
  for (int k = 0; k < 60; ++k) x = (x + transpose(inverse(x))) * 0.5L;
  return x;
}

}  // namespace

TEST_CASE_TEMPLATE("rotation_times_stretch_gives_the_matrix_back", T, float, double) {
  for (const auto& list : {special_matrices(), random_matrices(50)})
    for (const Mat<T, 3>& a : rounded<T>(list)) check_polar(a);
}

TEST_CASE_TEMPLATE("the_rotation_is_that_of_newtons_iteration", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 200; ++k) {
    const double middle = source.small(2), last = middle * source.small(2);
    const Mat<T, 3> a = converted<T>(source.with_singular_values({1, middle, last}));
    const WideMat error =
        converted<Wide>(polar(a).rotation) - reference_rotation(converted<Wide>(a));
    // The rotation changes by dA / (sigma_1 + sigma_2), the sum of the two smallest.
    CHECK(largest_entry(error) <= 32 * eps<T>() / (middle + last));
  }
}

TEST_CASE_TEMPLATE("a_rotation_is_its_own_rotation", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const Mat<T, 3> q = converted<T>(source.any_rotation());
    const Polar<T> p = polar(q);
    CHECK(relative_error(converted<Wide>(p.rotation), converted<Wide>(q)) <= 32 * eps<T>());
    CHECK(relative_error(converted<Wide>(p.stretch), WideMat::identity()) <= 32 * eps<T>());
  }
}

TEST_CASE_TEMPLATE("a_turned_matrix_has_a_turned_rotation_and_the_same_stretch", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const Mat<T, 3> q = converted<T>(source.any_rotation());
    const Mat<T, 3> a = converted<T>(source.with_singular_values({1.5, 1, 0.5}));
    const Polar<T> plain = polar(a), turned = polar(q * a);
    // q is a rotation to rounding only, and each side has its own errors.
    const Wide bound = 100 * eps<T>();
    CHECK(largest_entry(turned.rotation - q * plain.rotation) <= bound);
    CHECK(largest_entry(turned.stretch - plain.stretch) <= bound);
  }
}

TEST_CASE_TEMPLATE("a_reflection_flips_the_least_stretched_direction_only", T, float, double) {
  const Polar<T> p = polar(diagonal(Vec<T, 3>{3, 2, -1}));
  for (int r = 0; r < 3; ++r) CHECK(p.rotation[r] == Mat<T, 3>::identity()[r]);
  CHECK(p.stretch[2][2] == T(-1));
}

TEST_CASE_TEMPLATE("in_the_plane_rotation_times_stretch_gives_the_matrix_back", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 200; ++k) {
    const Vec<T, 3> u = cast<T>(source.vector()), v = cast<T>(source.vector());
    const Mat<T, 2> a{{{u[0], u[1]}, {v[0], v[1]}}};
    const Polar<T, 2> p = polar(a);
    // An entry is a sum of two products, of numbers with two roundings each.
    const T bound = T(16 * eps<T>() * std::sqrt(norm_squared(a)));
    CHECK(std::sqrt(norm_squared(p.rotation * p.stretch - a)) <= bound);
    CHECK(std::abs(determinant(p.rotation) - 1) <= 8 * eps<T>());
    CHECK(p.stretch[0][1] == p.stretch[1][0]);
    // No other rotation is nearer.
    CHECK(trace(p.stretch) >= -bound);
  }
}

TEST_CASE("in_the_plane_a_reflection_flips_the_least_stretched_direction_only") {
  const Polar<double, 2> p = polar(diagonal(Vec<double, 2>{2, -1}));
  CHECK(p.rotation[0] == Vec<double, 2>{1, 0});
  CHECK(p.rotation[1] == Vec<double, 2>{0, 1});
  CHECK(p.stretch[1][1] == -1);
  CHECK(determinant(polar(Mat<double, 2>::zero()).rotation) == 1);
}
