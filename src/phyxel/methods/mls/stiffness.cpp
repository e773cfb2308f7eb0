#include "phyxel/methods/mls/stiffness.h"

#include "phyxel/methods/mls/row_access.h"
#include "phyxel/methods/skeleton/passes.h"

#ifndef __CUDACC__
#include "phyxel/methods/mls/lanes.h"
#endif

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

/// What the loops of a product write.
struct ChangeView {
  Moving* place;
  Row16* pull;
  Quad* own_force;
};

void place_displacements(const Exec& exec, const StepView& s, const Vec3* p, const ChangeView& to) {
  pack_with_dummy(
      exec, "mls.stiffness.place", s.n,
      PHYXEL_LAMBDA(Index i) {
        Moving at = s.place[i];
        for (int k = 0; k < 3; ++k) at.v.c[k] = p[i][k];
        to.place[i] = at;
      },
      PHYXEL_LAMBDA() {
        to.place[s.n] = s.place[s.n];
        to.pull[s.n] = s.pull[s.n];
      });
}

/// Of a step; 1/s.
template <class T>
PHYXEL_FN DampingTime<T> damping_over(const SolidOf<T>& solid, const RestShape<T>& rest,
                                      const Moduli<T>& c, const T& over_dt) {
  const DampingTime<T> time = damping_time(solid, rest, c);
  return {time.strain * over_dt, time.volume * over_dt};
}

#ifdef __CUDACC__

PHYXEL_FN void change_of(const StepView& s, const PairView& pairs, Index i, Real over_dt,
                         const ChangeView& to) {
  const RestShape<Real> rest = rest_of_phyxel(s, i);
  const Solid& solid = s.solid_of(i);
  const GradientSum sum = sum_gradient_one_by_one(pairs, i, rest.inverse_h2);
  const Moduli<Real> c = moduli_of(solid, rest.rank, Real(1), s.fibre ? s.fibre[i] : Vec3::zero());
  const Real hold = solid.stabilisation * rest.size;
  const Mat3 q = pull_change(rest, c, s.deformation[i], s.tension[i], sum.product,
                             damping_over(solid, rest, c, over_dt), hold);
  const Quad& x = to.place[i].v;
  fill_pull(s.reference[i], Vec3{x.c[0], x.c[1], x.c[2]}, q, rest.inverse_h2, to.pull[i].c);
  const Vec3 own = q * rest.lean + sum.moved * hold;
  to.own_force[i] = {{own[0], own[1], own[2], 0}};
}

void find_changes(const Exec& exec, const StepView& s, const PairView& pairs, Real over_dt,
                  const ChangeView& to) {
  for_each(
      exec, "mls.stiffness.stresses", s.n,
      PHYXEL_LAMBDA(Index i) { change_of(s, pairs, i, over_dt, to); });
}

template <class Finish>
void sum_all(const Exec& exec, const PairView& pairs, Index n, const Finish& finish) {
  for_each(
      exec, "mls.stiffness.forces", n,
      PHYXEL_LAMBDA(Index i) { finish(i, sum_force_one_by_one(pairs, i)); });
}

#else

PHYXEL_INLINE void change_of(const StepView& s, const LanesAt& at, const Row16* sums, Real over_dt,
                             const ChangeView& to) {
  const RestShape<Pack> rest = rests_of(s, at);
  const SolidOf<Pack> solid = solids_of(s, at);
  const Gradient<Pack> gradient = gradient_of(rows_at(sums, at.count).c);
  const Moduli<Pack> c = moduli_of(solid, rest.rank, Pack(Real(1)),
                                   s.fibre ? load(s.fibre + at.first, at.count) : Vec3Pack::zero());
  const Pack hold = solid.stabilisation * rest.size;
  const Mat3Pack q = pull_change(rest, c, load(s.deformation + at.first, at.count),
                                 load(s.tension + at.first, at.count), gradient.product,
                                 damping_over(solid, rest, c, Pack(over_dt)), hold);
  Vec3 moved[lanes];
  for (Index l = 0; l < at.count; ++l) {
    const Quad& x = to.place[at.first + l].v;
    moved[l] = {x.c[0], x.c[1], x.c[2]};
  }
  RowPack pull;
  fill_pull(load(s.reference + at.first, at.count), load(&moved[0], at.count), q, rest.inverse_h2,
            pull.c);
  store_rows(
      pull, [&](Index l) __attribute__((always_inline)) { return to.pull + at.first + l; },
      at.count);
  const Vec3Pack own = q * rest.lean + gradient.moved * hold;
  store_quads(own, to.own_force + at.first, at.count);
}

void find_changes(const Exec& exec, const StepView& s, const PairView& pairs, Real over_dt,
                  const ChangeView& to) {
  with_known(pairs.periodic, [&](auto periodic) {
    for_runs(exec, "mls.stiffness.stresses", s.n, [=](Index begin, Index end) {
      for (Index first = begin; first < end; first += run_of_rows) {
        const Index last = std::min(first + run_of_rows, end);
        Row16 sums[run_of_rows];
        sum_gradients<periodic.value, false, false>(pairs, s.rest, first, last, sums, nullptr);
        for_lanes(first, last, [&](const LanesAt& at) {
          change_of(s, at, sums + (at.first - first), over_dt, to);
        });
      }
    });
  });
}

/// finish(i, sum) for all phyxels.
template <class Finish>
void sum_all(const Exec& exec, const PairView& pairs, Index n, const Finish& finish) {
  with_known(pairs.periodic, [&](auto periodic) {
    with_known(pairs.other != nullptr, [&](auto other) {
      for_runs(exec, "mls.stiffness.forces", n, [=](Index begin, Index end) {
        for (Index first = begin; first < end; first += run_of_rows) {
          const Index last = std::min(first + run_of_rows, end);
          Vec3 sums[run_of_rows];
          sum_forces<periodic.value, other.value, false>(pairs, first, last, sums);
          for (Index i = first; i < last; ++i) finish(i, sums[i - first]);
        }
      });
    });
  });
}

#endif

PHYXEL_FN Vec3 with_own(const Vec3& sum, const Quad& own) {
  return sum + Vec3{own.c[0], own.c[1], own.c[2]};
}

}  // namespace

void apply_stiffness(const Exec& exec, const StepView& view, const Column<Vec3>& p, Real over_dt,
                     StiffnessSpace& space, Column<Vec3>& force) {
  const std::size_t n = static_cast<std::size_t>(view.n);
  space.place.resize(n + 1);
  space.pull.resize(n + 1);
  space.own_force.resize(n);
  force.resize(n);
  const ChangeView to{space.place.data(), space.pull.data(), space.own_force.data()};
  place_displacements(exec, view, p.data(), to);
  PairView pairs = view.pairs();
  pairs.place = to.place;
  pairs.pull = to.pull;
  // Displacements of copies across a periodic boundary are the same.
  find_changes(exec, view, pairs, over_dt, to);
  Vec3* const sums = force.data();
  const Quad* const own = to.own_force;
  sum_all(
      exec, pairs, view.n,
      PHYXEL_LAMBDA(Index i, const Vec3& sum) { sums[i] = with_own(sum, own[i]); });
}

void sum_forces_of(const Exec& exec, const StepView& view, Column<Vec3>& force) {
  force.resize(static_cast<std::size_t>(view.n));
  Vec3* const sums = force.data();
  const Quad* const own = view.own_force;
  const Vec3* const contact = view.contact;
  sum_all(
      exec, view.pairs(), view.n, PHYXEL_LAMBDA(Index i, const Vec3& sum) {
        sums[i] = with_own(sum, own[i]) + (contact ? contact[i] : Vec3::zero());
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
