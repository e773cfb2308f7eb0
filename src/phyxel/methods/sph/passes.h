#pragma once

#include <limits>

#include "phyxel/colliders/collider_view.h"
#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/matter/sph_wall.h"
#include "phyxel/methods/sph/pair_sum.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

constexpr Real beyond_reach = Real(1e30);  // m

/// State of a step beside the particles. All columns are in the order of the particles.
struct StepColumns {
  Column<Moving> before;  // n + 1: see PairView; where densities are summed
  Column<Moving> after;   // n + 1: the same with pressures, after XSPH
  Column<Quad> liquid;    // n + 1, only with several materials: see PairView
  Column<Quad> bond;      // n + 1, only with surface tension: see Surface
  Column<Real> ratio;     // density over density at rest
  Column<Real> clear;     // see StepView
  Column<Vec3> x_at_build;
};

/// Largest values that limit a step.
struct Extremes {
  Real speed_squared = 0;                               // m^2/s^2
  Real squared_acceleration = 0;                        // m^2/s^4
  Real ratio = 0;                                       // of densities
  Index first_bad = std::numeric_limits<Index>::max();  // particle with a non-finite number
};

/// Everything the kernels of a step read and write: numbers and pointers, copied into each kernel.
struct StepView {
  Index n = 0;
  Vec3* x = nullptr;
  Vec3* v = nullptr;
  const Real* mass = nullptr;
  const Index* material = nullptr;
  const Index* pin = nullptr;  // null where there are no pins
  const Vec3* x_at_build = nullptr;
  Moving* before = nullptr;
  Moving* after = nullptr;
  Quad* liquid = nullptr;
  Quad* bond = nullptr;
  Real* ratio = nullptr;
  Real* clear = nullptr;  // m, that colliders are away at least; beyond_reach until rows are built
  const Law* laws = nullptr;  // by material
  const PinView* pins = nullptr;
  ColliderViews colliders;
  const WallTable* walls = nullptr;
  PairView pairs;
  PeriodicBox box;
  Vec3 gravity = Vec3::zero();
  Real self = 0;  // ratio that a particle of unit volume adds to its own, 1/m^dimensions
  Real gap = 0;   // m, that centres of particles keep from colliders
  Real skin = 0;  // m, that rows reach beyond the kernel
  bool flat = false;
  bool carries = false;   // XSPH is in use
  bool all_near = false;  // colliders have moved since `clear` was found

  PHYXEL_FN bool is_held(Index i) const { return pin && pin[i] >= 0 && pins[pin[i]].active; }
  PHYXEL_FN bool meets_walls(Index i) const {
    return colliders.count > 0 && (all_near || clear[i] < beyond_reach);
  }
  /// Whether it may come nearer than the gap on a path; distances of voxels are steeper than one.
  PHYXEL_FN bool may_touch(Index i, Real path) const {
    return meets_walls(i) && (all_near || !(clear[i] - 2 * path > gap));
  }
};

/// Finds the particles that colliders may reach before rows are built again.
void find_near(const Exec& exec, const StepView& view);

/// Fills the quads from the particles.
void pack_particles(const Exec& exec, const StepView& view);

struct Moved {
  Real path_squared = 0;   // m^2, since the rows were built
  Real speed_squared = 0;  // m^2/s^2
};
/// x += v dt, and what pins and colliders do about it: pass one of a step.
Moved move_particles(const Exec& exec, const StepView& view, Real dt);

/// Density, pressure, and the drift by XSPH over `dt`: pass two of a step.
void sum_densities(const Exec& exec, const StepView& view, Real dt);

/// Forces of pairs, gravity and walls, and v += a dt: pass three of a step. With dt = 0 velocities
/// stay as they are.
Extremes apply_forces(const Exec& exec, const StepView& view, Real dt);

/// What compression has stored, J.
double measure_compression(const Exec& exec, const StepView& view);

/// What surfaces have stored, J.
double measure_surface(const Exec& exec, const StepView& view);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
