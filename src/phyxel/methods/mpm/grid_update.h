#pragma once

#include "phyxel/colliders/packed_colliders.h"
#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// What acts on the nodes of a step.
struct GridForces {
  Vec3 gravity = Vec3::zero();  // m/s^2
  ColliderViews colliders;
  bool flat = false;  // nothing moves along z
};

/// Velocities of all nodes from what the tiles hold: momentum over mass, gravity, colliders.
/// Returns the largest |component| of them, m/s.
Real update_grid(const Exec& exec, const StepNumbers& in, const GridForces& forces,
                 const Blocks& blocks, const Rows& rows, Nodes& nodes);

/// Nodes of `old` blocks where `blocks` has them.
void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to);

}  // namespace phyxel::mpm
