#include "phyxel/methods/mls/passes.h"

#include "phyxel/methods/mls/row_access.h"
#include "phyxel/methods/skeleton/passes.h"

#ifndef __CUDACC__
#include "phyxel/methods/mls/lanes.h"
#include "phyxel/methods/skeleton/move_packs.h"
#endif

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

namespace {

/// Flowing phyxels are neighbours of other flowing ones alone, others of their object.
PHYXEL_FN bool are_neighbours(const StepView& s, Index i, Index j) {
  return s.object[i] == s.object[j];
}

PHYXEL_INLINE void pack_place(const StepView& s, Index i) {
  const Vec3 r = s.reference[i], x = s.x[i];
  s.place[i] = {{{r[0], r[1], r[2], s.mass[i]}}, {{x[0], x[1], x[2], s.support[i]}}};
}
/// The last element of all columns, which pads of rows name: far away, and pulls at nothing.
PHYXEL_INLINE void pack_dummy(const StepView& s) {
  constexpr Real far = Real(1e15);
  s.place[s.n] = {{{far, far, far, 0}}, {{0, 0, 0, 1}}};
  Row16 pull{};
  for (int k = 0; k < 3; ++k) pull.c[pull_row::reference + k] = far;
  pull.c[pull_row::inverse_h2] = 1;
  s.pull[s.n] = pull;
  if (s.other) s.other[s.n] = {{0, 0, 0, 1}};
  if (s.molten) s.molten[s.n] = 0;
}

PHYXEL_FN Real size_of_volume(const StepView& s, Real volume) {
  return s.flat ? Real(1) : std::cbrt(volume);
}

/// Over the density squared, m^5/(kg s^2): no tension, which would clump phyxels. The density was
/// summed when the reference shape was made; j: change of volume since.
PHYXEL_FN Real pressure_term(const StepView& s, Index i, Real j) {
  const Solid& solid = s.solid_of(i);
  const Real density = s.density[i] / clamp(j, Real(0.5), Real(2));
  const Real over = density - s.rest_density[i];
  return solid.flow_stiffness * max(over, Real(0)) / (density * density);
}

/// Force on a phyxel, N, of its own neighbourhood and of those that it is in.
PHYXEL_INLINE Extremes finish_forces(const StepView& s, const Vec3& sum, Index i, Real dt) {
  const Quad own = s.own_force[i];
  Vec3 force = sum + Vec3{own.c[0], own.c[1], own.c[2]};
  if (s.contact) force += s.contact[i];
  const Vec3 inner = force / s.mass[i], acceleration = inner + s.gravity;
  if (dt > 0 || s.begins) s.acceleration[i] = inner;
  accelerate_ball(s, i, acceleration, s.radius_of(i), dt / 2);
  Extremes e;
  e.speed_squared = length_squared(s.v[i]);
  e.squared_acceleration = length_squared(acceleration);
  if (!std::isfinite(e.speed_squared + length_squared(s.x[i]) + length_squared(force)))
    e.first_bad = i;
  return e;
}

PHYXEL_FN Memory<Real> memory_of(const StepView& s, Index i) {
  const Symmetric<Real> none = Symmetric<Real>::zero();
  return {s.plastic ? s.plastic[i] : none, s.strain ? s.strain[i] : none,
          s.fibre ? s.fibre[i] : Vec3::zero(), s.melted ? s.melted[i] : Real(0),
          s.swollen ? s.swollen[i] : Real(0)};
}
#ifdef __CUDACC__

// Apart from the kernels: nvcc takes minutes where eigenvalues are part of several.
PHYXEL_FN_APART void store_moments(const StepView& s, Index i, const MomentSum& m) {
  const Row16 row = s.rest[i];
  const RestShape<Real> rest = rest_shape<Real>(
      {m.moment, m.lean, m.weight}, row.c[rest_row::volume], row.c[rest_row::size], s.mass[i],
      row.c[rest_row::inverse_h2], s.flat, s.absorbs(i) ? Real(1) : Real(0));
  fill_row(rest, s.rest[i].c);
  s.directions[i] = rest.directions;
}

PHYXEL_FN_APART Symmetric<Real> tension_of(const Symmetric<Real>& stress) {
  return positive_part(stress);
}

PHYXEL_FN LawUse<Real> use_of(const StepView& s, Index i, const StepUse& use) {
  return {use.dt, use.yields, use.damps, s.absorbs(i) ? Real(1) : Real(0)};
}

PHYXEL_FN Real find_stress(const StepView& s, const PairView& pairs, Index i, const StepUse& use) {
  const Real inverse_h2 = s.rest[i].c[rest_row::inverse_h2];
  const GradientSum sum = sum_gradient_one_by_one(pairs, i, inverse_h2);
  const RestShape<Real> rest = rest_of_phyxel(s, i);
  const Response<Real> r = response_of<Real>(s.solid_of(i), rest, {sum.product, sum.moved},
                                             memory_of(s, i), use_of(s, i, use), s.flat);
  if (use.keep && s.plastic) s.plastic[i] = r.plastic;
  if (use.keep && s.strain) s.strain[i] = r.elastic;
  fill_pull(s.reference[i], s.x[i], r.pull, inverse_h2, s.pull[i].c);
  if (s.flowing || s.tension) s.deformation[i] = r.f;
  if (s.tension) s.tension[i] = tension_of(r.stress);
  if (s.tension) s.rate[i] = r.rate;
  const Vec3 own = r.pull * rest.lean + sum.moved * r.hold;
  s.own_force[i] = {{own[0], own[1], own[2], 0}};
  if (s.other)
    s.other[i] = {{r.hold, s.absorbs(i) ? pressure_term(s, i, determinant(r.f)) : Real(0),
                   s.absorbs(i) ? s.mass[i] : Real(0), s.support[i]}};
  return r.rate;
}

#else

PHYXEL_INLINE Memory<Pack> memories_of(const StepView& s, const LanesAt& at) {
  const Pack zero(Real(0));
  Memory<Pack> m{Symmetric<Pack>::zero(), Symmetric<Pack>::zero(), Vec3Pack::zero(), zero, zero};
  if (s.plastic) m.plastic = load(s.plastic + at.first, at.count);
  if (s.strain) m.strain = load(s.strain + at.first, at.count);
  if (s.fibre) m.fibre = load(s.fibre + at.first, at.count);
  if (s.melted) m.melted = load(s.melted + at.first, at.count);
  if (s.swollen) m.swollen = load(s.swollen + at.first, at.count);
  return m;
}

/// 1 where a phyxel absorbs.
PHYXEL_INLINE Pack absorbing(const StepView& s, const LanesAt& at) {
  alignas(64) Real absorbs[lanes] = {};
  for (Index l = 0; s.flowing && l < at.count; ++l) absorbs[l] = s.absorbs(at.first + l);
  return Pack::load_aligned(absorbs);
}

PHYXEL_INLINE void find_moments_of(const StepView& s, const LanesAt& at, const Row16* sums) {
  const RowPack m = rows_at(sums, at.count);
  RowPack row = rows_at(s.rest + at.first, at.count);
  const RestShape<Pack> rest = rest_shape<Pack>(
      moments_of(m.c), row.c[rest_row::volume], row.c[rest_row::size],
      load(s.mass + at.first, at.count), row.c[rest_row::inverse_h2], s.flat, absorbing(s, at));
  fill_row(rest, row.c);
  store_rows(
      row, [&](Index l) __attribute__((always_inline)) { return s.rest + at.first + l; }, at.count);
  store(rest.directions, s.directions + at.first, at.count);
  alignas(64) Real density[lanes];
  m.c[9].store_aligned(density);
  for (Index l = 0; s.flowing && l < at.count; ++l) s.density[at.first + l] = density[l];
}

PHYXEL_INLINE LawUse<Pack> uses_of(const StepView& s, const LanesAt& at, const StepUse& use) {
  return {Pack(use.dt), use.yields, use.damps, absorbing(s, at)};
}

/// What others read of flowing or mixed phyxels.
PHYXEL_INLINE void fill_other(const StepView& s, const LanesAt& at, const Pack& hold,
                              const Pack& volume) {
  alignas(64) Real k[lanes], j[lanes];
  hold.store_aligned(k);
  volume.store_aligned(j);
  for (Index l = 0; l < at.count; ++l) {
    const Index i = at.first + l;
    const bool absorbs = s.absorbs(i);
    s.other[i] = {{k[l], absorbs ? pressure_term(s, i, j[l]) : Real(0),
                   absorbs ? s.mass[i] : Real(0), s.support[i]}};
  }
}

PHYXEL_INLINE Pack respond(const StepView& s, const LanesAt& at, const Row16* sums,
                           const StepUse& use) {
  const RestShape<Pack> rest = rests_of(s, at);
  const Gradient<Pack> gradient = gradient_of(rows_at(sums, at.count).c);
  const Response<Pack> r = response_of<Pack>(solids_of(s, at), rest, gradient, memories_of(s, at),
                                             uses_of(s, at, use), s.flat);
  if (use.keep && s.plastic) store(r.plastic, s.plastic + at.first, at.count);
  if (use.keep && s.strain) store(r.elastic, s.strain + at.first, at.count);
  if (s.flowing || s.tension) store(r.f, s.deformation + at.first, at.count);
  if (s.tension) store(positive_part(r.stress), s.tension + at.first, at.count);
  if (s.tension) store(r.rate, s.rate + at.first, at.count);
  RowPack pull;
  fill_pull(load(s.reference + at.first, at.count), load(s.x + at.first, at.count), r.pull,
            rest.inverse_h2, pull.c);
  store_rows(
      pull, [&](Index l) __attribute__((always_inline)) { return s.pull + at.first + l; },
      at.count);
  const Vec3Pack own = r.pull * rest.lean + gradient.moved * r.hold;
  store_quads(own, s.own_force + at.first, at.count);
  if (s.other) fill_other(s, at, r.hold, determinant(r.f));
  return r.rate;
}

template <bool periodic, bool with_molten>
Real find_stresses_with(const Exec& exec, const StepView& view, const StepUse& use) {
  const PairView pairs = view.pairs();
  return reduce_runs(
      exec, "mls.stresses", view.n, run_of_rows, Real(0),
      [=](Index first, Index last) {
        Row16 sums[run_of_rows];
        sum_gradients<periodic, false, with_molten>(pairs, view.rest, first, last, sums, nullptr);
        Pack rate(Real(0));
        for_lanes(first, last, [&](const LanesAt& at) {
          rate = max(rate, respond(view, at, sums + (at.first - first), use));
        });
        return largest_lane(rate);
      },
      Larger{});
}

template <bool periodic, bool with_other, bool with_molten>
Extremes apply_forces_with(const Exec& exec, const StepView& view, Real dt) {
  const PairView pairs = view.pairs();
  return reduce_runs(
      exec, "mls.forces", view.n, run_of_rows, Extremes{},
      [=](Index first, Index last) {
        Vec3 sums[run_of_rows];
        sum_forces<periodic, with_other, with_molten>(pairs, first, last, sums);
        Extremes e;
        for (Index i = first; i < last; ++i)
          e = LargerExtremes{}(e, finish_forces(view, sums[i - first], i, dt));
        return e;
      },
      LargerExtremes{});
}

template <bool periodic, bool with_molten>
void find_moments_with(const Exec& exec, const StepView& view) {
  const PairView pairs = view.pairs();
  for_runs(exec, "mls.moments", view.n, [=](Index begin, Index end) {
    for (Index first = begin; first < end; first += run_of_rows) {
      const Index last = std::min(first + run_of_rows, end);
      Row16 sums[run_of_rows], also[run_of_rows];
      sum_gradients<periodic, true, with_molten>(pairs, view.rest, first, last, sums, also);
      for_lanes(first, last,
                [&](const LanesAt& at) { find_moments_of(view, at, also + (at.first - first)); });
    }
  });
}

#endif

PHYXEL_FN void drop_strangers_of(const StepView& s, Index i, Index* count, Index* neighbour) {
  const Index start = s.row_start[i], end = start + count[i];
  Index kept = start;
  for (Index e = start; e < end; ++e)
    if (are_neighbours(s, i, neighbour[e])) neighbour[kept++] = neighbour[e];
  for (Index e = kept; e < end; ++e) neighbour[e] = s.n;
  count[i] = kept - start;
}

/// How much of a flowing phyxel is liquid. Solid parts of what melts lose neighbours as these melt,
/// and their swelling would be that of others.
PHYXEL_FN Real molten_part(const StepView& s, Index i) {
  return s.melted && s.solid_of(i).melted_creep > 0 ? s.melted[i] : Real(1);
}

/// X <- x, and what refers to the reference shape turns with it. METHODS: eps_p <- J^-T (eps_p -
/// eps) J^-1, which keeps the elastic strain as it is seen from the new shape.
PHYXEL_FN void absorb_phyxel(const StepView& s, Index i) {
  if (!s.absorbs(i)) return;
  const Mat3 f = s.deformation[i];
  s.reference[i] = s.x[i];
  if (s.melted) s.molten_shape[i] = molten_part(s, i);
  const Real j = determinant(f);
  if (!(j > Real(0.05))) return;  // inverted: its strain stays, the shape around it is new
  const Mat3 back = inverse(f);
  Symmetric<Real> e = s.plastic[i];
  e -= green_strain(f, all_directions<Real>());
  s.plastic[i] = transformed(transpose(back), e);
  if (s.fibre) s.fibre[i] = normalized(f * s.fibre[i]);
  s.absorbed[i] = f * s.absorbed[i];
  const Real known = determinant(full(s.directions[i])) * molten_part(s, i);
  s.swollen[i] = swollen_after(s.swollen[i], j, known);
}

PHYXEL_FN_APART void measure_energy(const StepView& s, const PairView& pairs, Index i) {
  const RestShape<Real> rest = rest_of_phyxel(s, i);
  const GradientSum sum = sum_gradient_one_by_one(pairs, i, rest.inverse_h2);
  const Memory<Real> memory = memory_of(s, i);
  const Real absorbs = s.absorbs(i) ? Real(1) : Real(0);
  const Response<Real> r = response_of<Real>(s.solid_of(i), rest, {sum.product, sum.moved}, memory,
                                             {0, false, false, absorbs}, s.flat);
  const Moduli<Real> c =
      moduli_of(s.solid_of(i), max(rest.rank, 3 * absorbs),
                share_of_moduli(s.solid_of(i), memory.melted), memory.fibre, memory.swollen);
  const Real stray = sum_stray_one_by_one(pairs, i, rest.inverse_h2, r.f);
  s.energy[i] =
      rest.volume * energy_density(c, r.elastic, determinant(r.f)) + Real(0.5) * r.hold * stray;
  s.deformation[i] =
      absorbs > 0 ? r.f : completed(r.f, rest.directions, static_cast<int>(rest.rank + Real(0.5)));
}

}  // namespace

void prepare_rest(const Exec& exec, const StepView& view) {
  for_each(
      exec, "mls.prepare", view.n, PHYXEL_LAMBDA(Index i) {
        Row16 row{};
        row.c[rest_row::volume] = view.volume[i];
        row.c[rest_row::size] = size_of_volume(view, view.volume[i]);
        row.c[rest_row::inverse_h2] = 1 / (view.support[i] * view.support[i]);
        view.rest[i] = row;
      });
}

void drop_strangers(const Exec& exec, const StepView& view, Index* count, Index* neighbour) {
  for_each(
      exec, "mls.objects", view.n,
      PHYXEL_LAMBDA(Index i) { drop_strangers_of(view, i, count, neighbour); });
}

bool find_moments(const Exec& exec, const StepView& view) {
#ifdef __CUDACC__
  const PairView pairs = view.pairs();
  for_each(
      exec, "mls.moments", view.n, PHYXEL_LAMBDA(Index i) {
        store_moments(view, i,
                      sum_moment_one_by_one(pairs, i, view.rest[i].c[rest_row::inverse_h2]));
        if (view.flowing) view.density[i] = sum_density_one_by_one(pairs, i);
      });
#else
  with_known(view.periodic, [&](auto periodic) {
    with_known(view.molten != nullptr,
               [&](auto molten) { find_moments_with<periodic.value, molten.value>(exec, view); });
  });
#endif
  const Real most_missing = reduce_max(
      exec, "mls.ranks", view.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return Real(3) - view.rest[i].c[rest_row::rank]; });
  return most_missing < Real(0.5);
}

void find_near(const Exec& exec, const StepView& view) {
  find_near_colliders(
      exec, "mls.near", view, PHYXEL_LAMBDA(Index i) { return 2 * view.radius_of(i) + view.skin; },
      PHYXEL_LAMBDA(Index i, bool near) { view.is_near[i] = near; });
}

void pack_places(const Exec& exec, const StepView& view) {
  pack_with_dummy(
      exec, "mls.pack", view.n,
      PHYXEL_LAMBDA(Index i) {
        pack_place(view, i);
        if (view.molten) view.molten[i] = view.molten_shape[i];
      },
      PHYXEL_LAMBDA() { pack_dummy(view); });
}

void accelerate(const Exec& exec, const StepView& view, Real dt) {
  for_each(
      exec, "mls.accelerate", view.n, PHYXEL_LAMBDA(Index i) {
        accelerate_ball(view, i, view.acceleration[i] + view.gravity, view.radius_of(i), dt / 2);
      });
}

Moved move_phyxels(const Exec& exec, const StepView& view, Real dt) {
  const auto move_one = PHYXEL_LAMBDA(Index i) {
    const Moved moved = move_ball(view, i, view.radius_of(i), dt);
    pack_place(view, i);
    return moved;
  };
#ifdef __CUDACC__
  return reduce(exec, "mls.move", view.n, Moved{}, move_one, LargerMove{});
#else
  return move_in_packs(
      exec, "mls.move", view, dt, [=](Index first) { return lanes_meet_nothing(view, first); },
      move_one,
      [=](Index first, const Vec3Pack& x, const Vec3Pack&) __attribute__((always_inline)) {
        const Vec3Pack r = load_vectors(view.reference + first, lanes);
        store_moving({{r[0], r[1], r[2], Pack::load_unaligned(view.mass + first)}},
                     {{x[0], x[1], x[2], Pack::load_unaligned(view.support + first)}},
                     view.place + first);
      });
#endif
}

Real find_stresses(const Exec& exec, const StepView& view, const StepUse& use) {
#ifdef __CUDACC__
  const PairView pairs = view.pairs();
  return reduce_max(
      exec, "mls.stresses", view.n, Real(0),
      PHYXEL_LAMBDA(Index i) { return find_stress(view, pairs, i, use); });
#else
  return with_known(view.periodic, [&](auto periodic) {
    return with_known(view.molten != nullptr, [&](auto molten) {
      return find_stresses_with<periodic.value, molten.value>(exec, view, use);
    });
  });
#endif
}

Extremes apply_forces(const Exec& exec, const StepView& view, Real dt) {
#ifdef __CUDACC__
  const PairView pairs = view.pairs();
  return reduce(
      exec, "mls.forces", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) { return finish_forces(view, sum_force_one_by_one(pairs, i), i, dt); },
      LargerExtremes{});
#else
  return with_known(view.periodic, [&](auto periodic) {
    // What melts has `other`, see refresh_columns.
    if (view.molten) return apply_forces_with<periodic.value, true, true>(exec, view, dt);
    return with_known(view.other != nullptr, [&](auto other) {
      return apply_forces_with<periodic.value, other.value, false>(exec, view, dt);
    });
  });
#endif
}

Extremes measure_extremes(const Exec& exec, const StepView& view) {
  return reduce(
      exec, "mls.extremes", view.n, Extremes{},
      PHYXEL_LAMBDA(Index i) {
        Extremes e;
        e.speed_squared = length_squared(view.v[i]);
        e.moved_squared = squared_move(view.box, view.x[i], view.x_at_build[i]);
        if (!std::isfinite(e.speed_squared + length_squared(view.x[i]))) e.first_bad = i;
        return e;
      },
      LargerExtremes{});
}

void absorb(const Exec& exec, const StepView& view) {
  for_each(
      exec, "mls.absorb", view.n, PHYXEL_LAMBDA(Index i) { absorb_phyxel(view, i); });
}

void keep_densities(const Exec& exec, const StepView& view) {
  for_each(
      exec, "mls.densities", view.n, PHYXEL_LAMBDA(Index i) {
        if (view.absorbs(i) && !(view.rest_density[i] > 0))
          view.rest_density[i] = max(view.density[i], view.solid_of(i).density);
      });
}

void measure_energies(const Exec& exec, const StepView& view) {
  const PairView pairs = view.pairs();
  for_each(
      exec, "mls.energy", view.n, PHYXEL_LAMBDA(Index i) { measure_energy(view, pairs, i); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
