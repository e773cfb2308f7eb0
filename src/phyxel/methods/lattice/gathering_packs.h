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

/// What the neighbourhoods of holders do to the particles of a pack; they sit in the opposite slots
/// there. Lanes that are not calm mean nothing.
template <int Dim>
PHYXEL_INLINE GatheredPacks<Dim> gather_holders(const StepView<Dim>& s, const Solid& solid,
                                                const Lanes& at, Real dt) {
  const QuadPack own_x = load_fours([&](Index l) { return s.x_quad[at.first + l].c; }),
                 own_v = load_fours([&](Index l) { return s.v_quad[at.first + l].c; });
  const Pack zero(Real(0)), share(damped_share(solid, dt));
  GatheredPacks<Dim> sum;
  for (int slot = 0; slot < slot_count<Dim>(solid.weights.shells); ++slot) {
    const Index* const holders = BlockBonds<Dim>::holders_at(s, at.first, slot);
    const VecPack<Dim> r =
        between(s, vectors_of<Dim>(gather(s.x_quad, holders)), vectors_of<Dim>(own_x));
    const Pack w =
        select(length_squared(r) > zero, Pack(weight_of<Dim>(solid.weights, slot)), zero);
    const RowPack row = load_rows([&](Index l) { return s.force + holders[l]; });
    sum.force += force_on_holder(read<Dim>(row.c), w, r,
                                 everywhere(slot_offset<Dim>(slot ^ 1, solid.spacing)));
    if (solid.damping <= 0) continue;
    const QuadPack spins = gather(s.spin, holders);
    Spin<Pack, Dim> spin;
    for (int k = 0; k < (Dim == 3 ? 3 : 1); ++k) spin[k] = spins.c[k];
    const VecPack<Dim> v = vectors_of<Dim>(gather(s.v_quad, holders)),
                       drift = vectors_of<Dim>(gather(s.drift, holders));
    sum.change -= (vectors_of<Dim>(own_v) - v - drift - turned(spin, r)) * (share * w);
  }
  return sum;
}

/// What each particle of a pack gathers.
template <int Dim>
PHYXEL_INLINE void gather_lanes(const StepView<Dim>& s, const Lanes& at, Real dt,
                                Gathered<Dim>* sums) {
  std::uint32_t calm = 0;
  for (Index l = 0; l < at.count; ++l) {
    const Index i = at.first + l;
    calm |= std::uint32_t{needs_holders_only(s, i) && s.material[i] == s.material[at.first]} << l;
    sums[l] = own_part(s, i, dt);
  }
  if (calm != 0) {
    const GatheredPacks<Dim> packs = gather_holders(s, s.solid(at.first), at, dt);
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
           [&](Index l) { sums[l] = gather_row(s, at.first + l, dt); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
