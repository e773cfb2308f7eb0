#include "phyxel/methods/pbd/passes.h"

#ifndef __CUDACC__
#include "phyxel/core/pack_shuffle.h"
#endif

// Projections of rows, in packs on the CPU, one by one on a GPU.

namespace phyxel::pbd {

inline namespace PHYXEL_BACKEND {

namespace {

/// What projections of a step have in common.
struct StepNumbers {
  Real over_dt, over_dt_squared;
  bool by_share;
};
StepNumbers numbers_of(const Sweep& sweep) {
  return {1 / sweep.dt, 1 / (sweep.dt * sweep.dt), sweep.by_share};
}

/// The change of the multiplier of constraints, one or a pack of them.
template <class Kind, class T>
PHYXEL_INLINE T change_of(const Slope<T, Kind::points>& slope, const T (&w)[Kind::points],
                          T compliance, T lambda, const StepNumbers& step) {
  if (step.by_share) return multiplier_change(slope, w, T(Real(0)), T(Real(0))) * compliance;
  return multiplier_change(slope, w, lambda, compliance * T(step.over_dt_squared));
}

#ifdef __CUDACC__

template <int N>
PHYXEL_FN void move_dithered(const Slope<Real, N>& slope, const Real (&w)[N], Real change,
                             Index row, const Dither& dither, Vec3 (&x)[N]) {
  const std::uint32_t scrambled_row = scrambled(static_cast<std::uint32_t>(row));
  for (int k = 0; k < N; ++k)
    for (int c = 0; c < 3; ++c)
      x[k][c] =
          dither.sum(x[k][c], slope.gradient[k][c] * (w[k] * change), scrambled_row, 3 * k + c);
}

template <class Kind>
PHYXEL_FN void project_row(const StepView& s, const RowsView<Kind>& rows, Index row,
                           const StepNumbers& step) {
  Index at[Kind::points];
  Vec3 x[Kind::points];
  Real w[Kind::points];
  Vec<Real, Kind::numbers> rest;
  for (int k = 0; k < Kind::points; ++k) {
    at[k] = rows.at[k][row];
    const Quad p = s.p[at[k]];
    x[k] = {p.c[0], p.c[1], p.c[2]};
    w[k] = p.c[3];
  }
  for (int k = 0; k < Kind::numbers; ++k) rest[k] = rows.rest[k][row];
  const Slope<Real, Kind::points> slope = Kind::slope(x, rest);
  const Real lambda = rows.lambda ? rows.lambda[row] : Real(0);
  Real change;
  if (rows.damping && !step.by_share) {
    Vec3 moved[Kind::points];
    for (int k = 0; k < Kind::points; ++k)
      moved[k] = at[k] < s.n ? x[k] - s.x[at[k]] : Vec3::zero();
    change = multiplier_change(
        slope, w, lambda,
        {rows.compliance[row] * step.over_dt_squared, rows.damping[row] * step.over_dt}, moved);
  } else {
    change = change_of<Kind>(slope, w, rows.compliance[row], lambda, step);
  }
  if (rows.lambda) rows.lambda[row] = lambda + change;
  if (s.dither.on)
    move_dithered(slope, w, change, row, s.dither, x);
  else
    move(slope, w, change, x);
  for (int k = 0; k < Kind::points; ++k) {
    if (at[k] >= s.n) continue;
    if (k < moved_points<Kind>()) s.p[at[k]] = {{x[k][0], x[k][1], x[k][2], w[k]}};
    // What several rows of a colour hold on to is pulled at by way of their own particles.
    if (s.pull && w[k] == 0)
      s.pull[at[k < moved_points<Kind>() ? k : 0]] += slope.gradient[k] * change;
  }
}

template <class Kind>
void project_colour(const Exec& exec, const StepView& view, const RowsView<Kind>& rows, Index first,
                    Index last, const StepNumbers& step) {
  const StepView s = view;
  for_each(
      exec, Kind::name, last - first,
      PHYXEL_LAMBDA(Index k) { project_row(s, rows, first + k, step); });
}

#else

static_assert(row_width % lanes == 0);

/// Random fractions of the rows of a pack.
struct RowFractions {
#ifndef PHYXEL_DOUBLE
  using Numbers = xsimd::batch<std::int32_t>;
  Numbers scrambled_rows;

  PHYXEL_INLINE explicit RowFractions(Index first) {
    alignas(64) std::int32_t rows[lanes];
    for (Index l = 0; l < lanes; ++l)
      rows[l] = static_cast<std::int32_t>(scrambled(static_cast<std::uint32_t>(first + l)));
    scrambled_rows = Numbers::load_aligned(rows);
  }
  PHYXEL_INLINE Pack of(std::uint32_t salt) const {
    return xsimd::to_float(scrambled_rows + Numbers(static_cast<std::int32_t>(salt))) *
           Pack(fraction_of(1));
  }
#else
  PHYXEL_INLINE explicit RowFractions(Index) {}
  PHYXEL_INLINE Pack of(std::uint32_t) const {
    return Pack(Real(0));
  }
#endif
};

template <int N>
PHYXEL_INLINE void move_dithered(const Slope<Pack, N>& slope, const Pack (&w)[N],
                                 const Pack& change, Index first, const Dither& dither,
                                 Vec3Pack (&x)[N]) {
  const RowFractions fractions(first);
  for (int k = 0; k < N; ++k)
    for (int c = 0; c < 3; ++c)
      x[k][c] = dithered_sum(x[k][c], Pack(slope.gradient[k][c] * (w[k] * change)),
                             fractions.of(dither.salt_of(3 * k + c)));
}

/// What pins hold takes up what pulls at it.
template <class Kind>
[[gnu::noinline]] void count_pulls(const StepView& s, const RowsView<Kind>& rows, Index first,
                                   const Slope<Pack, Kind::points>& slope,
                                   const Pack (&w)[Kind::points], const Pack& change) {
  // What several rows of a colour hold on to is pulled at by way of their own particles.
  for (int k = 0; k < Kind::points; ++k) {
    const Index* const to = rows.at[k < moved_points<Kind>() ? k : 0] + first;
    alignas(64) Real inverse_mass[lanes], pull[3][lanes];
    w[k].store_aligned(inverse_mass);
    for (int c = 0; c < 3; ++c) (slope.gradient[k][c] * change).store_aligned(pull[c]);
    for (Index l = 0; l < lanes; ++l)
      if (const Index i = to[l]; inverse_mass[l] == 0 && i < s.n)
        s.pull[i] += Vec3{pull[0][l], pull[1][l], pull[2][l]};
  }
}

/// Where corners were when the step began.
template <class Kind>
PHYXEL_INLINE Pack damped_change(const StepView& s, const RowsView<Kind>& rows, Index first,
                                 const Slope<Pack, Kind::points>& slope,
                                 const Pack (&w)[Kind::points], const Pack& lambda,
                                 const Vec3Pack (&x)[Kind::points], const StepNumbers& step) {
  Vec3Pack moved[Kind::points];
  for (int k = 0; k < Kind::points; ++k) {
    alignas(64) Real from[3][lanes];
    for (Index l = 0; l < lanes; ++l) {
      const Index i = rows.at[k][first + l];
      for (int c = 0; c < 3; ++c) from[c][l] = i < s.n ? s.x[i][c] : Real(0);
    }
    for (int c = 0; c < 3; ++c) moved[k][c] = x[k][c] - Pack::load_aligned(from[c]);
  }
  const Give<Pack> give{Pack::load_aligned(rows.compliance + first) * Pack(step.over_dt_squared),
                        Pack::load_aligned(rows.damping + first) * Pack(step.over_dt)};
  return multiplier_change(slope, w, lambda, give, moved);
}

template <class Kind, bool Dithered>
PHYXEL_INLINE void project_lanes(const StepView& s, const RowsView<Kind>& rows, Index first,
                                 const StepNumbers& step) {
  Vec3Pack x[Kind::points];
  Pack w[Kind::points];
  Vec<Pack, Kind::numbers> rest;
  for (int k = 0; k < Kind::points; ++k) {
    const QuadPack p = gather(s.p, rows.at[k] + first);
    x[k] = {p.c[0], p.c[1], p.c[2]};
    w[k] = p.c[3];
  }
  for (int k = 0; k < Kind::numbers; ++k) rest[k] = Pack::load_aligned(rows.rest[k] + first);
  const Slope<Pack, Kind::points> slope = Kind::slope(x, rest);
  const Pack lambda = rows.lambda ? Pack::load_aligned(rows.lambda + first) : Pack(Real(0));
  const Pack change =
      rows.damping && !step.by_share
          ? damped_change<Kind>(s, rows, first, slope, w, lambda, x, step)
          : change_of<Kind>(slope, w, Pack::load_aligned(rows.compliance + first), lambda, step);
  if (rows.lambda) (lambda + change).store_aligned(rows.lambda + first);
  if constexpr (Dithered)
    move_dithered(slope, w, change, first, s.dither, x);
  else
    move(slope, w, change, x);
  for (int k = 0; k < moved_points<Kind>(); ++k) {
    const Index* const at = rows.at[k] + first;
    const QuadPack p{{x[k][0], x[k][1], x[k][2], w[k]}};
    store_fours(
        p, [&](Index l) __attribute__((always_inline)) { return s.p[at[l]].c; }, lanes);
  }
  if (!s.pull) return;
  Pack least = w[0];
  for (int k = 1; k < Kind::points; ++k) least = min(least, w[k]);
  if (xsimd::any(least == Pack(Real(0)))) count_pulls<Kind>(s, rows, first, slope, w, change);
}

template <class Kind>
void project_colour(const Exec& exec, const StepView& view, const RowsView<Kind>& rows, Index start,
                    Index end, const StepNumbers& step) {
  for_runs(exec, Kind::name, end - start, [=](Index first, Index last) {
    for (Index row = start + first; row < start + last; row += lanes)
      if (view.dither.on)
        project_lanes<Kind, true>(view, rows, row, step);
      else
        project_lanes<Kind, false>(view, rows, row, step);
  });
}

#endif

template <class Kind>
PHYXEL_FN double energy_of(const StepView& s, const RowsView<Kind>& rows, Index row) {
  const Real compliance = rows.compliance[row];
  if (rows.at[0][row] >= s.n || !(compliance > 0) || compliance == no_stiffness) return 0;
  Vec3 x[Kind::points];
  Vec<Real, Kind::numbers> rest;
  for (int k = 0; k < Kind::points; ++k) x[k] = s.x[rows.at[k][row]];
  for (int k = 0; k < Kind::numbers; ++k) rest[k] = rows.rest[k][row];
  const double value = Kind::slope(x, rest).value;
  return value * value / (2 * double(compliance));
}

template <class Kind>
double energy_of_rows(const Exec& exec, const StepView& view, const RowsView<Kind>& rows, Index n) {
  const StepView s = view;
  return reduce_sum(
      exec, "pbd.energy", n, PHYXEL_LAMBDA(Index row) { return energy_of<Kind>(s, rows, row); });
}

PHYXEL_FN Real rest_length(const RowsView<Distance>& rows, Index row) {
  return rows.rest[0][row];
}
PHYXEL_FN Real rest_length(const RowsView<TriangleStretch>&, Index) {
  return 1;
}

struct AddStrains {
  PHYXEL_FN Strains operator()(const Strains& a, const Strains& b) const {
    return {a.squares + b.squares, a.largest < b.largest ? b.largest : a.largest,
            a.count + b.count};
  }
};

template <class Kind>
PHYXEL_FN Strains strain_of(const StepView& s, const RowsView<Kind>& rows, Index row) {
  if (rows.at[0][row] >= s.n) return {};
  Vec3 x[Kind::points];
  Vec<Real, Kind::numbers> rest;
  for (int k = 0; k < Kind::points; ++k) x[k] = s.x[rows.at[k][row]];
  for (int k = 0; k < Kind::numbers; ++k) rest[k] = rows.rest[k][row];
  const double strain = double(Kind::slope(x, rest).value) / double(rest_length(rows, row));
  return {strain * strain, strain < 0 ? -strain : strain, 1};
}

template <class Kind>
Strains strains_of_rows(const Exec& exec, const StepView& view, Rows<Kind>& of) {
  const StepView s = view;
  const RowsView<Kind> rows = of.view(false);
  return reduce(
      exec, "pbd.strain", of.size(), Strains{},
      PHYXEL_LAMBDA(Index row) { return strain_of<Kind>(s, rows, row); }, AddStrains{});
}

}  // namespace

Strains measure_strains(const Exec& exec, const StepView& view, AllRows& all) {
  return AddStrains{}(strains_of_rows(exec, view, std::get<Rows<Distance>>(all)),
                      strains_of_rows(exec, view, std::get<Rows<TriangleStretch>>(all)));
}

void clear_multipliers(const Exec& exec, AllRows& all) {
  for_each_kind(all, [&](auto& rows) { fill(exec, "pbd.multipliers", rows.lambda(), Real(0)); });
}

void project_rows(const Exec& exec, const StepView& view, const Sweep& sweep, AllRows& all) {
  const StepNumbers step = numbers_of(sweep);
  for_each_kind(all, [&]<class Kind>(Rows<Kind>& of) {
    const RowsView<Kind> rows = of.view(sweep.several);
    for (Index c = 0; c < of.colours(); ++c)
      project_colour<Kind>(exec, view, rows, of.start(c), of.start(c + 1), step);
  });
}

std::vector<std::pair<std::string, double>> strain_energies(const Exec& exec, const StepView& view,
                                                            AllRows& all) {
  std::vector<std::pair<std::string, double>> energies;
  for_each_kind(all, [&]<class Kind>(Rows<Kind>& of) {
    if (of.size() > 0)
      energies.emplace_back(std::string(Kind::name) + "_energy",
                            energy_of_rows(exec, view, of.view(false), of.size()));
  });
  return energies;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::pbd
