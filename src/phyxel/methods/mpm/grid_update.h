#pragma once

#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// Velocities of all nodes from their sums: momentum over mass, forces, gravity,
/// colliders.
GridSpeeds update_grid(const Exec& exec, const StepNumbers& in, const Surroundings& around,
                       const Blocks& blocks, Nodes& nodes);

/// Nodes with their masses in the place of velocities.
void load_masses(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Nodes& nodes);

/// Nodes of `old` blocks where `blocks` has them.
void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to);

}  // namespace phyxel::mpm
