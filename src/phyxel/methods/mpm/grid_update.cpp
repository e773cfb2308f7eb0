#include "phyxel/methods/mpm/grid_update.h"

#include "phyxel/colliders/contact.h"
#include "phyxel/methods/mpm/tiles.h"

namespace phyxel::mpm {

namespace {

/// Where a node is, m.
Vec3 node_place(const Int3& block, Index node, Real dx) {
  const Index at[3] = {node / 16, node / 4 % 4, node % 4};
  Vec3 x;
  for (int k = 0; k < 3; ++k)
    x[k] = static_cast<Real>((double(block[k]) * block_edge + at[k]) * double(dx));
  return x;
}

/// Half the diagonal of a block of nodes.
Real block_radius(Real dx) {
  return Real(1.5 * 1.7321) * dx;
}

void collide(const GridForces& forces, const Int3& block, Real dx, Quad* nodes) {
  const Vec3 centre = (node_place(block, 0, dx) + node_place(block, nodes_in_block - 1, dx)) * Real(0.5);
  for (const ColliderView& collider : forces.colliders) {
    if (contact_at(collider, centre).distance > block_radius(dx)) continue;
    for (Index n = 0; n < nodes_in_block; ++n) {
      if (nodes[n].c[3] == 0) continue;
      const Contact contact = contact_at(collider, node_place(block, n, dx));
      if (contact.distance > 0) continue;
      const Vec3 v = contact_response({nodes[n].c[0], nodes[n].c[1], nodes[n].c[2]}, contact,
                                      collider.friction, 0);
      for (int k = 0; k < 3; ++k) nodes[n].c[k] = v[k];
    }
  }
}

/// Momentum to velocity. Returns the largest squared speed.
Real accelerate(const Vec3& impulse, bool flat, Quad* nodes) {
  Real fastest = 0;
  for (Index n = 0; n < nodes_in_block; ++n) {
    const Real mass = nodes[n].c[3], over = mass > 0 ? 1 / mass : 0;
    Real squared = 0;
    for (int k = 0; k < 3; ++k) {
      Real v = nodes[n].c[k] * over + (mass > 0 ? impulse[k] : 0);
      if (k == 2 && flat) v = 0;
      nodes[n].c[k] = v;
      squared += v * v;
    }
    fastest = std::max(fastest, squared);
  }
  return fastest;
}

}  // namespace

Real update_grid(const Exec& exec, const StepNumbers& in, const GridForces& forces,
                 const Blocks& blocks, const Rows& rows, Nodes& nodes) {
  nodes.now.resize(std::size_t(blocks.nodes.size()) * nodes_in_block);
  const Real fastest = reduce_max(exec, "mpm.grid", blocks.nodes.size(), Real(0), [&](Index b) {
    Quad* const node = nodes.now.data() + std::size_t(b) * nodes_in_block;
    sum_tiles(blocks, rows.tile.data(), b, node);
    const Real squared = accelerate(forces.gravity * in.dt, forces.flat, node);
    if (forces.colliders.count > 0) collide(forces, blocks.nodes.place(b), in.dx, node);
    return squared;
  });
  return std::sqrt(fastest);
}

void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to) {
  to.resize(std::size_t(blocks.nodes.size()) * nodes_in_block);
  for_each(exec, "mpm.remap", blocks.nodes.size(), [&](Index b) {
    const Index k = old.find(blocks.nodes.place(b));
    Quad* const node = to.data() + std::size_t(b) * nodes_in_block;
    if (k >= 0)
      std::copy_n(from.data() + std::size_t(k) * nodes_in_block, nodes_in_block, node);
    else
      std::fill_n(node, nodes_in_block, Quad{});
  });
}

}  // namespace phyxel::mpm
