#include "methods/mpm/conjugate_residual.h"

#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/random.h"

using namespace phyxel;
using namespace phyxel::mpm;

namespace {

using Numbers = std::vector<double>;

/// E = M^-1 A for a full symmetric A and positive masses M.
struct FullSystem {
  std::size_t n;
  Numbers a, mass;

  void apply(const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
      y[i] = sum / mass[i];
    }
  }
  double inner(const Numbers& x, const Numbers& y) const {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += mass[i] * x[i] * y[i];
    return sum;
  }
  void copy(const Numbers& x, Numbers& y) const { y = x; }
  void add(double scale, const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < n; ++i) y[i] += scale * x[i];
  }
  void renew(double scale, const Numbers& x, Numbers& y) const {
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + scale * y[i];
  }
};

/// sum_k value_k q_k q_k^T for the orthonormal q_k of a random reflection, with uneven masses.
FullSystem system_of(const Numbers& values, bool uneven) {
  const std::size_t n = values.size();
  const Random random{21, 1};
  Numbers w(n), mass(n, 1.0), a(n * n, 0.0);
  double length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    w[i] = double(random.uniform(i)) - 0.5;
    length += w[i] * w[i];
    if (uneven) mass[i] = std::pow(10.0, 4 * double(random.uniform(1000 + i)) - 2);
  }
  const auto q = [&](std::size_t i, std::size_t k) { return (i == k) - 2 * w[i] * w[k] / length; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        a[i * n + j] += std::sqrt(mass[i] * mass[j]) * values[k] * q(i, k) * q(j, k);
  return {n, a, mass};
}

struct Solved {
  SolveReport report;
  double error;  // largest, of x_i = 1 + i
};
Solved solve(const FullSystem& system, const SolveLimits& limits) {
  Numbers exact(system.n), b(system.n), x(system.n, 0.0);
  for (std::size_t i = 0; i < system.n; ++i) exact[i] = double(i + 1) / std::sqrt(system.mass[i]);
  system.apply(exact, b);
  ResidualVectors<Numbers> with{x, x, x, x};
  Solved s{conjugate_residual(system, b, x, with, limits), 0};
  for (std::size_t i = 0; i < system.n; ++i)
    s.error = std::max(s.error, std::abs(x[i] - exact[i]) * std::sqrt(system.mass[i]));
  return s;
}

Numbers spread(std::size_t n, double low, double high) {
  Numbers values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = low + (high - low) * double(k) / double(n - 1);
  return values;
}

}  // namespace

TEST_CASE("a_positive_system_is_solved_to_the_tolerance") {
  for (const bool uneven : {false, true}) {
    const Solved s = solve(system_of(spread(40, 1, 100), uneven), {1e-10, 0, 200});
    CHECK(s.report.converged);
    CHECK(s.report.last <= 1e-10 * s.report.first);
    // The error is at most the residual, up to 1e-10 * 1.5e4, over the smallest eigenvalue.
    CHECK(s.error < 1e-5);
  }
}

TEST_CASE("masses_as_preconditioner_make_uneven_masses_harmless") {
  // Chebyshev: residuals fall by (sqrt(c) - 1)/(sqrt(c) + 1) each, 0.82 for a condition of 100,
  // whatever the masses, which span four decades.
  const Solved even = solve(system_of(spread(200, 1, 100), false), {1e-4, 0, 200});
  const Solved uneven = solve(system_of(spread(200, 1, 100), true), {1e-4, 0, 200});
  CHECK(even.report.iterations < 60);
  CHECK(std::abs(even.report.iterations - uneven.report.iterations) <= 1);
}

TEST_CASE("few_different_eigenvalues_need_as_few_iterations") {
  Numbers values(30, 1.0);
  for (std::size_t k = 0; k < 30; k += 3) values[k] = 50, values[k + 1] = 7;
  const Solved s = solve(system_of(values, false), {1e-10, 0, 200});
  CHECK(s.report.converged);
  CHECK(s.report.iterations == 3);
}

TEST_CASE("an_indefinite_system_is_solved_too") {
  Numbers values = spread(40, 1, 20);
  for (std::size_t k = 0; k < 40; k += 4) values[k] = -values[k];
  const Solved s = solve(system_of(values, true), {1e-10, 0, 200});
  CHECK(s.report.converged);
  CHECK(s.error < 1e-5);
}

TEST_CASE("a_solve_ends_at_its_limits_and_says_so") {
  const FullSystem system = system_of(spread(40, 1, 1e4), false);
  const Solved cut = solve(system, {1e-12, 0, 5});
  CHECK(cut.report.iterations == 5);
  CHECK(!cut.report.converged);
  CHECK(cut.report.last < cut.report.first);
  const Solved early = solve(system, {1e-12, cut.report.first / 2, 200});
  CHECK(early.report.converged);
  CHECK(early.report.iterations <= 5);
  CHECK(solve(system, {1e-12, 0, 0}).report.iterations == 0);
}

TEST_CASE("a_solution_that_is_given_stays") {
  const FullSystem system = system_of(spread(10, 1, 9), false);
  Numbers x(10, 0.0), b(10, 0.0);
  ResidualVectors<Numbers> with{x, x, x, x};
  const SolveReport report = conjugate_residual(system, b, x, with, {});
  CHECK(report.converged);
  CHECK(report.iterations == 0);
  CHECK(x == Numbers(10, 0.0));
}

TEST_CASE("what_is_not_a_number_ends_a_solve_at_once") {
  FullSystem system = system_of(spread(10, 1, 9), false);
  system.a[3] = std::nan("");
  const Solved s = solve(system, {});
  CHECK(!s.report.converged);
  CHECK(s.report.iterations == 0);
}
