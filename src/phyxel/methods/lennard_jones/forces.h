#pragma once

#include <vector>

#include "phyxel/core/kernel_table.h"
#include "phyxel/methods/lennard_jones/material.h"
#include "phyxel/methods/lennard_jones/pair_sum.h"
#include "phyxel/methods/skeleton/extremes.h"
#include "phyxel/methods/skeleton/particle_view.h"
#ifndef __CUDACC__
#include "phyxel/methods/lennard_jones/pair_law_packs.h"
#endif

namespace phyxel::lennard_jones {

inline namespace PHYXEL_BACKEND {

/// The laws of a step, derived from the materials as they are now.
struct Laws {
  Index materials = 0;
  std::vector<Index> used;            // materials of this method
  std::vector<PairLaw> pair;          // materials x materials
  std::vector<ObstacleLaw> obstacle;  // one per material
  std::vector<Real> damping;          // 1/s, one per material
  std::vector<Softening> softening;   // one per material
  Real cutoff = 0;                    // m, the largest
  Real spacing = 0;                   // m, the smallest r0
  Real reach = 0;                     // m, the smallest obstacle range
  Real stiffness_path = 0;            // m, after which the stiffness of pairs is summed again
  bool euler = false;                 // instead of velocity Verlet
  bool softens = false;               // some material depends on temperature
  bool viscous = false;               // some pair has viscosity

  // Where kernels read them.
  KernelTable<PairLaw> pair_table;
  KernelTable<ObstacleLaw> obstacle_table;
  KernelTable<Real> damping_table;
  KernelTable<Softening> softening_table;
#ifndef __CUDACC__
  PackLaws packs;  // beside `pair`
#endif

  /// One law for all pairs, which depends on their distance alone.
  bool is_plain() const {
    return used.size() == 1 && !softens && !viscous;
  }
};

/// Laws of all lennard_jones materials of the environment. `mass[k]` is the mass of a particle of
/// material k, kg.
void update_laws(const Environment& environment, const std::vector<Real>& mass, Laws& laws);

/// What the kernels of a step read and write beside what all methods have.
struct StepView : ParticleView {
  Quad* x_quad = nullptr;  // n + 1: position and material
  Quad* v_quad = nullptr;  // n + 1: velocity and root of the strength; null where laws are plain
  Vec3* force = nullptr;   // N, without friction
  Real* lost = nullptr;    // J since the last total: damping, friction, inelastic contact
  Real* work = nullptr;    // J since the last total: done by colliders and pins
  Real* pair_energy = nullptr;  // J, half of every pair
  const Real* root_strength = nullptr;
  // N, the part of the force that takes energy away; null without viscosity and colliders.
  Vec3* dissipative = nullptr;
  // Null without colliders.
  Real* external_power = nullptr;  // W, done by moving colliders
  Real* friction = nullptr;        // N, limit of the strongest contact
  Vec3* contact_normal = nullptr;
  Vec3* contact_velocity = nullptr;  // m/s, of the collider
  Index* contact_collider = nullptr;
  const ObstacleLaw* obstacle = nullptr;
  const Real* damping = nullptr;
  PairView pairs;
  bool euler = false;
  ReactionView forces_counted;  // of colliders along their normals, at the end of the step
  Impulse* damped = nullptr;    // by damping in the step; null where nothing is counted or damped
};

/// Roots of the strengths of all particles at their temperatures.
void set_root_strengths(const Exec& exec, const Particles& particles, const Laws& laws,
                        Column<Real>& root_strength);

/// Fills the quads from the particles.
void pack_particles(const Exec& exec, const StepView& view);

/// First half kick, drift, and the energy that both dissipate: pass one of a step.
void move_particles(const Exec& exec, const StepView& view, Real dt);

/// Forces of pairs, gravity and colliders, then the second half kick: pass two of a step. With
/// kick = 0 velocities stay as they are. Without `stiffness` the pairs' part of squared_frequency
/// may be missing.
Extremes apply_forces(const Exec& exec, const StepView& view, const Laws& laws, Real kick,
                      bool stiffness);

struct Energies {
  double pair = 0, obstacle = 0, virial = 0;  // J
};
/// Sums, and the pair energy of each particle.
Energies measure_energies(const Exec& exec, const StepView& view, const Laws& laws);

/// The sum of a column, which becomes zero.
double drain(const Exec& exec, Column<Real>& column);

/// Force by which a pin holds its particles, N.
Vec3d holding_force(const Exec& exec, const Particles& particles, const Column<Vec3>& force,
                    Index pin);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::lennard_jones
