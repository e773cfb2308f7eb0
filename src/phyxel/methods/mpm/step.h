#pragma once

#include "phyxel/colliders/collider_tree.h"
#include "phyxel/matter/environment.h"
#include "phyxel/methods/mpm/contact_step.h"
#include "phyxel/methods/mpm/material.h"

namespace phyxel::mpm {

/// The numbers of a step.
struct StepNumbers {
  Real dt = 0;       // s
  Real next_dt = 0;  // s, of the step that follows
  Real dx = 1;       // m, edge of a cell
  Transfer transfer = Transfer::apic;
  Real flip = 0;                  // share of FLIP
  Real least_mass = 0;            // kg, of a particle
  Real cell_volume = 1;           // m^3; m^2 of a flat scene
  bool grid_to_particles = true;  // whether the step has this part
  bool particles_to_grid = true;  // the same, for the next step

  /// Tiles of a chunk: of a blend with FLIP, impulses have one of their own.
  int passes() const { return transfer == Transfer::flip ? 2 : 1; }
};

/// What particles and nodes meet.
struct Boundaries {
  Vec3 gravity = Vec3::zero();  // m/s^2
  bool flat = false;            // nothing moves along z
  ColliderViews colliders;
  std::vector<PinView> pins;
};

/// What limits the next step, over the particles of a chunk.
struct ChunkLimits {
  Real speed_squared = 0;       // m^2/s^2
  Real wave_speed_squared = 0;  // m^2/s^2
  Real margin = 16;             // cells that a particle has left before it leaves its tile
  Real path = 0;                // cells, longest of the step; 0 where not measured
};

}  // namespace phyxel::mpm
