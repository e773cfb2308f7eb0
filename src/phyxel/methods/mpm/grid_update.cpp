#include "phyxel/methods/mpm/grid_update.h"

#include "phyxel/colliders/contact.h"
#include "phyxel/core/row8.h"

namespace phyxel::mpm {

namespace {

/// Half the diagonal of a block of nodes.
Real block_radius(Real dx) {
  return Real(1.5 * 1.7321) * dx;
}

}  // namespace

Vec3 block_centre(const Int3& block, Real dx) {
  return (node_place(block, 0, dx) + node_place(block, nodes_in_block - 1, dx)) * Real(0.5);
}

NearColliders colliders_at(const Boundaries& boundaries, const Int3& block, Real dx) {
  return colliders_near(boundaries.colliders, block_centre(block, dx), block_radius(dx));
}

bool may_hold_nodes(const ColliderView& collider, const Int3& block, Real dx) {
  return contact_at(collider, block_centre(block, dx)).distance <= block_radius(dx);
}

namespace {

/// Nodes inside colliders get the velocity that contact allows. Returns the largest |component|.
Real collide(const Boundaries& boundaries, const Int3& block, Real dx, Quad* nodes) {
  Real largest = 0;
  for_nodes_in_colliders(boundaries, block, dx, nodes,
                         [&](Index n, const Contact& contact, const ColliderView& collider) {
                           const Vec3 before{nodes[n].c[0], nodes[n].c[1], nodes[n].c[2]};
                           Vec3 v =
                               velocity_on(before, contact, collider.contact, collider.friction);
                           if (boundaries.flat) v[2] = 0;
                           const CountContact count{boundaries.reactions, nodes[n].c[3]};
                           count(static_cast<Index>(&collider - boundaries.colliders.data),
                                 node_place(block, n, dx), contact, before, v);
                           for (int k = 0; k < 3; ++k) {
                             nodes[n].c[k] = v[k];
                             largest = std::max(largest, std::abs(v[k]));
                           }
                         });
  return largest;
}

Real largest_of(const TwoRows8& row) {
  Real largest = 0;
  for (int l = 0; l < 16; ++l) largest = std::max(largest, row[l]);
  return largest;
}
TwoRows8 larger_sizes(const TwoRows8& a, const TwoRows8& sizes) {
  const TwoRows8 size = a < 0 ? -a : a;
  return size > sizes ? size : sizes;
}
/// Lane 3 of each node for all of its lanes.
TwoRows8 mass_lanes(const TwoRows8& a) {
  return __builtin_shufflevector(a, a, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
}

/// Lanes of four nodes: what gravity adds, which may move, which are masses.
struct NodeLanes {
  TwoRows8 gained, free, last;

  NodeLanes(const Boundaries& boundaries, Real dt) {
    for (int l = 0; l < 16; ++l) {
      const int k = l % 4;
      gained[l] = k < 3 ? boundaries.gravity[k] * dt : 0;
      free[l] = k < (boundaries.flat ? 2 : 3) ? 1 : 0;
      last[l] = k == 3 ? 1 : 0;
    }
  }
};

Real largest_component(const Quad* nodes) {
  Real largest = 0;
  for (Index n = 0; n < nodes_in_block; ++n)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(nodes[n].c[k]));
  return largest;
}

/// Adds what fields do to nodes that have been accelerated by gravity. Returns their impulse.
Vec3d push_nodes(const Boundaries& boundaries, const Int3& block, Real dx, Real dt, Quad* nodes) {
  Vec3d impulse = Vec3d::zero();
  for (Index n = 0; n < nodes_in_block; ++n) {
    Real* const c = nodes[n].c;
    if (!(c[3] > 0)) continue;
    Vec3 before{c[0], c[1], c[2]};
    const Vec3 after = pushed_from_outside(boundaries, node_place(block, n, dx),
                                           before - boundaries.gravity * dt, dt);
    for (int k = 0; k < (boundaries.flat ? 2 : 3); ++k) {
      impulse[k] += double(c[3]) * (double(after[k]) - double(c[k]));
      c[k] = after[k];
    }
  }
  return impulse;
}

/// Momentum, impulses of the stress included, to velocity.
Real accelerate(const NodeLanes& lanes, Quad* nodes) {
  TwoRows8 fastest = {};
  for (Index n = 0; n < nodes_in_block; n += 4) {
    const TwoRows8 sum = load_loose<TwoRows8>(nodes[n].c), mass = mass_lanes(sum);
    const TwoRows8 v = (mass > 0 ? sum / mass + lanes.gained : TwoRows8{}) * lanes.free;
    fastest = larger_sizes(v, fastest);
    store_loose(v + mass * lanes.last, nodes[n].c);
  }
  return largest_of(fastest);
}

/// The same with impulses in `nodes` and momentum in `before`, which becomes the velocity without
/// them.
Real accelerate(const NodeLanes& lanes, Quad* before, Quad* nodes) {
  TwoRows8 fastest = {};
  for (Index n = 0; n < nodes_in_block; n += 4) {
    const TwoRows8 sum = load_loose<TwoRows8>(before[n].c), mass = mass_lanes(sum);
    const TwoRows8 impulse = load_loose<TwoRows8>(nodes[n].c);
    const TwoRows8 old = (mass > 0 ? sum / mass : TwoRows8{}) * lanes.free;
    const TwoRows8 v = old + (mass > 0 ? impulse / mass + lanes.gained : TwoRows8{}) * lanes.free;
    fastest = larger_sizes(v, fastest);
    store_loose(old + mass * lanes.last, before[n].c);
    store_loose(v + mass * lanes.last, nodes[n].c);
  }
  return largest_of(fastest);
}

/// Upper bound of velocities in grid to particles. The slopes of cubic splines fall more slowly
/// than the splines themselves, so that nodes at the edge of their support get very large
/// velocities. But such a node has little weight: w m_p is a part of its mass. Light nodes, of
/// which a particle has 64 at most, are weighted by that.
GridSpeeds cubic_speeds(const Quad* before, const Quad* now, Real least_mass) {
  GridSpeeds heavy, light;
  for (Index n = 0; n < nodes_in_block; ++n) {
    const Real weight = now[n].c[3] / least_mass;
    const Real share = weight < Real(0.125) ? 64 * weight : 1;
    GridSpeeds& speeds = weight < Real(0.125) ? light : heavy;
    for (int k = 0; k < 3; ++k) {
      speeds.velocity = std::max(speeds.velocity, share * std::abs(now[n].c[k]));
      speeds.change = std::max(speeds.change, share * std::abs(now[n].c[k] - before[n].c[k]));
    }
  }
  return {heavy.velocity + light.velocity, heavy.change + light.change};
}

GridSpeeds largest_of(const Column<GridSpeeds>& blocks) {
  GridSpeeds largest;
  for (const GridSpeeds& speeds : blocks) {
    largest.velocity = std::max(largest.velocity, speeds.velocity);
    largest.change = std::max(largest.change, speeds.change);
  }
  return largest;
}

}  // namespace

GridSpeeds update_grid(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                       const Blocks& blocks, Nodes& nodes) {
  const std::size_t size = std::size_t(blocks.nodes.size()) * nodes_in_block;
  const int passes = in.passes();
  nodes.now.resize(size);
  if (passes == 2) nodes.before.resize(size);
  const NodeLanes node_lanes(boundaries, in.dt);
  const auto block_speeds = [&](Index b) {
    Quad* const now = nodes.now.data() + std::size_t(b) * nodes_in_block;
    Quad* const before =
        passes == 2 ? nodes.before.data() + std::size_t(b) * nodes_in_block : nullptr;
    GridSpeeds speeds;
    const Quad* const sum = nodes.sum.data() + std::size_t(b) * nodes_in_block;
    std::copy_n(sum + (passes - 1) * size, nodes_in_block, now);
    if (passes == 2) {
      std::copy_n(sum, nodes_in_block, before);
      speeds.velocity = accelerate(node_lanes, before, now);
    } else {
      speeds.velocity = accelerate(node_lanes, now);
    }
    if (boundaries.fields.count > 0) {
      nodes.impulses[b] = push_nodes(boundaries, blocks.nodes.place(b), in.dx, in.dt, now);
      speeds.velocity = largest_component(now);
    }
    if (boundaries.colliders.count > 0)
      speeds.velocity =
          std::max(speeds.velocity, collide(boundaries, blocks.nodes.place(b), in.dx, now));
    if (passes == 2) speeds = cubic_speeds(before, now, in.least_mass);
    return speeds;
  };
  nodes.speeds.resize(blocks.nodes.size());
  if (boundaries.fields.count > 0) nodes.impulses.resize(blocks.nodes.size());
  for_each_coarse(exec, "mpm.grid", blocks.nodes.size(),
                  [&](Index b) { nodes.speeds[b] = block_speeds(b); });
  return largest_of(nodes.speeds);
}

GridSpeeds collide_again(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                         const Blocks& blocks, Nodes& nodes) {
  for_each_coarse(exec, "mpm.grid", blocks.nodes.size(), [&](Index b) {
    Quad* const now = nodes.now.data() + std::size_t(b) * nodes_in_block;
    if (boundaries.colliders.count > 0) collide(boundaries, blocks.nodes.place(b), in.dx, now);
    if (in.passes() == 2)
      nodes.speeds[b] =
          cubic_speeds(nodes.before.data() + std::size_t(b) * nodes_in_block, now, in.least_mass);
    else
      nodes.speeds[b] = {largest_component(now), 0};
  });
  return largest_of(nodes.speeds);
}

void load_masses(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Nodes& nodes) {
  const std::size_t size = std::size_t(blocks.nodes.size()) * nodes_in_block;
  nodes.now.resize(size);
  nodes.before.assign(in.passes() == 2 ? size : 0, Quad{});
  for_each_coarse(exec, "mpm.masses", blocks.nodes.size(), [&](Index b) {
    Quad* const node = nodes.now.data() + std::size_t(b) * nodes_in_block;
    std::copy_n(nodes.sum.data() + std::size_t(b) * nodes_in_block, nodes_in_block, node);
    for (Index n = 0; n < nodes_in_block; ++n)
      for (int k = 0; k < 3; ++k) node[n].c[k] = node[n].c[3];
  });
}

}  // namespace phyxel::mpm
