#pragma once

#include "phyxel/core/quad.h"
#include "phyxel/matter/sph_wall.h"
#include "phyxel/methods/lattice/assignment.h"
#include "phyxel/methods/lattice/damping.h"
#include "phyxel/methods/lattice/dimension.h"
#include "phyxel/methods/lattice/solid.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel::lattice {

/// Slots of two shells in space, the most that a particle may have.
constexpr int most_slots = slot_count<3>(2);

/// State of the slots of a particle that lasts from step to step.
using SlotRates = Vec<Real, most_slots>;  // docking rates, 1/s
using SlotIds = Vec<SlotId, most_slots>;  // of the particles assigned to them

/// Where assigned particles are at rest, relative to the lattice points, m: zero except where
/// matter has frozen. Four numbers each, as packs read them.
using SlotRests = Vec<Real, 4 * most_slots>;

/// Particles whose assignments lie side by side, slot by slot.
constexpr Index slot_block = 16;

/// Index into StepView::assignment for a slot of particle i.
PHYXEL_FN Index place_in_block(Index i, int slot, int slots) {
  return (i / slot_block * slots + slot) * slot_block + i % slot_block;
}

/// What is known of a particle as long as no assignment changes near it, so that a step need not
/// look through its row. Bits of StepView::calm.
enum Calm : std::uint8_t {
  calm_steady = 1,  // docking rates stay as they are while its assignment stays
  calm_mutual =
      2,  // it is assigned to the opposite slots of particles assigned to it, and to no others
  calm_alone =
      4,  // only assigned particles may come near enough to touch until rows are built again
  calm_liquid = 8,  // it was liquid when neighbours were assigned
};

inline namespace PHYXEL_BACKEND {

/// What the kernels of a step read and write beside what all methods have. What packs read is
/// filled up to whole blocks of particles.
struct StepPointers : ContactView {
  Index* object = nullptr;  // that it is part of: frozen matter joins that of its neighbours
  Mat3* a = nullptr;
  SlotRates* rates = nullptr;
  SlotIds* slot_ids = nullptr;
  SlotRests* rests = nullptr;  // null where nothing freezes, as the next two
  Real* contact_offset =
      nullptr;  // m, by which others may be nearer than a spacing without contact
  Index* frozen_in_step = nullptr;  // step in which a frozen particle takes its bonds
  Mat3* plastic = nullptr;          // Q of plasticity.h; null where nothing yields
  Vec3* torque = nullptr;           // that friction at particles owes their neighbourhoods, N m
  std::uint8_t* phase = nullptr;

  // Pass one writes these; pass two reads them of other particles.
  Quad* x_quad = nullptr;  // position, mass
  Quad* v_quad = nullptr;  // velocity before forces, volume at rest
  Quad* flow =
      nullptr;  // viscosity, bulk viscosity, 1 where liquid, p / ratio^2; only with liquids
  Row16* force = nullptr;     // AssignedForce
  Quad* spin = nullptr;       // of the rigid motion; only with damping
  Quad* drift = nullptr;      // its velocity at the particle, relative to it; only with damping
  Vec3* own_force = nullptr;  // N
  std::uint8_t* takes_torque =
      nullptr;                  // assigned particles span space: any torque can act on them
  Index* assignment = nullptr;  // in blocks; a particle's own index where a slot is empty
  int slots = 0;                // of the material with most of them
  std::uint8_t* calm = nullptr;
  std::uint8_t* changed = nullptr;  // assignments have changed in this step
  std::uint8_t* beside_changed =
      nullptr;             // or those of a neighbour have; null: rows have to be looked at
  Real* energy = nullptr;  // J
};

/// With the numbers of a step.
template <int Dim>
struct StepView : StepPointers {
  sph::SmoothingKernel kernel;            // of liquids
  const sph::WallTable* walls = nullptr;  // what colliders add to their density
  Real self = 0;                          // ratio that a particle of unit volume adds to its own
  bool has_liquid = false;                // there may be liquid
  bool phases_changed = false;            // in the last step, or not known
  const Solid* solids = nullptr;          // by material
  std::uint32_t seed = 0;
  std::uint64_t step = 0;
  Real skin = 0;             // m, that rows reach beyond neighbours
  Real largest_spacing = 0;  // m
  Real largest_reach = 0;    // m, of solids

  PHYXEL_FN const Solid& solid(Index i) const { return solids[material[i]]; }
  PHYXEL_FN bool is_liquid(Index i) const {
    return has_liquid && phase[i] == static_cast<std::uint8_t>(Phase::liquid);
  }
  PHYXEL_FN SlotId slot_id(Index i) const { return lattice::slot_id(id[i]); }
  /// Of a particle at rest, m^3.
  PHYXEL_FN Real volume(Index i) const { return mass[i] / solid(i).liquid.density; }
  /// x_j - x_i.
  PHYXEL_FN Vec<Real, Dim> between(Index i, Index j) const {
    return narrow<Dim>(minimum_image(box, x[j] - x[i]));
  }
  /// Velocity before forces.
  PHYXEL_FN Vec<Real, Dim> velocity(Index i) const {
    Vec<Real, Dim> result;
    for (int k = 0; k < Dim; ++k) result[k] = v_quad[i].c[k];
    return result;
  }
  PHYXEL_FN Index& assigned(Index i, int slot) const {
    return assignment[place_in_block(i, slot, slots)];
  }
  /// Whether i has frozen in the step before.
  PHYXEL_FN bool has_just_frozen(Index i) const {
    return rests && frozen_in_step[i] == static_cast<Index>(step);
  }
  /// Where the particle assigned to a slot of i is at rest, in the lattice's frame.
  PHYXEL_FN Vec<Real, Dim> rest_of(Index i, int slot) const {
    Vec<Real, Dim> l = slot_offset<Dim>(slot, solid(i).spacing);
    if (rests)
      for (int k = 0; k < Dim; ++k) l[k] += rests[i][4 * slot + k];
    return l;
  }
  PHYXEL_FN int slots_of(const Solid& solid) const { return slot_count<Dim>(solid.weights.shells); }
};

/// The terms of a sum that one of several threads adds: every `of`-th from `first` on.
struct Share {
  Index first = 0, of = 1;
};

/// visit(j) for all neighbours of i, or a share of them.
template <int Dim, class Visit>
PHYXEL_FN void for_row(const StepView<Dim>& s, Index i, const Visit& visit,
                       const Share& share = {}) {
  const Index* const row = s.neighbour + s.row_start[i];
  for (Index k = share.first; k < s.row_count[i]; k += share.of) visit(row[k]);
}

/// The slot of j that i is assigned to, or -1. All slots are read without a branch, so that the
/// loads overlap.
template <int Dim>
PHYXEL_FN int slot_assigned_to(const StepView<Dim>& s, Index j, Index i) {
  int found = -1;
  for (int slot = 0; slot < s.slots; ++slot) found = s.assigned(j, slot) == i ? slot : found;
  return found;
}

/// visit(j, slot, w, r, l) for the particles assigned to slots of i.
template <int Dim, class Visit>
PHYXEL_FN void for_assigned(const StepView<Dim>& s, Index i, const Visit& visit) {
  const Solid& solid = s.solid(i);
  for (int slot = 0; slot < s.slots_of(solid); ++slot)
    if (const Index j = s.assigned(i, slot); j != i)
      visit(j, slot, weight_of<Dim>(solid.weights, slot), s.between(i, j), s.rest_of(i, slot));
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
