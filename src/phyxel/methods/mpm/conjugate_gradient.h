#pragma once

#include <cmath>
#include <utility>

namespace phyxel::mpm {

struct DescentLimits {
  double change = 0;  // of the solution by the last iterations, at most, as System::size measures
  int most_iterations = 200;
};
struct DescentReport {
  int iterations = 0;
  double change = 0;       // of the solution by the last `descent_window` iterations
  bool converged = false;  // it was small enough
};

/// Vectors that a solve works with; kept between steps they need no new memory.
template <class Vector>
struct DescentVectors {
  Vector r, p, ep;
};

/// Iterations that must change little before a solve ends: a single one may by chance.
constexpr int descent_window = 8;

/// Solves E x = b by conjugate gradients (Hestenes and Stiefel 1952) for a positive definite E that
/// is self-adjoint in the inner product of the system, from a first guess x, where r = b - E x is
/// known. Ends where iterations change x little, not where the residual is small: rough parts of
/// the residual and those at nodes with hardly any mass take many iterations and do not change the
/// solution. The system supplies
///
///     apply(x, y)              y = E x
///     inner(a, b) -> double    <a, b>, in an order of its own
///     size(x) -> double        by which changes of the solution are judged
///     copy(x, y)               y = x
///     add(scale, x, y)         y += scale x
///     renew(scale, x, y)       y = x + scale y
template <class System, class Vector>
DescentReport conjugate_gradient(System&& system, Vector& x, DescentVectors<Vector>& with,
                                 const DescentLimits& limits) {
  auto& [r, p, ep] = with;
  DescentReport report;
  double changes[descent_window] = {};
  double rest = system.inner(r, r);
  system.copy(r, p);
  while (rest > 0 && report.iterations < limits.most_iterations) {
    system.apply(p, ep);
    const double curvature = system.inner(p, ep);
    if (!(curvature > 0)) return report;  // NaN, or rounding only
    const double alpha = rest / curvature;
    system.add(alpha, p, x);
    system.add(-alpha, ep, r);
    changes[report.iterations++ % descent_window] = alpha * system.size(p);
    report.change = 0;
    for (const double change : changes) report.change += change;
    report.converged = report.iterations >= descent_window && report.change <= limits.change;
    if (report.converged) return report;
    const double before = std::exchange(rest, system.inner(r, r));
    system.renew(rest / before, r, p);
  }
  report.converged = rest == 0;
  return report;
}

}  // namespace phyxel::mpm
