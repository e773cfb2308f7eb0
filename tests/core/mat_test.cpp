#include "phyxel/core/mat.h"

#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

// Sums of a few dozen products of numbers below one.
template <class T>
Wide bound() {
  return 64 * eps<T>();
}

TEST_CASE_TEMPLATE("products_of_matrices_keep_their_identities", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const auto a = converted<T>(source.matrix()), b = converted<T>(source.matrix());
    const auto x = cast<T>(source.vector());
    CHECK(largest_entry(transpose(a * b) - transpose(b) * transpose(a)) <= bound<T>());
    CHECK(length((a * b) * x - a * (b * x)) <= bound<T>());
    CHECK(std::abs(determinant(a * b) - determinant(a) * determinant(b)) <= bound<T>());
    CHECK(std::abs(trace(a * b) - trace(b * a)) <= bound<T>());
    CHECK(std::abs(norm_squared(a) - trace(transpose(a) * a)) <= bound<T>());
    CHECK(largest_entry(a * transpose(cofactor(a)) - Mat<T, 3>::identity() * determinant(a)) <=
          bound<T>());
  }
}

TEST_CASE_TEMPLATE("a_matrix_times_its_inverse_is_the_identity", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const auto a = converted<T>(source.with_singular_values({2, 1, 0.5}));
    CHECK(largest_entry(a * inverse(a) - Mat<T, 3>::identity()) <= bound<T>());
  }
}

TEST_CASE("the_cofactor_of_a_rank_one_matrix_is_zero") {
  const Mat3 a = outer(Vec3{1, 2, 4}, Vec3{8, 2, 1});
  CHECK(largest_entry(cofactor(a)) == 0);
  CHECK(determinant(a) == Real(0));
}

TEST_CASE("matrices_need_not_be_square") {
  const Mat<Real, 2, 3> a = {{{1, 2, 3}, {4, 5, 6}}};
  CHECK(a * Vec3{1, 0, -1} == Vec2{-2, -2});
  CHECK(transpose(a)[2] == Vec2{3, 6});
  const Mat<Real, 2> square = a * transpose(a);
  CHECK(square[0] == Vec2{14, 32});
  CHECK(square[1] == Vec2{32, 77});
  CHECK(outer(Vec2{1, 2}, Vec3{1, 2, 3})[1] == Vec3{2, 4, 6});
}

TEST_CASE_TEMPLATE("a_rotation_turns_about_its_axis_by_its_angle", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 100; ++k) {
    const Vec<T, 3> axis = normalized(cast<T>(source.vector()));
    const T angle = T(3 * source.number());
    const Mat<T, 3> q = rotation(axis, angle);
    CHECK(rotation_error(converted<Wide>(q)) <= bound<T>());
    CHECK(length(q * axis - axis) <= bound<T>());
    CHECK(std::abs(trace(q) - (1 + 2 * std::cos(Wide(angle)))) <= bound<T>());
  }
  CHECK(length(rotation(Vec<T, 3>{0, 0, 1}, T(M_PI / 2)) * Vec<T, 3>{1, 0, 0} -
               Vec<T, 3>{0, 1, 0}) <= bound<T>());
}

TEST_CASE("rotations_in_degrees_turn_about_x_then_y_then_z") {
  const auto close = [](const Vec3& a, const Vec3& b) { return length(a - b) <= bound<Real>(); };
  CHECK(close(rotation_degrees({90, 0, 0}) * Vec3{0, 1, 0}, {0, 0, 1}));
  CHECK(close(rotation_degrees({0, 90, 0}) * Vec3{0, 0, 1}, {1, 0, 0}));
  CHECK(close(rotation_degrees({0, 0, 90}) * Vec3{1, 0, 0}, {0, 1, 0}));
  CHECK(close(rotation_degrees({90, 90, 0}) * Vec3{0, 1, 0}, {1, 0, 0}));
  CHECK(close(rotation_degrees({0, 90, 90}) * Vec3{0, 0, 1}, {0, 1, 0}));
}

TEST_CASE("determinant_and_inverse_of_a_matrix_in_the_plane") {
  const Mat<double, 2> a{{{3, 1}, {4, 2}}};
  CHECK(determinant(a) == 2);
  CHECK(inverse(a)[0] == Vec<double, 2>{1, -0.5});
  CHECK(inverse(a)[1] == Vec<double, 2>{-2, 1.5});
}
