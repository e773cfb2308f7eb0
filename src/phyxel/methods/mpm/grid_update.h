#pragma once

#include "phyxel/methods/mpm/kernels.h"

namespace phyxel::mpm {

/// Velocities of all nodes from their sums: momentum over mass, forces, gravity,
/// colliders.
GridSpeeds update_grid(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                       const Blocks& blocks, Nodes& nodes);

Vec3 block_centre(const Int3& block, Real dx);

/// Colliders near a block.
NearColliders colliders_at(const Boundaries& boundaries, const Int3& block, Real dx);

/// Whether nodes of the block may lie in the collider.
bool may_hold_nodes(const ColliderView& collider, const Int3& block, Real dx);

/// f(n, contact, collider) for nodes of a block that carry mass and lie in a collider.
template <class F>
void for_nodes_in_colliders(const Boundaries& boundaries, const Int3& block, Real dx,
                            const Quad* nodes, const F& f) {
  for (const ColliderView& collider : colliders_at(boundaries, block, dx)) {
    if (!may_hold_nodes(collider, block, dx)) continue;
    for (Index n = 0; n < nodes_in_block; ++n) {
      if (nodes[n].c[3] == 0) continue;
      const Contact contact = contact_at(collider, node_place(block, n, dx));
      if (contact.distance > 0) continue;
      f(n, contact, collider);
    }
  }
}

/// Applies colliders once more, as update_grid does, to velocities that have changed since; returns
/// the largest speeds.
GridSpeeds collide_again(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                         const Blocks& blocks, Nodes& nodes);

/// Nodes with their masses instead of velocities.
void load_masses(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Nodes& nodes);

}  // namespace phyxel::mpm
