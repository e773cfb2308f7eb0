#pragma once

#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// Velocities of all nodes from their sums: momentum over mass, forces, gravity,
/// colliders.
GridSpeeds update_grid(const Exec& exec, const StepNumbers& in, const Surroundings& around,
                       const Blocks& blocks, Nodes& nodes);

/// Where a node of a block is, m.
Vec3 node_place(const Int3& block, Index node, Real dx);

Vec3 block_centre(const Int3& block, Real dx);

/// Colliders near a block.
NearColliders colliders_at(const Surroundings& around, const Int3& block, Real dx);

/// Whether nodes of the block may lie in the collider.
bool may_hold_nodes(const ColliderView& collider, const Int3& block, Real dx);

/// Applies colliders once more, as update_grid does, to velocities that have changed since; returns
/// the largest speeds.
GridSpeeds collide_again(const Exec& exec, const StepNumbers& in, const Surroundings& around,
                         const Blocks& blocks, Nodes& nodes);

/// Nodes with their masses instead of velocities.
void load_masses(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Nodes& nodes);

/// Nodes of `old` blocks where `blocks` has them.
void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to);

}  // namespace phyxel::mpm
