#include "phyxel/linear/conjugate_gradient.h"

#include <doctest/doctest.h>
#include <vector>

using namespace phyxel::linear;

namespace {

using Numbers = std::vector<double>;

/// The Laplacian of a line with fixed ends, with uneven units of its points: D A D.
struct Line {
  double growth = 0;  // of D: 1 + growth i
  double middle = 2;  // on the diagonal of A, beside -1

  double scale(std::size_t i) const { return 1 + growth * double(i); }
  void apply(const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      double sum = middle * scale(i) * x[i];
      if (i > 0) sum -= scale(i - 1) * x[i - 1];
      if (i + 1 < x.size()) sum -= scale(i + 1) * x[i + 1];
      y[i] = scale(i) * sum;
    }
  }
  double inner(const Numbers& a, const Numbers& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double size(const Numbers& a) const { return std::sqrt(inner(a, a)); }
  void copy(const Numbers& x, Numbers& y) const { y = x; }
  void add(double scale, const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += scale * x[i];
  }
  void renew(double scale, const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] + scale * y[i];
  }
};

/// The same with its own diagonal as the preconditioner (Jacobi).
struct LineByItsDiagonal : Line {
  void precondition(const Numbers& r, Numbers& z) const {
    z.resize(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / (middle * scale(i) * scale(i));
  }
};

/// diag(1 .. n), self-adjoint in an inner product of uneven masses.
struct Diagonal : Line {
  void apply(const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = double(i + 1) * x[i];
  }
  double inner(const Numbers& a, const Numbers& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] * double(1 + i % 3);
    return sum;
  }
  double size(const Numbers& a) const { return std::sqrt(inner(a, a)); }
};

struct Solved {
  Numbers x;
  SolveReport report;
  double residual;  // largest |b - E x|
};
/// From zero, with b = 1.
template <class System>
Solved solve(const System& system, std::size_t n, const SolveLimits& limits) {
  Solved s{Numbers(n, 0.0), {}, 0};
  const Numbers ones(n, 1.0);
  SolveVectors<Numbers> with{ones, ones, ones};
  s.report = conjugate_gradient(system, s.x, with, limits);
  Numbers product(n);
  system.apply(s.x, product);
  for (const double y : product) s.residual = std::max(s.residual, std::abs(1 - y));
  return s;
}

}  // namespace

TEST_CASE("conjugate_gradients_end_where_the_solution_stays") {
  const Solved done = solve(Diagonal{}, 20, {1e-12, 1000});
  CHECK(done.report.converged);
  CHECK(done.report.iterations <= 20 + solve_window);  // 20 different eigenvalues
  for (std::size_t i = 0; i < 20; ++i) CHECK(done.x[i] == doctest::Approx(1 / double(i + 1)));
  const Solved early = solve(Diagonal{}, 20, {1e-12, 5});
  CHECK_FALSE(early.report.converged);
  CHECK(early.report.iterations == 5);
}

TEST_CASE("a_solved_system_gives_its_right_hand_side") {
  const Solved done = solve(Line{}, 30, {1e-12, 1000});
  CHECK(done.report.converged);
  CHECK(done.residual < 1e-9);
  // -u'' = 1 with u = 0 one beyond both ends
  for (std::size_t i = 0; i < 30; ++i)
    CHECK(done.x[i] == doctest::Approx(0.5 * double(i + 1) * double(30 - i)));
}

TEST_CASE("a_preconditioner_finds_the_same_solution_in_fewer_iterations") {
  const Solved plain = solve(Line{0.5, 6}, 100, {1e-13, 5000}),
               with = solve(LineByItsDiagonal{{0.5, 6}}, 100, {1e-13, 5000});
  CHECK(plain.report.converged);
  CHECK(with.report.converged);
  CHECK(with.residual < 1e-9);
  for (std::size_t i = 0; i < 100; ++i) CHECK(with.x[i] == doctest::Approx(plain.x[i]));
  // Scaled by its diagonal the matrix has eigenvalues from 2/3 to 4/3, whatever the units are: the
  // error falls by a factor of 5.8 in an iteration.
  CHECK(with.report.iterations < 30);
  CHECK(with.report.iterations * 2 < plain.report.iterations);
}

TEST_CASE("a_system_that_is_not_positive_is_left_as_it_is") {
  struct Negative : Line {
    void apply(const Numbers& x, Numbers& y) const {
      for (std::size_t i = 0; i < x.size(); ++i) y[i] = -x[i];
    }
  };
  const Solved none = solve(Negative{}, 3, {1e-12, 10});
  CHECK_FALSE(none.report.converged);
  CHECK(none.x == Numbers(3, 0.0));
}
