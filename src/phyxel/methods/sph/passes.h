#pragma once

#include "phyxel/matter/sph_wall.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"
#include "phyxel/methods/sph/pair_sum.h"

namespace phyxel::sph {

inline namespace PHYXEL_BACKEND {

constexpr Real beyond_reach = Real(1e30);  // m

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ParticleView {
  Moving* before = nullptr;  // n + 1: see PairView; where densities are summed
  Moving* after = nullptr;   // n + 1: the same with pressures, after XSPH
  Quad* liquid = nullptr;    // n + 1: see PairView; null where there is one material
  Quad* bond = nullptr;      // n + 1: see Surface; null without surface tension
  Real* ratio = nullptr;     // density over density at rest
  Real* clear = nullptr;  // m, colliders are no nearer; beyond_reach: none is met before a rebuild
  const Law* laws = nullptr;  // by material
  const WallTable* walls = nullptr;
  PairView pairs;
  Real self = 0;         // ratio that a particle of unit volume adds to its own, 1/m^dimensions
  Real gap = 0;          // m, that centres of particles keep from colliders
  Real skin = 0;         // m, that rows reach beyond the kernel
  bool carries = false;  // XSPH is in use

  PHYXEL_FN bool meets_walls(Index i) const {
    return colliders.count > 0 && (colliders_moved || clear[i] < beyond_reach);
  }
  /// Whether i may come nearer than the gap on a path; voxel distances have slopes above one.
  PHYXEL_FN bool may_touch(Index i, Real path) const {
    return meets_walls(i) && (colliders_moved || !(clear[i] - 2 * path > gap));
  }
};

/// Finds the particles that colliders may reach before rows are built again.
void find_near(const Exec& exec, const StepView& view);

/// Fills the quads from the particles.
void pack_particles(const Exec& exec, const StepView& view);

/// x += v dt, with pins and contact with colliders: pass one of a step.
Moved move_particles(const Exec& exec, const StepView& view, Real dt);

/// Density, pressure, and the drift by XSPH over `dt`: pass two of a step.
void sum_densities(const Exec& exec, const StepView& view, Real dt);

/// Forces of pairs, gravity and walls, and v += a dt: pass three of a step. With dt = 0 velocities
/// stay as they are.
Extremes apply_forces(const Exec& exec, const StepView& view, Real dt);

/// Energy of compression, J.
double measure_compression(const Exec& exec, const StepView& view);

/// Energy of surfaces, J.
double measure_surface(const Exec& exec, const StepView& view);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::sph
