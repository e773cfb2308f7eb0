#pragma once

#include <limits>

#include "phyxel/colliders/collider_view.h"
#include "phyxel/core/quad.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/matter/sph_wall.h"
#include "phyxel/methods/lattice/claims.h"
#include "phyxel/methods/lattice/damping.h"
#include "phyxel/methods/lattice/dimension.h"
#include "phyxel/methods/lattice/solid.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::lattice {

/// Slots of two shells in space, which nobody exceeds.
constexpr int most_slots = slot_count<3>(2);

/// What a particle remembers of its slots, where its material may break.
using SlotRates = Vec<Real, most_slots>;          // docking rates, 1/s
using SlotHolders = Vec<ParticleId, most_slots>;  // who holds them

/// Where the holders of slots are at rest, from their lattice points, m: zero but where matter has
/// frozen. Four numbers each, as packs read them.
using SlotRests = Vec<Real, 4 * most_slots>;

constexpr ParticleId no_holder = 0xffffffff;
constexpr ParticleId any_holder = 0xfffffffe;  // a new particle's slots take whoever is there

/// Particles whose holders lie side by side, slot by slot.
constexpr Index holder_block = 16;

/// Where the holder of a slot of particle i is.
PHYXEL_FN Index place_in_block(Index i, int slot, int slots) {
  return (i / holder_block * slots + slot) * holder_block + i % holder_block;
}

/// What is known of a particle as long as no holder changes near it, so that a step need not look
/// through its row. Bits of StepView::calm.
enum Calm : std::uint8_t {
  calm_steady = 1,  // what it remembers stays as long as its holders do
  calm_mutual = 2,  // it is held by its holders, in the opposite slots, and by nobody else
  calm_alone = 4,   // only holders may come near enough to touch until rows are built again
  calm_liquid = 8,  // it was liquid when holders were found
};

inline namespace PHYXEL_BACKEND {

/// Everything the kernels of a step read and write: numbers and pointers, copied into each kernel.
/// What packs read is filled up to whole blocks of particles.
template <int Dim>
struct StepView {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  const Real* mass = nullptr;
  const ParticleId* id = nullptr;
  const Index* material = nullptr;
  Index* object = nullptr;     // which it belongs to: who freezes joins that of its neighbours
  const Index* pin = nullptr;  // null where there are no pins
  const Vec3* x_at_build = nullptr;
  Mat3* a = nullptr;
  SlotRates* rates = nullptr;
  SlotHolders* holders = nullptr;
  SlotRests* rests = nullptr;  // null where nothing freezes, as the next two
  Real* closer = nullptr;      // m, by which others may be nearer than a spacing without contact
  Index* sets_in = nullptr;    // step in which who has frozen takes its bonds
  Mat3* plastic = nullptr;     // Q of plasticity.h; only where something yields
  Vec3* torque = nullptr;      // that friction at particles owes their neighbourhoods, N m
  std::uint8_t* phase = nullptr;
  const Real* temperature = nullptr;

  // What pass one finds and pass two reads of other particles.
  Quad* x_quad = nullptr;  // position, mass
  Quad* v_quad = nullptr;  // velocity before forces, volume at rest
  Quad* flow =
      nullptr;  // viscosity, bulk viscosity, 1 where liquid, p / ratio^2; only with liquids
  Row16* force = nullptr;     // HolderForce
  Quad* spin = nullptr;       // of the rigid motion; only with damping
  Quad* drift = nullptr;      // its velocity at the particle, relative to it; only with damping
  Vec3* own_force = nullptr;  // N
  std::uint8_t* takes_torque = nullptr;  // forces on holders can have any moment
  Index* holder = nullptr;               // in blocks; a particle's own index where a slot is empty
  int slots = 0;                         // of the material with most of them
  std::uint8_t* calm = nullptr;
  std::uint8_t* changed = nullptr;  // holders are others than before
  std::uint8_t* beside_changed =
      nullptr;  // or those of a neighbour; null: rows have to be looked at

  sph::Kernel kernel;                     // of liquids
  const sph::WallTable* walls = nullptr;  // what colliders do to them
  Real self = 0;                          // ratio that a particle of unit volume adds to its own
  bool flows = false;                     // there may be liquid
  bool phases_changed = false;            // since it was found who is calm
  Real* energy = nullptr;                 // J
  Index* is_near = nullptr;
  const Index* row_start = nullptr;
  const Index* row_count = nullptr;
  const Index* neighbour = nullptr;
  const Solid* solids = nullptr;  // by material
  const PinView* pins = nullptr;
  ColliderViews colliders;
  PeriodicBox box;
  Period period;
  bool periodic = false;
  Vec3 gravity = Vec3::zero();
  std::uint32_t seed = 0;
  std::uint64_t step = 0;
  Real skin = 0;             // m, that rows reach beyond neighbours
  Real largest_spacing = 0;  // m
  Real largest_reach = 0;    // m, of solids
  bool all_near = false;     // colliders have moved since is_near was found

  PHYXEL_FN bool is_held(Index i) const { return pin && pin[i] >= 0 && pins[pin[i]].active; }
  PHYXEL_FN bool meets_colliders(Index i) const {
    return colliders.count > 0 && (all_near || is_near[i] != 0);
  }
  PHYXEL_FN const Solid& solid(Index i) const { return solids[material[i]]; }
  PHYXEL_FN bool is_liquid(Index i) const {
    return flows && phase[i] == static_cast<std::uint8_t>(Phase::liquid);
  }
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
  PHYXEL_FN Index& holder_of(Index i, int slot) const {
    return holder[place_in_block(i, slot, slots)];
  }
  /// Whether i has frozen in the step before.
  PHYXEL_FN bool sets(Index i) const { return rests && sets_in[i] == static_cast<Index>(step); }
  /// Where the holder of a slot of i is at rest, in the lattice's frame.
  PHYXEL_FN Vec<Real, Dim> rest_of(Index i, int slot) const {
    Vec<Real, Dim> l = slot_offset<Dim>(slot, solid(i).spacing);
    if (rests)
      for (int k = 0; k < Dim; ++k) l[k] += rests[i][4 * slot + k];
    return l;
  }
  PHYXEL_FN int slots_of(const Solid& solid) const { return slot_count<Dim>(solid.weights.shells); }
};

/// What one of several threads does of a sum: every `of`-th part.
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

/// The slot of j that i holds, or -1. All are read at once: to wait for one after the other takes
/// longer.
template <int Dim>
PHYXEL_FN int slot_held(const StepView<Dim>& s, Index j, Index i) {
  int found = -1;
  for (int slot = 0; slot < s.slots; ++slot) found = s.holder_of(j, slot) == i ? slot : found;
  return found;
}

/// visit(j, slot, w, r, l) for the holders of slots of i.
template <int Dim, class Visit>
PHYXEL_FN void for_holders(const StepView<Dim>& s, Index i, const Visit& visit) {
  const Solid& solid = s.solid(i);
  for (int slot = 0; slot < s.slots_of(solid); ++slot)
    if (const Index j = s.holder_of(i, slot); j != i)
      visit(j, slot, weight_of<Dim>(solid.weights, slot), s.between(i, j), s.rest_of(i, slot));
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lattice
