#pragma once

#include "phyxel/methods/lattice/fitting_packs.h"
#include "phyxel/methods/lattice/gathering.h"

// Pass two on the CPU, for a pack of particles of one material.

namespace phyxel::lattice {

inline namespace PHYXEL_BACKEND {

template <int Dim>
struct GatheredPacks {
  VecPack<Dim> force = VecPack<Dim>::zero(), change = VecPack<Dim>::zero();
};

/// Forces and damping on the particles of a pack by the neighbourhoods of their assigned particles,
/// where they have the opposite slots. Only lanes of calm particles are valid.
template <int Dim>
PHYXEL_INLINE GatheredPacks<Dim> gather_assigned(const StepView<Dim>& s, const Solid& solid,
                                                 const Lanes& at, Real dt) {
  const QuadPack own_x = load_fours([&](Index l) { return s.x_quad[at.first + l].c; }),
                 own_v = load_fours([&](Index l) { return s.v_quad[at.first + l].c; });
  const Pack zero(Real(0)), share(damped_share(solid, dt));
  GatheredPacks<Dim> sum;
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const Index* const assigned = BlockBonds<Dim>::assigned_at(s, at.first, slot);
    const VecPack<Dim> r =
        between(s, vectors_of<Dim>(gather(s.x_quad, assigned)), vectors_of<Dim>(own_x));
    const Pack w =
        select(length_squared(r) > zero, Pack(weight_of<Dim>(solid.weights, slot)), zero);
    const RowPack row = load_rows([&](Index l) { return s.force + assigned[l]; });
    VecPack<Dim> l = everywhere(slot_offset<Dim>(slot ^ 1, solid.spacing));
    if (s.rests) l += shifts_of<Dim>(s, slot ^ 1, [&](Index k) { return assigned[k]; });
    sum.force += force_on_assigned(read<Dim>(row.c), w, r, l);
    if (solid.damping <= 0) continue;
    const QuadPack spins = gather(s.spin, assigned);
    Spin<Pack, Dim> spin;
    for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) spin[k] = spins.c[k];
    const VecPack<Dim> v = vectors_of<Dim>(gather(s.v_quad, assigned)),
                       drift = vectors_of<Dim>(gather(s.drift, assigned));
    sum.change -= (vectors_of<Dim>(own_v) - v - drift - turned(spin, r)) * (share * w);
  }
  return sum;
}

/// gather_row a pack of neighbours at a time: liquids together, solids one by one where they are
/// near enough for bonds and contact.
template <int Dim>
PHYXEL_INLINE Gathered<Dim> gather_row_in_packs(const StepView<Dim>& s, Index i, Real dt) {
  const bool liquid = s.is_liquid(i);
  const Index* const row = s.neighbour + s.row_start[i];
  const VecPack<Dim> at = everywhere(narrow<Dim>(s.x[i])), own_v = everywhere(s.velocity(i));
  const Quad own = s.has_liquid ? s.flow[i] : Quad{};
  const Pack zero(Real(0)), reach(s.largest_reach);
  Gathered<Dim> sum = own_part(s, i, dt);
  VecPack<Dim> pushed = VecPack<Dim>::zero();
  for (Index e = 0; e < s.row_count[i]; e += lanes) {
    const VecPack<Dim> r = between(s, at, vectors_of<Dim>(gather(s.x_quad, row + e)));
    const Pack squared = length_squared(r);
    std::uint32_t solids = bits_of(squared < reach * reach) & first_lanes(s.row_count[i] - e);
    if (s.has_liquid) {
      const QuadPack other = gather(s.flow, row + e);
      const LaneMask is_liquid = other.c[2] > zero || LaneMask(liquid);
      if (xsimd::any(is_liquid)) {
        const QuadPack v = gather(s.v_quad, row + e);
        sph::Pair<Pack> pair{squared, dot(vectors_of<Dim>(v) - own_v, r),
                             other.c[3] + Pack(own.c[3]),
                             sph::shared_viscosity(Pack(own.c[0]), other.c[0]),
                             (Pack(own.c[1]) + other.c[1]) * Pack(Real(0.5))};
        // Solids have no viscosity of their own.
        if (!liquid) pair.viscosity = other.c[0];
        pair.viscosity = select(other.c[2] > zero, pair.viscosity, Pack(own.c[0]));
        const Pack volumes = Pack(s.v_quad[i].c[3]) * v.c[3];
        pushed += r * select(is_liquid, volumes * pull(s.kernel, Dim, pair), zero);
      }
      solids &= ~bits_of(is_liquid);
    }
    for_bits(solids, [&](Index l) { add_solid(s, i, row[e + l], dt, sum); });
  }
  for (int k = 0; k < Dim; ++k) sum.force[k] += xsimd::hadd(pushed[k]);
  return sum;
}

/// What each particle of a pack gathers.
template <int Dim>
PHYXEL_INLINE void gather_lanes(const StepView<Dim>& s, const Lanes& at, Real dt,
                                Gathered<Dim>* sums) {
  std::uint32_t calm = 0;
  for (Index l = 0; l < at.count; ++l) {
    const Index i = at.first + l;
    calm |= std::uint32_t{needs_assigned_only(s, i) && s.material[i] == s.material[at.first]} << l;
    sums[l] = own_part(s, i, dt);
  }
  if (calm != 0) {
    const GatheredPacks<Dim> packs = gather_assigned(s, s.solid(at.first), at, dt);
    alignas(64) Real force[Dim][lanes], change[Dim][lanes];
    for (int k = 0; k < Dim; ++k) {
      packs.force[k].store_aligned(force[k]);
      packs.change[k].store_aligned(change[k]);
    }
    for_bits(calm, [&](Index l) {
      for (int k = 0; k < Dim; ++k) {
        sums[l].force[k] += force[k][l];
        sums[l].change[k] += change[k][l];
      }
    });
  }
  for_bits(first_lanes(at.count) & ~calm,
           [&](Index l) { sums[l] = gather_row_in_packs(s, at.first + l, dt); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
