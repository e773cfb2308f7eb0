#pragma once

#include "phyxel/core/pack_rows.h"
#include "phyxel/methods/lattice/assigning_packs.h"
#include "phyxel/methods/lattice/fitting.h"

// Pass one on the CPU, for a pack of particles of one material.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

using LaneMask = Pack::batch_bool_type;

PHYXEL_INLINE HookeanLaw<Pack> everywhere(const HookeanLaw<Real>& law) {
  return {Pack(law.mu), Pack(law.lambda), Pack(law.volume), Pack(law.residual_modulus)};
}
PHYXEL_INLINE StiffnessLaw<Pack> everywhere(const StiffnessLaw<Real>& law) {
  return {Pack(law.stiffness)};
}
template <class T, int Dim>
PHYXEL_INLINE T strain_energy(const StiffnessLaw<T>&, const Fit<T, Dim>&) {
  return T(Real(0));
}

/// polar_of_regular of fit.h; every lane stops where it would alone.
PHYXEL_INLINE Mat3Pack rotation_of(const Mat3Pack& a) {
  constexpr Real rounding = 4 * std::numeric_limits<Real>::epsilon();
  Mat3Pack r = a;
  LaneMask moves = determinant(a) > Pack(Real(0.1));
  for (int round = 0; round < 20 && xsimd::any(moves); ++round) {
    const Mat3Pack next =
        (r + cofactor(r) * Quick<Pack>::reciprocal(determinant(r))) * Pack(Real(0.5));
    const Pack change = norm_squared(next - r);
    for (int k = 0; k < 9; ++k)
      r[k / 3][k % 3] = select(moves, next[k / 3][k % 3], r[k / 3][k % 3]);
    moves = moves && change >= Pack(rounding);
  }
  return r;
}
PHYXEL_INLINE MatPack<2> rotation_of(const MatPack<2>& a) {
  const Pack c = a[0][0] + a[1][1], s = a[1][0] - a[0][1];
  const Pack scale = Pack(Real(1)) / sqrt(max(c * c + s * s, Pack(smallest_normal<Real>)));
  return {{{c * scale, -s * scale}, {s * scale, c * scale}}};
}

/// Particles of one block that a pack takes.
struct Lanes {
  Index first, count;
};

/// visit(lanes) for packs of the particles from `first` to `last`.
template <class Visit>
PHYXEL_INLINE void for_lanes(Index first, Index last, const Visit& visit) {
  for (Index i = first; i < last;) {
    const Index end = std::min(last, i - i % lanes + lanes);
    visit(Lanes{i, end - i});
    i = end;
  }
}

/// Sums the moments; returns the lanes where neighbours span space.
template <int Dim>
PHYXEL_INLINE LaneMask sum_moments(const Solid& solid, const BlockBonds<Dim>& bonds,
                                   Moments<Pack, Dim>& m) {
  const Pack zero(Real(0)), one(Real(1));
  Pack held = zero;
  m.unit = solid.unit;
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const VecPack<Dim>& r = bonds.r[slot];
    const LaneMask is_pinned = length_squared(r) > zero;
    held += select(is_pinned, one, zero);
    add(m, select(is_pinned, Pack(weight_of<Dim>(solid.weights, slot)), zero), r,
        bonds.rest_of(slot, solid.spacing));
  }
  return held > Pack(Real(Dim)) && detail::is_even(m);
}

template <int Dim>
PHYXEL_INLINE Fit<Pack, Dim> fit_packs(const Moments<Pack, Dim>& m) {
  Fit<Pack, Dim> fit;
  fit.full = true;
  fit.gather = detail::inverse_in(m.unit, m.ll);
  fit.a = m.rl * fit.gather;
  fit.rotation = rotation_of(fit.a);
  const MatPack<Dim> s = transpose(fit.rotation) * fit.a;
  fit.stretch = (s + transpose(s)) * Pack(Real(0.5));
  return fit;
}

/// Rigid motion of neighbourhoods; returns the lanes where inertia is far from singular.
template <int Dim>
PHYXEL_INLINE LaneMask store_motion(const StepView<Dim>& s, const Solid& solid, const Lanes& at,
                                    const BlockBonds<Dim>& bonds) {
  const QuadPack own_x = load_fours([&](Index l) { return s.x_quad[at.first + l].c; }),
                 own_v = load_fours([&](Index l) { return s.v_quad[at.first + l].c; });
  MotionMoments<Pack, Dim> m(own_x.c[3]);
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const Index* const assigned = BlockBonds<Dim>::assigned_at(s, at.first, slot);
    const VecPack<Dim> v = vectors_of<Dim>(gather(s.v_quad, assigned)) - vectors_of<Dim>(own_v);
    const Pack w = select(length_squared(bonds.r[slot]) > Pack(Real(0)),
                          Pack(weight_of<Dim>(solid.weights, slot)), Pack(Real(0)));
    add(m, w * bonds.mass[slot], bonds.r[slot], v);
  }
  const VecPack<Dim> centre = m.r / m.mass, velocity = m.v / m.mass;
  const MatPack<Dim> spread = m.rr - outer(m.r, centre);
  const Spin<Pack, Dim> spin = free_spin(spread, m.rv - wedge(m.r, velocity));
  const VecPack<Dim> drift = velocity - turned(spin, centre);
  const Pack zero(Real(0));
  QuadPack spins{{zero, zero, zero, zero}}, drifts = spins;
  for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) spins.c[k] = spin[k];
  for (int k = 0; k < Dim; ++k) drifts.c[k] = drift[k];
  store_quads(spins, s.spin + at.first, at.count);
  store_quads(drifts, s.drift + at.first, at.count);
  return turns_freely(spread);
}

/// Forces of neighbourhoods; returns the lanes where inertia is far from singular.
template <class Law, int Dim>
PHYXEL_INLINE LaneMask store_force(const StepView<Dim>& s, const Solid& solid, const Law& law,
                                   const Lanes& at, const BlockBonds<Dim>& bonds,
                                   const Moments<Pack, Dim>& m, const Fit<Pack, Dim>& fit) {
  const Pull<Pack, Dim> pull = pull_of(law, m, fit);
  const Vec3Pack torques = load_vectors(s.torque + at.first, at.count);
  Spin<Pack, Dim> torque;
  for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) torque[k] = torques[Dim == 3 ? k : 2];
  NeighbourhoodForce<Pack, Dim> force{pull.b, pull.kappa, m.wr / (m.w + Pack(Real(1))), {}};
  const MatPack<Dim> spread = m.rr - outer(m.wr, force.centre);
  force.turn = free_spin(spread, wedge(m.rl * transpose(pull.b)) - torque);
  RowPack row;
  for (Pack& number : row.c) number = Pack(Real(0));
  write(for_assigned_of(force), row.c);
  store_rows(
      row, [&](Index l) { return s.force + at.first + l; }, at.count);
  const VecPack<Dim> own = force_on_centre(force, m);
  Vec3Pack own_force = Vec3Pack::zero();
  for (int k = 0; k < Dim; ++k) own_force[k] = own[k];
  store_vectors(own_force, s.own_force + at.first, at.count);
  Pack energy = strain_energy(law, fit);
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const VecPack<Dim>& r = bonds.r[slot];
    const Pack w(weight_of<Dim>(solid.weights, slot));
    energy += select(length_squared(r) > Pack(Real(0)),
                     residual_energy(law, force, fit, w, r, bonds.rest_of(slot, solid.spacing)),
                     Pack(Real(0)));
  }
  store(energy, s.energy + at.first, at.count);
  return turns_freely(spread);
}

/// Slots that give way.
template <int Dim>
PHYXEL_INLINE void break_bonds(const StepView<Dim>& s, const Solid& solid, const Lanes& at,
                               const BlockBonds<Dim>& bonds, const Fit<Pack, Dim>& fit,
                               std::uint32_t good) {
  const MatPack<Dim> strains = strain(fit);
  const MatPack<Dim> tension = solid.kind == LawKind::hookean
                                   ? stress(everywhere(solid.hookean), strains)
                                   : strains * Pack(solid.youngs_modulus);
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const VecPack<Dim> l = bonds.rest_of(slot, solid.spacing);
    const LaneMask broken = dot(l, tension * l) / length_squared(l) > Pack(solid.strength) &&
                            length_squared(bonds.r[slot]) > Pack(Real(0));
    for_bits(bits_of(broken) & good, [&](Index lane) { break_bond(s, at.first + lane, slot); });
  }
}

/// fit_solid for the lanes of a pack. Returns bits of those that need the scalar fit_particle.
template <class Law, int Dim>
PHYXEL_INLINE std::uint32_t fit_solids(const StepView<Dim>& s, const Solid& solid, const Law& law,
                                       const Lanes& at, const MatPack<Dim>& before,
                                       const BlockBonds<Dim>& bonds, Real dt) {
  Moments<Pack, Dim> m;
  LaneMask good = sum_moments(solid, bonds, m);
  const Fit<Pack, Dim> fit = fit_packs(m);
  good = good && determinant(fit.a) > Pack(Real(0.1));
  good = good && store_force(s, solid, law, at, bonds, m, fit);
  if (solid.damping > 0) good = good && store_motion(s, solid, at, bonds);
  for (Index l = 0; l < at.count; ++l) s.takes_torque[at.first + l] = 1;
  const std::uint32_t done = bits_of(good) & first_lanes(at.count);
  if (dt > 0) {
    Mat3Pack a = Mat3Pack::identity();
    for (int r = 0; r < Dim; ++r)
      for (int c = 0; c < Dim; ++c) a[r][c] = select(good, fit.a[r][c], before[r][c]);
    store(a, s.a + at.first, at.count);
    if (solid.fractures && std::isfinite(solid.strength))
      break_bonds(s, solid, at, bonds, fit, done);
  }
  return first_lanes(at.count) & ~done;
}

/// Bits of particles whose assignments need no search.
struct AtRest {
  std::uint32_t steady = 0;  // solids, provided that no assigned particle leaves its slot
  std::uint32_t liquid = 0;  // liquid now as in the step before
};
template <int Dim>
PHYXEL_INLINE bool has_liquid_assigned(const StepView<Dim>& s, Index i) {
  if (!s.has_liquid || (!s.phases_changed && (s.calm[i] & calm_mutual) != 0)) return false;
  bool found = false;
  for (int slot = 0; slot < s.slots; ++slot) found = found || s.is_liquid(s.assigned(i, slot));
  return found;
}
template <int Dim>
PHYXEL_INLINE AtRest find_those_at_rest(const StepView<Dim>& s, const Lanes& at) {
  AtRest rest;
  for (Index l = 0; l < at.count; ++l) {
    const Index i = at.first + l;
    const std::uint8_t calm = s.calm[i];
    const std::uint32_t bit = std::uint32_t{1} << l;
    if (s.is_liquid(i))
      rest.liquid |= (calm & calm_liquid) != 0 ? bit : 0;
    else if ((calm & calm_steady) != 0 && !has_liquid_assigned(s, i))
      rest.steady |= bit;
  }
  return rest;
}

/// Bits of particles whose assignments have to be searched again.
template <int Dim>
PHYXEL_INLINE std::uint32_t find_searching(const StepView<Dim>& s, const Solid& solid,
                                           const Lanes& at, const MatPack<Dim>& a,
                                           BlockBonds<Dim>& bonds) {
  const std::uint32_t all = first_lanes(at.count);
  const AtRest rest = find_those_at_rest(s, at);
  std::uint32_t searching = all & ~rest.steady & ~rest.liquid;
  if (rest.steady == 0) return searching;
  bonds.fetch(s, at.first, s.slots_of(solid));
  const Losses losses = find_losses(solid, a, bonds);
  searching |= losses.lost & rest.steady;
  if (cracks_stay(solid)) return searching;
  for_bits(losses.open & rest.steady & ~searching, [&](Index l) {
    if (has_visitors(s, at.first + l)) searching |= std::uint32_t{1} << l;
  });
  return searching;
}

/// Pass one for a pack of particles.
template <int Dim>
PHYXEL_INLINE void fit_lanes(const StepView<Dim>& s, const Lanes& at, Real dt) {
  const Solid& solid = s.solid(at.first);
  const std::uint32_t all = first_lanes(at.count);
  bool alike = true;
  for (Index l = 1; l < at.count; ++l)
    alike = alike && s.material[at.first + l] == s.material[at.first];
  const MatPack<Dim> a = load_matrices<Dim>(s.a + at.first, at.count);
  BlockBonds<Dim> bonds;
  const bool looks = dt > 0 && alike;
  const std::uint32_t searching = looks ? find_searching(s, solid, at, a, bonds) : all;
  for (Index l = 0; l < at.count; ++l) s.changed[at.first + l] = 0;
  for_bits(searching, [&](Index l) { find_assignment<AssignNearestInPacks>(s, at.first + l, dt); });
  std::uint32_t alone = all, liquid = 0;
  for (Index l = 0; l < at.count; ++l) liquid |= std::uint32_t{s.is_liquid(at.first + l)} << l;
  if (alike && liquid != all && !solid.yields) {
    if (searching != 0 || s.has_liquid) bonds.fetch(s, at.first, s.slots_of(solid));
    alone = solid.kind == LawKind::hookean
                ? fit_solids(s, solid, everywhere(solid.hookean), at, a, bonds, dt)
                : fit_solids(s, solid, everywhere(solid.springs), at, a, bonds, dt);
  }
  for_bits(alone, [&](Index l) { fit_particle(s, at.first + l, dt); });
}

/// SumDensity a pack of neighbours at a time.
struct SumDensityInPacks {
  template <int Dim>
  PHYXEL_INLINE Real operator()(const StepView<Dim>& s, Index i) const {
    const VecPack<Dim> at = everywhere(narrow<Dim>(s.x[i]));
    const Index* const row = s.neighbour + s.row_start[i];
    Pack ratio(Real(0));
    for (Index e = 0; e < s.row_count[i]; e += lanes) {
      const VecPack<Dim> r = between(s, at, vectors_of<Dim>(gather(s.x_quad, row + e)));
      const Pack distance = Quick<Pack>::root(max(length_squared(r), Pack(smallest_normal<Real>)));
      ratio += gather(s.v_quad, row + e).c[3] * weight(s.kernel, distance);
    }
    return xsimd::hadd(ratio);
  }
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
