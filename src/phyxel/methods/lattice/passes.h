#pragma once

#include <limits>

#include "phyxel/colliders/collider_view.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
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

constexpr ParticleId no_holder = 0xffffffff;
constexpr ParticleId any_holder = 0xfffffffe;  // a new particle's slots take whoever is there

/// What particles have to know of the neighbourhood of one of them, found by pass one of a step and
/// read by pass two.
template <int Dim>
struct Neighbourhood {
  NeighbourhoodForce<Real, Dim> force;
  RigidMotion<Real, Dim> motion;
  Vec<Real, Dim> v;          // of its particle, before forces, m/s
  Vec<Real, Dim> own_force;  // N
  Index holder[most_slots];  // -1: empty
  bool takes_torque;         // holders are where forces on them can have any moment
  bool is_liquid;
  Real tension;  // p / ratio^2 of its particle as a liquid, Pa
};

/// Largest values that limit a step.
struct Extremes {
  Real speed_squared = 0;                               // m^2/s^2
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite number
};

/// Everything the kernels of a step read and write: numbers and pointers, copied into each kernel.
template <int Dim>
struct StepView {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  const Real* mass = nullptr;
  const ParticleId* id = nullptr;
  const Index* material = nullptr;
  const Index* body = nullptr;
  const Index* pin = nullptr;  // null where there are no pins
  const Vec3* x_at_build = nullptr;
  Mat3* a = nullptr;
  SlotRates* rates = nullptr;
  SlotHolders* holders = nullptr;
  Vec3* torque = nullptr;  // that friction at particles owes their neighbourhoods, N m
  std::uint8_t* phase = nullptr;
  const Real* temperature = nullptr;
  sph::Kernel kernel;  // of liquids
  Real self = 0;       // ratio that a particle of unit volume adds to its own
  bool flows = false;  // there may be liquid
  Neighbourhood<Dim>* around = nullptr;
  Real* energy = nullptr;  // J
  Index* is_near = nullptr;
  const Index* row_start = nullptr;
  const Index* row_count = nullptr;
  const Index* neighbour = nullptr;
  const Solid* solids = nullptr;  // by material
  const PinView* pins = nullptr;
  ColliderViews colliders;
  PeriodicBox box;
  Vec3 gravity = Vec3::zero();
  std::uint32_t seed = 0;
  std::uint64_t step = 0;
  Real skin = 0;          // m, that rows reach beyond neighbours
  bool all_near = false;  // colliders have moved since is_near was found

  PHYXEL_FN bool is_held(Index i) const { return pin && pin[i] >= 0 && pins[pin[i]].active; }
  PHYXEL_FN bool meets_colliders(Index i) const {
    return colliders.count > 0 && (all_near || is_near[i] != 0);
  }
  PHYXEL_FN const Solid& solid(Index i) const { return solids[material[i]]; }
  PHYXEL_FN bool is_liquid(Index i) const {
    return phase[i] == static_cast<std::uint8_t>(Phase::liquid);
  }
  /// Of a particle at rest, m^3.
  PHYXEL_FN Real volume(Index i) const { return mass[i] / solid(i).liquid.density; }
  /// x_j - x_i.
  PHYXEL_FN Vec<Real, Dim> between(Index i, Index j) const {
    return narrow<Dim>(minimum_image(box, x[j] - x[i]));
  }
};

/// Finds the particles that colliders may reach before rows are built again.
template <int Dim>
void find_near(const Exec& exec, const StepView<Dim>& view);

/// x += v dt, and what pins and colliders do about it. Returns the largest squared distance from
/// where the rows were built, m^2.
template <int Dim>
Real move_particles(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Who holds which slot, how lattices lie, and the forces of neighbourhoods: pass one. With dt = 0
/// nothing is remembered.
template <int Dim>
void fit_lattices(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Forces of neighbourhoods, contact and gravity, damping, and v += a dt: pass two. With dt = 0
/// velocities stay as they are.
template <int Dim>
Extremes apply_forces(const Exec& exec, const StepView<Dim>& view, Real dt);

/// Who melts and who freezes, after pass two. Wicke et al. 2006, section 5.
template <int Dim>
void change_phases(const Exec& exec, const StepView<Dim>& view, Real dt);

}  // namespace phyxel::lattice
