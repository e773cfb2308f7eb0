#pragma once

#include "phyxel/methods/mls/holds.h"
#include "phyxel/methods/mls/implicit.h"
#include "phyxel/methods/skeleton/passes.h"

// The system that an implicit step solves.

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

using Vector = Column<Vec3>;

/// M + dt^2 K, on velocities.
struct StepSystem {
  const Exec& exec;
  const StepView& view;
  const ContactRows& contact;
  Real dt, over_dt;
  bool coarse;  // the coarse space takes part
  ImplicitSpace& space;

  void apply(const Vector& p, Vector& y) {
    apply_stiffness(exec, view, p, over_dt, space.stiffness, y);
    if (contact.some) add_contact_stiffness(exec, view, contact, p, y);
    const Vec3* const in = p.data();
    Vec3* const out = y.data();
    const Real* const mass = view.mass;
    const Quad* const hold = space.hold.data();
    const Real square = dt * dt;
    const bool flat = view.flat;
    for_each(
        exec, "mls.solve.apply", view.n, PHYXEL_LAMBDA(Index i) {
          Vec3 sum = in[i] * mass[i] - out[i] * square;
          if (flat) sum[2] = 0;
          out[i] = allowed(hold[i], sum);
        });
  }
  double inner(const Vector& a, const Vector& b) {
    const Vec3 *const x = a.data(), *const y = b.data();
    return reduce_sum(
        exec, "mls.solve.inner", view.n,
        PHYXEL_LAMBDA(Index i) { return dot(cast<double>(x[i]), cast<double>(y[i])); });
  }
  /// How far a change of velocities moves a phyxel, m.
  double size(const Vector& a) {
    const Vec3* const x = a.data();
    return dt * std::sqrt(double(reduce_max(
                    exec, "mls.solve.size", view.n, Real(0),
                    PHYXEL_LAMBDA(Index i) { return length_squared(x[i]); })));
  }
  void copy(const Vector& x, Vector& y) { y = x; }
  void add(double scale, const Vector& x, Vector& y) {
    const Vec3* const in = x.data();
    Vec3* const out = y.data();
    const Real share = static_cast<Real>(scale);
    for_each(
        exec, "mls.solve.add", view.n, PHYXEL_LAMBDA(Index i) { out[i] += in[i] * share; });
  }
  void renew(double scale, const Vector& x, Vector& y) {
    const Vec3* const in = x.data();
    Vec3* const out = y.data();
    const Real share = static_cast<Real>(scale);
    for_each(
        exec, "mls.solve.renew", view.n,
        PHYXEL_LAMBDA(Index i) { out[i] = in[i] + out[i] * share; });
  }
  void precondition(const Vector& r, Vector& z) {
    z.resize(r.size());
    const Vec3* const in = r.data();
    Vec3* const out = z.data();
    if (coarse) {
      restrict_to_nodes(exec, view, in, out, space.coarse);
      solve_for_nodes(exec, space.coarse);
    }
    const Vec3* const moved = coarse ? space.coarse.moved.data() : nullptr;
    const Corners* const corners = space.coarse.corners.data();
    const Mat3* const f = view.deformation;
    const Quad* const hold = space.hold.data();
    const Real* const diagonal = space.diagonal.data();
    for_each(
        exec, "mls.solve.precondition", view.n, PHYXEL_LAMBDA(Index i) {
          out[i] = in[i] / diagonal[i];
          if (moved) out[i] += allowed(hold[i], moved_by_nodes(corners[i], moved, f[i]));
        });
  }
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
