#pragma once

#include "phyxel/methods/mass_interaction/pair_sum.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel::mass_interaction {

inline namespace PHYXEL_BACKEND {

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ContactView {
  Vec3* spin = nullptr;          // 1/s; null where there is no friction
  Moving* at = nullptr;          // n + 1
  Quad* spin_quad = nullptr;     // n + 1
  Real* energy = nullptr;        // J
  const Real* radius = nullptr;  // m, by material
  PairView pairs;
  Real near = 0;  // m: colliders farther away are not met before rows are built again

  PHYXEL_FN Real radius_of(Index i) const { return radius[material[i]]; }
};

/// Finds the particles that colliders may reach before rows are built again.
void find_near(const Exec& exec, const StepView& view);

/// Positions and velocities as packs read them.
void pack_particles(const Exec& exec, const StepView& view);

/// x += v dt, with pins and contact with colliders.
Moved move_particles(const Exec& exec, const StepView& view, Real dt);

/// Forces of pairs and gravity, and v += a dt. With dt = 0 velocities and the memory of pairs stay
/// as they are.
Extremes apply_forces(const Exec& exec, const StepView& view, Real dt);

/// Largest extent of all particles, m.
Real extent_of(const Exec& exec, const Column<Vec3>& x);

Real largest_speed_squared(const Exec& exec, const Column<Vec3>& v);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mass_interaction
