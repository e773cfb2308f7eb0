#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "phyxel/core/mat.h"
#include "phyxel/core/random.h"

// Matrices to try the decompositions on, and slow references for them in long double.

namespace phyxel::test {

using Wide = long double;
using WideMat = Mat<Wide, 3>;

template <class To, class T>
Mat<To, 3> converted(const Mat<T, 3>& a) {
  return {{cast<To>(a[0]), cast<To>(a[1]), cast<To>(a[2])}};
}
template <class T>
Wide largest_entry(const Mat<T, 3>& a) {
  Wide m = 0;
  for (int k = 0; k < 9; ++k) m = std::max(m, std::abs(Wide(a[k / 3][k % 3])));
  return m;
}
template <class T>
Wide eps() {
  return std::numeric_limits<T>::epsilon();
}
/// Largest |a - b| relative to the largest entry of b; b = 0 asks for a = 0.
inline Wide relative_error(const WideMat& a, const WideMat& b) {
  const Wide size = largest_entry(b), error = largest_entry(a - b);
  return size > 0 ? error / size : error;
}
/// How far q is from being a proper rotation.
inline Wide rotation_error(const WideMat& q) {
  return std::max(largest_entry(q * transpose(q) - WideMat::identity()),
                  std::abs(determinant(q) - 1));
}

/// Eigenvalues of a symmetric N x N matrix, descending: classical Jacobi, always on the largest
/// entry off the diagonal, in long double until nothing is left.
template <int N>
std::vector<Wide> reference_eigenvalues(Mat<Wide, N> a) {
  const auto largest = [&](int& p, int& q) {
    p = 0, q = 1;
    for (int r = 0; r < N; ++r)
      for (int c = r + 1; c < N; ++c)
        if (std::abs(a[r][c]) > std::abs(a[p][q])) p = r, q = c;
    return std::abs(a[p][q]);
  };
  const Wide limit = 1e-20L * std::sqrt(norm_squared(a));
  for (int p, q; largest(p, q) > limit;) {
    const Wide angle = 0.5L * std::atan2(2 * a[p][q], a[q][q] - a[p][p]);
    const Wide c = std::cos(angle), s = std::sin(angle);
    Mat<Wide, N> j = Mat<Wide, N>::identity();
    j[p][p] = j[q][q] = c, j[p][q] = s, j[q][p] = -s;
    a = transpose(j) * a * j;
  }
  std::vector<Wide> values;
  for (int k = 0; k < N; ++k) values.push_back(a[k][k]);
  std::sort(values.rbegin(), values.rend());
  return values;
}

/// Singular values, descending: the positive eigenvalues of [0 A; A^T 0], which does not square the
/// condition number as A^T A would.
inline std::vector<Wide> reference_singular_values(const WideMat& a) {
  Mat<Wide, 6> block = Mat<Wide, 6>::zero();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) block[r][3 + c] = block[3 + c][r] = a[r][c];
  std::vector<Wide> values = reference_eigenvalues(block);
  values.resize(3);
  return values;
}

struct MatrixSource {
  Random random{7, 1};
  std::uint64_t counter = 0;

  /// -1 .. 1
  double number() {
    const Random::Four w = random.words(counter++);
    return 2 * ((w.word[0] + w.word[1] / 4294967296.0) / 4294967296.0) - 1;
  }
  /// 10^-decades .. 1
  double small(double decades) { return std::pow(10, -decades * std::abs(number())); }
  Vec3d vector() { return {number(), number(), number()}; }
  Mat3d matrix() { return {{vector(), vector(), vector()}}; }
  Mat3d any_rotation() { return rotation(normalized(vector()), 3.14159 * number()); }
  Mat3d with_singular_values(const Vec3d& s) {
    return any_rotation() * diagonal(s) * any_rotation();
  }
};

/// Matrices that break decompositions: singular, reflected, equal, graded, badly scaled.
inline std::vector<Mat3d> special_matrices() {
  const Mat3d unit = Mat3d::identity();
  std::vector<Mat3d> list{
      Mat3d::zero(),
      unit,
      unit * -1.0,
      diagonal(Vec3d{3, 2, 1}),
      diagonal(Vec3d{1, 2, 3}),
      diagonal(Vec3d{1, 1, -1}),
      diagonal(Vec3d{-2, 1, 1}),
      diagonal(Vec3d{0, 0, 5}),
      diagonal(Vec3d{0, -5, 0}),
      diagonal(Vec3d{1, 1e-20, 1e-30}),
      diagonal(Vec3d{1e-15, 1, 1e15}),
      {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}},
      {{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}},
      {{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}},
      {{{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}},
      {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
      {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}},
      {{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}},
      {{{1, 1.0 / 2, 1.0 / 3}, {1.0 / 2, 1.0 / 3, 1.0 / 4}, {1.0 / 3, 1.0 / 4, 1.0 / 5}}},
      {{{1, 1, 1}, {0, 1e-7, 0}, {0, 0, 1e-7}}},
      {{{1, 1, 1}, {1e-5, 0, 0}, {0, 1e-5, 0}}},
      {{{1, 1e4, 1e8}, {1e-4, 1, 1e4}, {1e-8, 1e-4, 1}}},
      {{{1, 1e-9, 1e-9}, {1e-9, 1, 1e-9}, {1e-9, 1e-9, 1}}},
      {{{0, 1e-18, 0}, {-1e-18, 0, 1}, {0, -1, 0}}},
  };
  MatrixSource source;
  for (const double scale : {1e-30, 1e-12, 1e-6, 1e6, 1e12, 1e30}) {
    list.push_back(source.matrix() * scale);
    list.push_back(outer(source.vector(), source.vector()) * scale);
    list.push_back(source.with_singular_values({1, 1, -1e-6}) * scale);
  }
  return list;
}

/// `count` random ones of each kind.
inline std::vector<Mat3d> random_matrices(int count) {
  MatrixSource s;
  std::vector<Mat3d> list;
  for (int k = 0; k < count; ++k) {
    list.push_back(s.matrix());
    list.push_back(Mat3d::identity() + s.matrix() * s.small(8));
    list.push_back(outer(s.vector(), s.vector()));
    list.push_back(s.with_singular_values({1, s.small(6), 0}));
    list.push_back(s.with_singular_values({1, s.small(12), -s.small(12)}));
    list.push_back(s.with_singular_values({1, 1 - s.small(10), 1 - s.small(10)}));
    const double e = s.small(8);
    list.push_back(s.with_singular_values({1, e, e * (1 - s.small(9))}));
    list.push_back(s.matrix() * diagonal(Vec3d{s.small(12), s.small(12), s.small(12)}));
    list.push_back(diagonal(Vec3d{s.small(12), s.small(12), s.small(12)}) * s.matrix());
    list.push_back(diagonal(s.vector()) + s.matrix() * s.small(12));
  }
  return list;
}

/// The same, rounded to T: what a decomposition in T is asked about.
template <class T>
std::vector<Mat<T, 3>> rounded(const std::vector<Mat3d>& list) {
  std::vector<Mat<T, 3>> result;
  for (const Mat3d& a : list) result.push_back(converted<T>(a));
  return result;
}

}  // namespace phyxel::test
