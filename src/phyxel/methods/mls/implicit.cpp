#include "phyxel/methods/mls/implicit.h"

#include "phyxel/methods/mls/coarse_matrix.h"
#include "phyxel/methods/mls/step_system.h"
#include "phyxel/methods/skeleton/passes.h"

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

// Newton's method: solves of a step at most, how often a solve's step is halved, and solves after
// which phyxels are held as they are then: the set of those held may go back and forth for ever.
// least_way: of a step, in spacings; changes of a thousandth of it are above the rounding of
// places.
constexpr double least_way = 0.01;
constexpr int most_solves = 20, most_halvings = 4, solves_with_new_holds = 8;

void resize(Index n, ImplicitSpace& space) {
  for (Vector* const column :
       {&space.x, &space.v, &space.start, &space.at, &space.ahead, &space.force, &space.step,
        &space.rub, &space.vectors.r, &space.vectors.p, &space.vectors.ep, &space.vectors.z})
    column->resize(static_cast<std::size_t>(n));
  space.hold.resize(static_cast<std::size_t>(n));
  space.holder.resize(static_cast<std::size_t>(n));
  space.diagonal.resize(static_cast<std::size_t>(n));
}

/// Velocities without internal forces, those of pins included.
void start(const Exec& exec, const StepView& s, Real dt, ImplicitSpace& space) {
  Vec3 *const v = space.v.data(), *const free = space.start.data(), *const rub = space.rub.data();
  Quad* const hold = space.hold.data();
  Index* const holder = space.holder.data();
  for_each(
      exec, "mls.implicit.start", s.n, PHYXEL_LAMBDA(Index i) {
        Vec3 gravity = s.gravity;
        if (s.flat) gravity[2] = 0;
        free[i] = v[i] = s.v[i] + gravity * dt;
        rub[i] = Vec3::zero();
        holder[i] = -1;
        hold[i] = {{0, 0, 0, hold_none}};
        if (!s.is_pinned(i)) return;
        Vec3 pinned = s.v[i];
        const Vec3 to = moved_by_pin(s.pins[s.pin[i]], s.x[i], pinned);
        v[i] = (to - s.x[i]) / dt;
        hold[i].c[3] = hold_all;
      });
}

/// Holds of phyxels at colliders; false where they are as before. `impulses`: they are known.
bool find_holds(const Exec& exec, const StepView& s, Real dt, bool known, ImplicitSpace& space) {
  if (s.colliders.count == 0) return false;
  Vec3 *const v = space.v.data(), *const rub = space.rub.data();
  const Vec3 *const force = space.force.data(), *const free = space.start.data();
  Quad* const hold = space.hold.data();
  Index* const holder = space.holder.data();
  return reduce_max(
             exec, "mls.implicit.holds", s.n, Index(0), PHYXEL_LAMBDA(Index i) {
               if (s.is_pinned(i) || !s.meets_colliders(i)) return Index(0);
               const Vec3 impulse =
                   known ? (v[i] - free[i]) * s.mass[i] - force[i] * dt : Vec3::zero();
               const Quad before = hold[i];
               HoldState state{s.x[i], v[i], impulse, before, holder[i], rub[i]};
               hold_at_colliders(s, i, dt, state);
               const bool changed = state.hold.c[3] != before.c[3] || state.holder != holder[i];
               v[i] = state.v;
               hold[i] = state.hold;
               holder[i] = state.holder;
               rub[i] = state.rub;
               return Index(changed);
             }) > 0;
}

/// Forces where the velocities `space.at` would take phyxels.
void find_state(const Exec& exec, const StepView& trial, const StepView& s,
                const ContactRows& contact, const StepUse& use, ImplicitSpace& space) {
  Vec3* const x = space.x.data();
  const Vec3 *const v = space.at.data(), *const from = s.x;
  const Real dt = use.dt;
  for_each(
      exec, "mls.implicit.move", s.n, PHYXEL_LAMBDA(Index i) { x[i] = from[i] + v[i] * dt; });
  pack_places(exec, trial);
  find_stresses(exec, trial, use);
  if (contact.some) find_contact_forces(exec, trial, contact);
  sum_forces_of(exec, trial, space.force);
}

/// r = what is missing to the balance of momenta; returns r M^-1 r.
double find_residual(const Exec& exec, const StepView& s, Real dt, ImplicitSpace& space) {
  Vec3* const r = space.vectors.r.data();
  const Vec3 *const v = space.v.data(), *const free = space.start.data(),
                    *const force = space.force.data(), *const rub = space.rub.data();
  const Quad* const hold = space.hold.data();
  return reduce_sum(
      exec, "mls.implicit.residual", s.n, PHYXEL_LAMBDA(Index i) {
        Vec3 sum = (free[i] - v[i]) * s.mass[i] + force[i] * dt + rub[i];
        if (s.flat) sum[2] = 0;
        r[i] = allowed(hold[i], sum);
        return double(length_squared(r[i])) / double(s.mass[i]);
      });
}

/// The same where velocities have been changed since forces were found: by the tangents that are
/// known. What a collider stops at once is drawn far out of its shape until others have followed;
/// tangents there would lead nowhere.
double find_residual_ahead(const Exec& exec, const StepView& s, StepSystem& system,
                           ImplicitSpace& space) {
  Vec3* const ahead = space.ahead.data();
  const Vec3 *const v = space.v.data(), *const at = space.at.data();
  for_each(
      exec, "mls.implicit.ahead", s.n, PHYXEL_LAMBDA(Index i) { ahead[i] = v[i] - at[i]; });
  Vector& change = space.vectors.ep;
  apply_stiffness(exec, system.view, space.ahead, system.over_dt, space.stiffness, change);
  if (system.contact.some)
    add_contact_stiffness(exec, system.view, system.contact, space.ahead, change);
  find_residual(exec, s, system.dt, space);
  Vec3* const r = space.vectors.r.data();
  const Vec3* const by = change.data();
  const Quad* const hold = space.hold.data();
  const Real square = system.dt * system.dt;
  return reduce_sum(
      exec, "mls.implicit.residual", s.n, PHYXEL_LAMBDA(Index i) {
        Vec3 sum = by[i] * square;
        if (s.flat) sum[2] = 0;
        r[i] += allowed(hold[i], sum);
        return double(length_squared(r[i])) / double(s.mass[i]);
      });
}

/// What is held or falls slowly does not become as fast as gravity would make it: of the guesses
/// with all, none and a share of that, the best for these tangents. r M^-1 r of it.
double hold_back_gravity(const Exec& exec, const StepView& s, StepSystem& system, double size,
                         ImplicitSpace& space) {
  if (length_squared(s.gravity) == 0) return size;
  Vec3 *const p = space.vectors.p.data(), *const v = space.v.data(),
              *const r = space.vectors.r.data();
  const Quad* const hold = space.hold.data();
  const Real dt = system.dt;
  for_each(
      exec, "mls.implicit.guess", s.n, PHYXEL_LAMBDA(Index i) {
        Vec3 fall = s.gravity * dt;
        if (s.flat) fall[2] = 0;
        p[i] = allowed(hold[i], fall);
      });
  system.apply(space.vectors.p, space.vectors.ep);
  const double curvature = system.inner(space.vectors.p, space.vectors.ep);
  const double slope = system.inner(space.vectors.p, space.vectors.r);
  if (!(curvature > 0)) return size;
  const Real share = static_cast<Real>(std::clamp(slope / curvature, -1.0, 0.0));
  const Vec3* const ep = space.vectors.ep.data();
  return reduce_sum(
      exec, "mls.implicit.guess", s.n, PHYXEL_LAMBDA(Index i) {
        v[i] += p[i] * share;
        r[i] -= ep[i] * share;
        return double(length_squared(r[i])) / double(s.mass[i]);
      });
}

/// How far the last iterations of a solve may move a phyxel, m: a share of the spacing, or of how
/// far the step goes where that is less. What is stiff and rests would be strained by more than its
/// weight otherwise.
double change_of_step(const Exec& exec, const StepView& s, Real dt, const ImplicitOptions& options,
                      const ImplicitSpace& space) {
  const Vec3* const free = space.start.data();
  const double fastest = std::sqrt(double(reduce_max(
      exec, "mls.implicit.way", s.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return length_squared(free[i]); })));
  const double way = fastest * double(dt) / options.spacing;
  return options.tolerance * options.spacing * std::min(1.0, std::max(way, least_way));
}

/// A quarter of the bound of frequencies is about that of a phyxel alone between its neighbours.
void find_diagonal(const Exec& exec, const StepView& s, Real dt, ImplicitSpace& space) {
  Real* const diagonal = space.diagonal.data();
  const Real square = dt * dt / 4;
  for_each(
      exec, "mls.implicit.diagonal", s.n,
      PHYXEL_LAMBDA(Index i) { diagonal[i] = s.mass[i] * (1 + square * s.rate[i]); });
}

void add_to_velocities(const Exec& exec, Index n, Real share, ImplicitSpace& space) {
  Vec3* const v = space.v.data();
  const Vec3* const step = space.step.data();
  for_each(
      exec, "mls.implicit.update", n, PHYXEL_LAMBDA(Index i) { v[i] += step[i] * share; });
}

/// What solves leave of the balance: the sum over all free phyxels is given to all of them alike,
/// so that their momentum is that of gravity and of what holds others.
void balance_momentum(const Exec& exec, const StepView& s, ImplicitSpace& space) {
  const Vec3* const r = space.vectors.r.data();
  const Quad* const hold = space.hold.data();
  double missing[3] = {};
  for (int k = 0; k < 3; ++k)
    missing[k] = reduce_sum(
        exec, "mls.implicit.balance", s.n,
        PHYXEL_LAMBDA(Index i) { return hold[i].c[3] == hold_none ? double(r[i][k]) : 0.0; });
  const double mass = reduce_sum(
      exec, "mls.implicit.balance", s.n,
      PHYXEL_LAMBDA(Index i) { return hold[i].c[3] == hold_none ? double(s.mass[i]) : 0.0; });
  if (!(mass > 0)) return;
  Vec3 change;
  for (int k = 0; k < 3; ++k) change[k] = static_cast<Real>(missing[k] / mass);
  Vec3* const v = space.v.data();
  for_each(
      exec, "mls.implicit.balance", s.n, PHYXEL_LAMBDA(Index i) {
        if (hold[i].c[3] == hold_none) v[i] += change;
      });
}

PHYXEL_FN void count_hold_of(const StepView& s, Index i, const Vec3& v, const Vec3& free,
                             const Vec3& force, const Quad& hold, Index holder, Real dt) {
  if (!s.reactions.counts() || hold.c[3] == hold_none || holder < 0) return;
  const Vec3 impulse = (v - free) * s.mass[i] - force * dt;
  add_contact_impulse(s.reactions, holder, s.x[i], normal_of(hold), cast<double>(impulse));
}

/// Places and velocities at the end of the step.
void finish(const Exec& exec, const StepView& s, Real dt, const ImplicitSpace& space) {
  const Vec3 *const v = space.v.data(), *const free = space.start.data(),
                    *const force = space.force.data();
  const Quad* const hold = space.hold.data();
  const Index* const holder = space.holder.data();
  for_each(
      exec, "mls.implicit.finish", s.n, PHYXEL_LAMBDA(Index i) {
        if (s.is_pinned(i)) {
          Vec3 pinned = v[i];
          const Vec3 to = moved_by_pin(s.pins[s.pin[i]], s.x[i], pinned);
          count_pin(s, i, to, pinned);
          count_hold(s, i, force[i] * dt + s.gravity * (s.mass[i] * dt));
          s.x[i] = wrap(s.box, to);
          s.v[i] = pinned;
          return;
        }
        count_hold_of(s, i, v[i], free[i], force[i], hold[i], holder[i], dt);
        s.x[i] = wrap(s.box, s.x[i] + v[i] * dt);
        s.v[i] = v[i];
      });
}

}  // namespace

ImplicitReport take_implicit_step(const Exec& exec, const StepView& view,
                                  const ContactRows& contact, const StepUse& use,
                                  const ImplicitOptions& options, ImplicitSpace& space) {
  const Real dt = use.dt;
  resize(view.n, space);
  StepView trial = view;
  trial.x = space.x.data();
  trial.v = space.at.data();
  StepUse trying = use;
  trying.keep = false;
  const bool coarse = options.coarse && space.coarse.nodes > 0;
  StepSystem system{exec, trial, contact, dt, use.damps ? 1 / dt : Real(0), coarse, space};
  start(exec, view, dt, space);
  const double most_change = change_of_step(exec, view, dt, options, space);
  fill(exec, "mls.implicit.at", space.at, Vec3::zero());
  find_state(exec, trial, view, contact, trying, space);
  if (coarse && make_coarse_matrix(exec, trial, use, options, space))
    find_state(exec, trial, view, contact, trying, space);
  find_holds(exec, view, dt, false, space);
  double size = find_residual_ahead(exec, view, system, space);
  size = hold_back_gravity(exec, view, system, size, space);
  const auto find_forces = [&](const StepUse& how) {
    space.at = space.v;
    trial.v = space.at.data();
    find_state(exec, trial, view, contact, how, space);
  };
  ImplicitReport report;
  bool done = false;
  while (!done && report.solves < most_solves) {
    find_diagonal(exec, trial, dt, space);
    fill(exec, "mls.implicit.step", space.step, Vec3::zero());
    const linear::SolveReport solve = linear::conjugate_gradient(
        system, space.step, space.vectors, {most_change, options.most_iterations});
    ++report.solves;
    report.iterations += solve.iterations;
    add_to_velocities(exec, view.n, 1, space);
    find_forces(trying);
    const bool changed =
        report.solves < solves_with_new_holds && find_holds(exec, view, dt, true, space);
    double next = changed ? find_residual_ahead(exec, view, system, space)
                          : find_residual(exec, view, dt, space);
    Real share = 1;
    for (int k = 0; !changed && !(next <= size) && k < most_halvings; ++k) {
      add_to_velocities(exec, view.n, -share / 2, space);
      share /= 2;
      find_forces(trying);
      next = find_residual(exec, view, dt, space);
    }
    done = !changed && system.size(space.step) * double(share) <= 4 * most_change;
    size = next;
  }
  report.unfinished = !done;
  find_forces(use);
  find_residual(exec, view, dt, space);
  balance_momentum(exec, view, space);
  finish(exec, view, dt, space);
  return report;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
