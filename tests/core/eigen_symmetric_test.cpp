#include "phyxel/core/eigen_symmetric.h"

#include <doctest/doctest.h>

#include "core/matrices.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

template <class T>
Mat<T, 3> symmetric(Mat<T, 3> a) {
  a[1][0] = a[0][1], a[2][0] = a[0][2], a[2][1] = a[1][2];
  return a;
}

/// Worst of: V D V^T against A, V against a rotation, D against the reference.
template <class T>
Wide eigen_error(const Mat<T, 3>& a) {
  const EigenSymmetric<T> e = eigen_symmetric(a);
  const WideMat v = converted<Wide>(e.vectors), wide = converted<Wide>(a);
  const std::vector<Wide> expected = reference_eigenvalues(wide);
  Wide error = std::max(relative_error(v * diagonal(cast<Wide>(e.values)) * transpose(v), wide),
                        rotation_error(v));
  for (int k = 0; k < 3; ++k)
    error = std::max(error, std::abs(e.values[k] - expected[k]) /
                                std::max(largest_entry(a), std::numeric_limits<Wide>::min()));
  return error;
}

template <class T>
Wide worst_error(const std::vector<Mat3d>& list) {
  Wide worst = 0;
  for (const Mat<T, 3>& a : rounded<T>(list)) worst = std::max(worst, eigen_error(symmetric(a)));
  return worst;
}

}  // namespace

// 15 rotations of a few roundings each; 9 eps was the worst of 10^6 matrices.
TEST_CASE_TEMPLATE("eigenvalues_and_vectors_are_right_to_rounding", T, float, double) {
  CHECK(worst_error<T>(special_matrices()) <= 16 * eps<T>());
  CHECK(worst_error<T>(random_matrices(200)) <= 16 * eps<T>());
}

TEST_CASE_TEMPLATE("eigenvalues_descend", T, float, double) {
  for (const Mat<T, 3>& a : rounded<T>(random_matrices(50))) {
    const Vec<T, 3> values = eigen_symmetric(symmetric(a)).values;
    CHECK(values[0] >= values[1]);
    CHECK(values[1] >= values[2]);
  }
}

TEST_CASE_TEMPLATE("a_sorted_diagonal_matrix_is_left_alone", T, float, double) {
  const Vec<T, 3> d{T(3.3), T(0.7), T(-1.1)};
  const EigenSymmetric<T> e = eigen_symmetric(diagonal(d));
  // Scaling by the largest entry and back may cost one rounding.
  for (int k = 0; k < 3; ++k) CHECK(std::abs(e.values[k] - d[k]) <= eps<T>() * std::abs(d[k]));
  for (int r = 0; r < 3; ++r) CHECK(e.vectors[r] == Mat<T, 3>::identity()[r]);
}

TEST_CASE_TEMPLATE("a_zero_off_diagonal_gives_the_identity_rotation", T, float, double) {
  for (const T d : {T(0), T(1), T(-1), T(1e-20)}) {
    const auto [rotation, shift] = jacobi_rotation(T(0.3), T(0.3) + d, T(0));
    CHECK(rotation.c == T(1));
    CHECK(rotation.s == T(0));
    CHECK(shift == T(0));
  }
}

TEST_CASE_TEMPLATE("the_lower_triangle_is_not_read", T, float, double) {
  Mat<T, 3> a = symmetric(converted<T>(MatrixSource{}.matrix()));
  const EigenSymmetric<T> expected = eigen_symmetric(a);
  a[1][0] = a[2][0] = a[2][1] = std::numeric_limits<T>::quiet_NaN();
  CHECK(eigen_symmetric(a).values == expected.values);
}
