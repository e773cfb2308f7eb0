#pragma once

#include <vector>

#include "phyxel/matter/environment.h"
#include "phyxel/matter/particles.h"
#include "phyxel/methods/lennard_jones/material.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::lennard_jones {

/// The laws of a step, derived from the materials as they are now.
struct Laws {
  Index materials = 0;
  std::vector<Index> used;            // materials of this method
  std::vector<PairLaw> pair;          // materials x materials
  std::vector<ObstacleLaw> obstacle;  // one per material
  std::vector<Real> damping;          // 1/s, one per material
  Real cutoff = 0;                    // m, the largest
  Real spacing = 0;                   // m, the smallest r0
  Real reach = 0;                     // m, the smallest obstacle range
  bool euler = false;                 // instead of velocity Verlet
  bool softens = false;               // some material depends on temperature
};

/// What acts on the particles. All columns are in the order of the particles.
struct Forces {
  Column<Vec3> force;              // N, without friction
  Column<Real> pair_energy;        // J, half of every pair
  Column<Real> obstacle_energy;    // J
  Column<Real> virial;             // J, half of r . f of every pair
  Column<Real> squared_frequency;  // 1/s^2, bound of the local stiffness over mass
  Column<Real> viscous_rate;       // 1/s
  Column<Vec3> dissipative;        // N, the part of the force that takes energy away
  Column<Real> approach_rate;      // 1/s, speed towards a collider over the distance to it
  Column<Real> external_power;     // W, done by moving colliders
  Column<Real> friction;           // N, limit of the strongest contact
  Column<Vec3> contact_normal;
  Column<Vec3> contact_velocity;  // m/s, of the collider
};

void resize(Forces& forces, std::size_t n);

/// Laws of all lennard_jones materials of the environment. `mass[k]` is the mass of a particle of
/// material k, kg.
Laws make_laws(const Environment& environment, const std::vector<Real>& mass);

/// Forces of pairs, gravity and colliders on every particle; `root_strength` scales e0 of a pair by
/// the product of both.
void compute_forces(const Environment& environment, const Laws& laws, const Particles& particles,
                    const NeighbourRows& rows, const Column<Real>& root_strength, Forces& forces);

}  // namespace phyxel::lennard_jones
