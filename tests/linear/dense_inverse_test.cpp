#include "phyxel/linear/dense_inverse.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace phyxel::linear;

namespace {

using Numbers = std::vector<double>;

/// B^T B of uneven columns; those of a `copy` are the sum of two others.
Numbers product_of_columns(int n, int copy) {
  Numbers b(std::size_t(n) * n), a(b.size());
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) b[r * n + c] = (r == c ? 2 : 0) + std::sin(3 * r + 7 * c) * (1 + c);
  for (int r = 0; r < n && copy >= 0; ++r) b[r * n + copy] = b[r * n] + b[r * n + 1];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int r = 0; r < n; ++r) a[i * n + k] += b[r * n + i] * b[r * n + k];
  return a;
}

Numbers times(const Numbers& a, const Numbers& b, int n) {
  Numbers c(a.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int r = 0; r < n; ++r) c[i * n + k] += a[i * n + r] * b[r * n + k];
  return c;
}

}  // namespace

TEST_CASE("the_inverse_times_the_matrix_is_one") {
  for (const int n : {1, 2, 7, 30}) {
    const Numbers a = product_of_columns(n, -1);
    Numbers inverse = a;
    invert_in_place(inverse, n);
    const Numbers one = times(inverse, a, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) CHECK(one[i * n + k] == doctest::Approx(i == k).epsilon(1e-7));
  }
}

TEST_CASE("an_unknown_that_depends_on_others_is_left_out") {
  const int n = 6, copy = 4;
  const Numbers a = product_of_columns(n, copy);
  Numbers inverse = a;
  invert_in_place(inverse, n);
  for (int k = 0; k < n; ++k) CHECK(inverse[copy * n + k] == 0);
  // A A^- A = A: right sides that the matrix reaches are solved for exactly.
  const Numbers again = times(times(a, inverse, n), a, n);
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(again[k] == doctest::Approx(a[k]).epsilon(1e-6));
}
