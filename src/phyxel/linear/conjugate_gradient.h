#pragma once

#include <cmath>
#include <utility>

namespace phyxel::linear {

struct SolveLimits {
  double change = 0;  // of the solution by the last iterations, at most, as System::size measures
  int most_iterations = 200;
};
struct SolveReport {
  int iterations = 0;
  double change = 0;       // of the solution by the last `solve_window` iterations
  bool converged = false;  // it was small enough
};

/// Vectors that a solve works with; kept between steps they need no new memory.
template <class Vector>
struct SolveVectors {
  Vector r, p, ep;  // residual, direction, E times the direction
  Vector z = {};    // preconditioned residual; not used without a preconditioner
};

/// Iterations that must change little before a solve ends: a single one may by chance.
constexpr int solve_window = 8;

namespace detail {

template <class System, class Vector>
constexpr bool has_preconditioner = requires(System& system, Vector& v) {
  system.precondition(v, v);
};

/// M^-1 r, in `with.z`; the residual itself where the system has no preconditioner.
template <class System, class Vector>
Vector& preconditioned(System& system, SolveVectors<Vector>& with) {
  if constexpr (has_preconditioner<System, Vector>) {
    system.precondition(with.r, with.z);
    return with.z;
  } else {
    return with.r;
  }
}

}  // namespace detail

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
///
/// and, for preconditioned conjugate gradients (Saad 2003, algorithm 9.1),
///
///     precondition(r, z)       z = M^-1 r, with M positive definite and self-adjoint as E is
template <class System, class Vector>
SolveReport conjugate_gradient(System&& system, Vector& x, SolveVectors<Vector>& with,
                               const SolveLimits& limits) {
  SolveReport report;
  double changes[solve_window] = {};
  system.copy(detail::preconditioned(system, with), with.p);
  double rest = system.inner(with.r, with.p);
  while (rest > 0 && report.iterations < limits.most_iterations) {
    system.apply(with.p, with.ep);
    const double curvature = system.inner(with.p, with.ep);
    if (!(curvature > 0)) return report;  // NaN, or rounding only
    const double alpha = rest / curvature;
    system.add(alpha, with.p, x);
    system.add(-alpha, with.ep, with.r);
    changes[report.iterations++ % solve_window] = alpha * system.size(with.p);
    report.change = 0;
    for (const double change : changes) report.change += change;
    report.converged = report.iterations >= solve_window && report.change <= limits.change;
    if (report.converged) return report;
    const Vector& z = detail::preconditioned(system, with);
    const double before = std::exchange(rest, system.inner(with.r, z));
    system.renew(rest / before, z, with.p);
  }
  report.converged = rest == 0;
  return report;
}

}  // namespace phyxel::linear
