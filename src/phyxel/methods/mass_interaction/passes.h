#pragma once

#include <limits>

#include "phyxel/colliders/collider_view.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/methods/mass_interaction/pair_sum.h"

namespace phyxel::mass_interaction {

inline namespace PHYXEL_BACKEND {

/// State of a step beside the particles, in their order.
struct StepColumns {
  Column<Moving> at;    // n + 1
  Column<Quad> spin;    // n + 1
  Column<Real> energy;  // J
  Column<Index> is_near;
  Column<Vec3> x_at_build;
};

/// Largest values that limit a step.
struct Extremes {
  Real speed_squared = 0;                               // m^2/s^2
  Real stiffness = 0;                                   // of all pairs of a mass over it, 1/s^2
  Real viscosity = 0;                                   // the same, 1/s
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite number
};

/// Everything the kernels of a step read and write: numbers and pointers, copied into each kernel.
struct StepView {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  Vec3* spin = nullptr;  // 1/s; null where there is no friction
  const Real* mass = nullptr;
  const Index* material = nullptr;
  const Index* pin = nullptr;  // null where there are no pins
  const Vec3* x_at_build = nullptr;
  Moving* at = nullptr;
  Quad* spin_quad = nullptr;
  Real* energy = nullptr;
  Index* is_near = nullptr;
  const Real* radius = nullptr;  // m, by material
  const PinView* pins = nullptr;
  ColliderViews colliders;
  PairView pairs;
  PeriodicBox box;
  Vec3 gravity = Vec3::zero();
  Real near = 0;  // m: colliders farther away are not met before rows are built again
  bool flat = false;
  bool all_near = false;  // colliders have moved since is_near was found

  PHYXEL_FN bool is_held(Index i) const { return pin && pin[i] >= 0 && pins[pin[i]].active; }
  PHYXEL_FN bool meets_colliders(Index i) const {
    return colliders.count > 0 && (all_near || is_near[i] != 0);
  }
  PHYXEL_FN Real radius_of(Index i) const { return radius[material[i]]; }
};

/// Finds the particles that colliders may reach before rows are built again.
void find_near(const Exec& exec, const StepView& view);

/// Positions and velocities as packs read them.
void pack_particles(const Exec& exec, const StepView& view);

struct Moved {
  Real path_squared = 0;   // m^2, since the rows were built
  Real speed_squared = 0;  // m^2/s^2
};
/// x += v dt, and what pins and colliders do about it.
Moved move_particles(const Exec& exec, const StepView& view, Real dt);

/// Forces of pairs and gravity, and v += a dt. With dt = 0 velocities stay as they are, and pairs
/// remember nothing.
Extremes apply_forces(const Exec& exec, const StepView& view, Real dt);

/// Largest extent of all particles, m.
Real extent_of(const Exec& exec, const Column<Vec3>& x);

Real largest_speed_squared(const Exec& exec, const Column<Vec3>& v);

/// Of all pairs, J.
double measure_energy(const Exec& exec, const Column<Real>& energy);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mass_interaction
