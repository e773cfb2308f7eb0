#include "phyxel/core/svd.h"

#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

template <class T>
WideMat product(const Svd<T>& f) {
  return converted<Wide>(f.u) * diagonal(cast<Wide>(f.sigma)) * transpose(converted<Wide>(f.v));
}

/// Worst of: U S V^T against A, U and V against rotations, S against the reference.
template <class T>
Wide svd_error(const Mat<T, 3>& a) {
  const Svd<T> f = svd(a);
  const std::vector<Wide> expected = reference_singular_values(converted<Wide>(a));
  Wide error =
      std::max({relative_error(product(f), converted<Wide>(a)),
                rotation_error(converted<Wide>(f.u)), rotation_error(converted<Wide>(f.v))});
  for (int k = 0; k < 3; ++k)
    error = std::max(error, std::abs(std::abs(f.sigma[k]) - expected[k]) /
                                std::max(largest_entry(a), std::numeric_limits<Wide>::min()));
  return error;
}

template <class T>
Wide worst_error(const std::vector<Mat3d>& list) {
  Wide worst = 0;
  for (const Mat<T, 3>& a : rounded<T>(list)) worst = std::max(worst, svd_error(a));
  return worst;
}

}  // namespace

// 18 rotations of a few roundings each; 11 eps was the worst of 10^6 matrices.
TEST_CASE_TEMPLATE("singular_values_and_vectors_are_right_to_rounding", T, float, double) {
  CHECK(worst_error<T>(special_matrices()) <= 16 * eps<T>());
  CHECK(worst_error<T>(random_matrices(150)) <= 16 * eps<T>());
}

TEST_CASE_TEMPLATE("singular_values_descend_and_only_the_last_may_be_negative", T, float, double) {
  for (const auto& list : {special_matrices(), random_matrices(50)})
    for (const Mat<T, 3>& a : rounded<T>(list)) {
      const Vec<T, 3> s = svd(a).sigma;
      CHECK(s[0] >= s[1]);
      CHECK(s[1] >= std::abs(s[2]));
    }
}

TEST_CASE_TEMPLATE("the_last_singular_value_has_the_sign_of_the_determinant", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 200; ++k) {
    const double last = (k % 2 ? 1 : -1) * (0.001 + std::abs(source.number()));
    const Mat<T, 3> a = converted<T>(source.with_singular_values({3, 2, last}));
    CHECK((svd(a).sigma[2] < 0) == (last < 0));
  }
}

// Jacobi on A^T A would leave an error of sqrt(eps) here: 3e-4 in float.
TEST_CASE_TEMPLATE("two_small_singular_values_keep_their_digits", T, float, double) {
  MatrixSource source;
  const double small = std::sqrt(double(eps<T>()));
  for (int k = 0; k < 200; ++k) {
    const Mat<T, 3> a = converted<T>(source.with_singular_values({1, small, small / 2}));
    CHECK(svd_error(a) <= 16 * eps<T>());
  }
}

// One-sided Jacobi finds the singular values of a matrix with graded columns to relative accuracy.
TEST_CASE_TEMPLATE("graded_columns_give_small_singular_values_to_all_digits", T, float, double) {
  MatrixSource source;
  for (int k = 0; k < 200; ++k) {
    const Mat3d columns = source.any_rotation() + source.matrix() * 0.1;
    const Mat<T, 3> a = converted<T>(columns * diagonal(Vec3d{1, 1e-3, 1e-6}));
    const std::vector<Wide> expected = reference_singular_values(converted<Wide>(a));
    const Svd<T> f = svd(a);
    // The reference itself is good to 1e-19 of the largest value.
    for (int i = 0; i < 3; ++i)
      CHECK(std::abs(std::abs(f.sigma[i]) - expected[i]) <= 32 * eps<T>() * expected[i] + 1e-19L);
  }
}

TEST_CASE_TEMPLATE("the_zero_matrix_has_identity_factors", T, float, double) {
  const Svd<T> f = svd(Mat<T, 3>::zero());
  for (int r = 0; r < 3; ++r) {
    CHECK(f.u[r] == Mat<T, 3>::identity()[r]);
    CHECK(f.v[r] == Mat<T, 3>::identity()[r]);
  }
  CHECK(f.sigma == Vec<T, 3>::zero());
}

TEST_CASE_TEMPLATE("numbers_below_the_normal_range_still_give_rotations", T, float, double) {
  const T tiny = std::numeric_limits<T>::denorm_min();
  const Mat<T, 3> a = {{{tiny * 3, tiny, 0}, {0, tiny * 7, tiny}, {tiny, 0, 0}}};
  const Svd<T> f = svd(a);
  CHECK(rotation_error(converted<Wide>(f.u)) <= 16 * eps<T>());
  CHECK(rotation_error(converted<Wide>(f.v)) <= 16 * eps<T>());
  // The values themselves are rounded to whole multiples of the smallest number.
  CHECK(largest_entry(product(f) - converted<Wide>(a)) <= 2 * tiny);
}

TEST_CASE_TEMPLATE("a_non_finite_entry_shows_in_the_result", T, float, double) {
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()})
    for (int k = 0; k < 9; ++k) {
      Mat<T, 3> a = Mat<T, 3>::identity();
      a[k / 3][k % 3] = bad;
      const Svd<T> f = svd(a);
      CHECK_FALSE(std::isfinite(f.sigma[0] + f.sigma[1] + f.sigma[2]));
    }
}
