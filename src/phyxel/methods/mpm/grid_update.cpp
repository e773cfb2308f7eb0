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

/// Momentum to velocity. Returns the largest |component|.
Real accelerate(const Vec3& impulse, bool flat, Quad* nodes) {
  TwoRows8 gained, free, last, fastest = {};
  for (int l = 0; l < 16; ++l) {
    const int k = l % 4;
    gained[l] = k < 3 ? impulse[k] : 0;
    free[l] = k < (flat ? 2 : 3) ? 1 : 0;
    last[l] = k == 3 ? 1 : 0;
  }
  for (Index n = 0; n < nodes_in_block; n += 4) {
    const TwoRows8 sum = load_two_rows(nodes[n].c);
    const TwoRows8 mass =
        __builtin_shufflevector(sum, sum, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    const TwoRows8 v = (mass > 0 ? sum / mass + gained : TwoRows8{}) * free;
    fastest = v > fastest ? v : fastest;
    fastest = -v > fastest ? -v : fastest;
    store_two_rows(v + mass * last, nodes[n].c);
  }
  Real largest = 0;
  for (int l = 0; l < 16; ++l) largest = std::max(largest, fastest[l]);
  return largest;
}

}  // namespace

Real update_grid(const Exec& exec, const StepNumbers& in, const GridForces& forces,
                 const Blocks& blocks, const Rows& rows, Nodes& nodes) {
  nodes.now.resize(std::size_t(blocks.nodes.size()) * nodes_in_block);
  return reduce_max(exec, "mpm.grid", blocks.nodes.size(), Real(0), [&](Index b) {
    Quad* const node = nodes.now.data() + std::size_t(b) * nodes_in_block;
    sum_tiles(blocks, rows.tile.data(), b, node);
    const Real speed = accelerate(forces.gravity * in.dt, forces.flat, node);
    if (forces.colliders.count > 0) collide(forces, blocks.nodes.place(b), in.dx, node);
    return speed;
  });
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
