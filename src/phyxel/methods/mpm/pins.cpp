#include "phyxel/methods/mpm/pins.h"

#include <algorithm>

#include "phyxel/grid/tiles.h"
#include "phyxel/methods/mpm/obstacles.h"

namespace phyxel::mpm {

namespace {

/// Particles to grid of particles that follow their pins, a lane each; zero where they have none.
/// See move_pinned_nodes.
struct PinnedLanes {
  alignas(64) Real at[3][lanes] = {}, velocity[3][lanes] = {}, gradient[9][lanes] = {};
  alignas(64) Real mass[lanes] = {};

  void set(Index l, const StepNumbers& in, const Int3& block, const PinView* pin, const Real* row) {
    for (int k = 0; k < 3; ++k) at[k][l] = row[k];
    mass[l] = pin ? row[row_mass] : 0;
    if (!pin) return;
    const Vec3 x = world_place(block, row, in.dx), v = (apply(pin->moved, x) - x) * (1 / in.dt);
    for (int r = 0; r < 3; ++r) {
      velocity[r][l] = v[r];
      for (int c = 0; c < 3; ++c)
        gradient[3 * r + c][l] = (pin->moved.rotation[r][c] - Real(r == c)) / in.dt;
    }
  }
  template <class T>
  void store(const StepNumbers& in, Index k, Buffers& b) const {
    Vec3Pack v;
    Mat3Pack c;
    Vec3Pack x;
    for (int a = 0; a < 3; ++a) {
      x[a] = Pack::load_aligned(at[a]);
      v[a] = Pack::load_aligned(velocity[a]);
      for (int q = 0; q < 3; ++q) c[a][q] = Pack::load_aligned(gradient[3 * a + q]);
    }
    const Pack zero(Real(0));
    const Symmetric<Pack> no_stress{zero, zero, zero, zero, zero, zero};
    const CellPlace<T> place(x);
    RowPack p = momentum_of(T{}, in, place, v, c, Pack::load_aligned(mass), zero, no_stress);
    store_for_grid(T{}, place, p, k, b);
  }
};

/// Names the pin of a particle at the nodes that it reaches. A node near two pins belongs to the
/// one that the scene has last.
template <class T>
void name_pin(const Real* local, const std::array<Index, 27>& around, Index pin, Index* of_node) {
  Index first[3];
  for (int k = 0; k < 3; ++k)  // from the tile's first node
    first[k] = static_cast<Index>(std::floor(local[k] + T::middle)) - 1 + block_edge;
  for (Index x = first[0]; x < first[0] + T::nodes; ++x)
    for (Index y = first[1]; y < first[1] + T::nodes; ++y)
      for (Index z = first[2]; z < first[2] + T::nodes; ++z) {
        const int block = side(x / block_edge - 1, y / block_edge - 1, z / block_edge - 1);
        const Index node =
            (x % block_edge * block_edge + y % block_edge) * block_edge + z % block_edge;
        Index& name = of_node[std::size_t(around[block]) * nodes_in_block + node];
        name = std::max(name, pin);
      }
}

template <class T>
void chunk_pins_to_grid(const StepNumbers& in, const Boundaries& boundaries, const Blocks& blocks,
                        const Index* pin, const Rows& rows, Index c, Column<Quad>& sum,
                        Index* of_node) {
  const Chunk& chunk = blocks.chunks[c];
  Buffers& b = thread_buffers();
  const std::uint16_t* const order = rows.order.data() + chunk.first;
  clear_tile(b.sum[0]);
  Index cell = 0;
  for_batches(chunk, [&](const Places& places) {
    for (Index k = 0; k < places.count(); k += lanes) {
      PinnedLanes pinned;
      for (Index l = 0; l < std::min(lanes, places.count() - k); ++l) {
        const Index row = chunk.first + order[places.first + k + l];
        const Index number = pin[rows.particle[row]];
        const bool holds = number >= 0 && boundaries.pins[number].active;
        pinned.set(l, in, blocks.map.place(chunk.block), holds ? &boundaries.pins[number] : nullptr,
                   rows.row[row].c);
        if (of_node && holds)
          name_pin<T>(rows.row[row].c, blocks.nodes_around[chunk.block], number, of_node);
      }
      pinned.template store<T>(in, k, b);
    }
    cell = particles_to_grid<T>(rows.start.data() + std::size_t(c) * Rows::starts, places, cell, 0,
                                b, b.sum[0]);
  });
  add_tile(b.sum[0], blocks.nodes_around[chunk.block], rows.range[c], sum.data());
}

template <class T>
void all_pins_to_grid(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                      const Blocks& blocks, const PinnedPlaces& places, const Index* pin,
                      const Rows& rows, Column<Quad>& sum, Index* of_node) {
  for_each_coarse(exec, "mpm.pins", static_cast<Index>(places.blocks.size()), [&](Index k) {
    const std::size_t first = std::size_t(places.blocks[k]) * nodes_in_block;
    std::fill_n(sum.data() + first, nodes_in_block, Quad{});
    if (of_node) std::fill_n(of_node + first, nodes_in_block, Index{0});
  });
  for_each_block_in_turn(exec, "mpm.pins", blocks, [&](Index block, Index) {
    for (Index c = blocks.chunk_start[block]; c < blocks.chunk_start[block + 1]; ++c)
      if (places.chunks[c])
        chunk_pins_to_grid<T>(in, boundaries, blocks, pin, rows, c, sum, of_node);
  });
}

/// Counts the impulse by which a pin gives a node its own velocity.
void count_node(const Boundaries& boundaries, const Int3& block, Index n, Real dx,
                const Quad& before, const Quad& after, Index pin) {
  if (!boundaries.reactions.counts()) return;
  count_pin(boundaries.reactions, pin, after.c[3], node_place(block, n, dx),
            {before.c[0], before.c[1], before.c[2]}, {after.c[0], after.c[1], after.c[2]});
}

Real move_block(const Boundaries& boundaries, const Int3& block, Real dx, Index b, Nodes& nodes) {
  const std::size_t first = std::size_t(b) * nodes_in_block;
  Real largest = 0;
  const Quad* const sum = nodes.work.data() + first;
  for (Index n = 0; n < nodes_in_block; ++n) {
    Quad& node = nodes.now[first + n];
    if (!(sum[n].c[3] > pinned_part * node.c[3])) continue;
    nodes.pinned[first + n] = 1;
    const Quad before = node;
    for (int a = 0; a < (boundaries.flat ? 2 : 3); ++a) {
      node.c[a] = sum[n].c[a] / sum[n].c[3];
      largest = std::max(largest, std::abs(node.c[a]));
    }
    count_node(boundaries, block, n, dx, before, node, pin_of_node(boundaries, nodes, first + n));
  }
  return largest;
}

}  // namespace

Index pin_of_node(const Boundaries& boundaries, const Nodes& nodes, std::size_t node) {
  return names_pins(boundaries) ? nodes.pin[node] : 0;
}

void find_pinned_places(const Blocks& blocks, const Rows& rows, const Index* pin,
                        PinnedPlaces& places) {
  places.chunks.assign(blocks.chunks.size(), 0);
  std::vector<char> near(blocks.nodes.size(), 0);
  for (std::size_t c = 0; c < blocks.chunks.size(); ++c) {
    const Chunk& chunk = blocks.chunks[c];
    const Index* const first = rows.particle.data() + chunk.first;
    places.chunks[c] =
        std::any_of(first, first + chunk.count, [&](Index i) { return pin[i] >= 0; });
    if (!places.chunks[c]) continue;
    for (const Index b : blocks.nodes_around[chunk.block]) near[b] = 1;
  }
  places.blocks.clear();
  for (Index b = 0; b < blocks.nodes.size(); ++b)
    if (near[b]) places.blocks.push_back(b);
}

Real move_pinned_nodes(const Exec& exec, const StepNumbers& in, const Boundaries& boundaries,
                       const Blocks& blocks, const PinnedPlaces& places, const Index* pin,
                       const Rows& rows, Nodes& nodes) {
  nodes.work.resize(nodes.now.size());
  if (names_pins(boundaries)) nodes.pin.resize(nodes.now.size());
  Index* const of_node = names_pins(boundaries) ? nodes.pin.data() : nullptr;
  if (in.transfer == Transfer::flip)
    all_pins_to_grid<Cubic>(exec, in, boundaries, blocks, places, pin, rows, nodes.work, of_node);
  else
    all_pins_to_grid<Quadratic>(exec, in, boundaries, blocks, places, pin, rows, nodes.work,
                                of_node);
  nodes.pinned.assign(nodes.now.size(), 0);
  return reduce_max(exec, "mpm.pins", static_cast<Index>(places.blocks.size()), Real(0),
                    [&](Index k) {
                      const Index b = places.blocks[k];
                      return move_block(boundaries, blocks.nodes.place(b), in.dx, b, nodes);
                    });
}

}  // namespace phyxel::mpm
