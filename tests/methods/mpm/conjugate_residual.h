#pragma once

#include <cmath>
#include <utility>

namespace phyxel::mpm {

struct SolveLimits {
  double tolerance = 1e-4;  // of the first residual: the solution has no part in it
  double floor = 0;         // a residual this small will do, in the units of the inner product
  int most_iterations = 200;
};
struct SolveReport {
  int iterations = 0;
  double first = 0, last = 0;  // residuals: sqrt(<r, r>)
  bool converged = false;
};

/// Vectors that a solve works with; kept between steps they need no new memory.
template <class Vector>
struct ResidualVectors {
  Vector r, p, er, ep;
};

/// Solves E x = b by conjugate residuals (Stiefel 1955; Saad 2003, algorithm 6.20) for an E that is
/// self-adjoint in the inner product of the system, from x as first guess: with <a, b> = a M b this
/// is the method for M E with the preconditioner M. |r| falls with each iteration where E is
/// positive definite; an indefinite one converges too, unless <r, E r> happens to vanish, which
/// ends the solve. One product per iteration. The system supplies
///
///     apply(x, y)              y = E x
///     inner(a, b) -> double    <a, b>, in an order of its own
///     copy(x, y)               y = x
///     add(scale, x, y)         y += scale x
///     renew(scale, x, y)       y = x + scale y
template <class System, class Vector>
SolveReport conjugate_residual(System&& system, const Vector& b, Vector& x,
                               ResidualVectors<Vector>& with, const SolveLimits& limits) {
  auto& [r, p, er, ep] = with;
  system.apply(x, r);
  system.renew(-1.0, b, r);
  SolveReport report;
  report.first = report.last = std::sqrt(system.inner(r, r));
  const double enough = std::fmax(limits.tolerance * report.first, limits.floor);
  const auto done = [&] { return report.last <= enough; };
  if (done() || limits.most_iterations <= 0) return report.converged = done(), report;
  system.apply(r, er);
  system.copy(r, p);
  system.copy(er, ep);
  double curvature = system.inner(r, er);
  while (true) {
    const double length = system.inner(ep, ep);
    if (!(length > 0) || curvature == 0) break;
    const double alpha = curvature / length;
    system.add(alpha, p, x);
    system.add(-alpha, ep, r);
    ++report.iterations;
    report.last = std::sqrt(system.inner(r, r));
    if (done() || report.iterations >= limits.most_iterations) break;
    system.apply(r, er);
    const double before = std::exchange(curvature, system.inner(r, er));
    const double beta = curvature / before;
    system.renew(beta, r, p);
    system.renew(beta, er, ep);
  }
  report.converged = done();
  return report;
}

}  // namespace phyxel::mpm
