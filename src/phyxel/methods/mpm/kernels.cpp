#include "phyxel/methods/mpm/kernels.h"

#include <memory>

#include "phyxel/methods/mpm/chunk.h"
#include "phyxel/methods/mpm/obstacles.h"
#include "phyxel/methods/mpm/tiles.h"

namespace phyxel::mpm {

namespace {

Buffers& thread_buffers() {
  static thread_local const auto buffers = std::make_unique<Buffers>();
  return *buffers;
}

/// The rows of a chunk in the order of cells; the last one again for lanes that are left over.
void load_order(const Chunk& chunk, const std::uint16_t* order, Buffers& b) {
  for (Index k = 0; k < chunk.count; ++k) b.at[k] = order[k];
  for (Index k = chunk.count; k < chunk.count + 16; ++k) b.at[k] = b.at[chunk.count - 1];
}

/// Velocities from the columns of the particles, as if gathered.
void load_velocities(const Chunk& chunk, const Index* particle, const ParticleView& from,
                     Buffers& b) {
  for (Index k = 0; k < chunk.count + 16; ++k) {
    const Index i = particle[b.at[k]];
    for (int a = 0; a < 3; ++a) b.gathered[a][k] = from.v[i][a];
    for (int a = 0; a < 9; ++a) b.gathered[3 + a][k] = from.gradient[i][a / 3][a % 3];
  }
}

void store_velocities(const Chunk& chunk, const Index* particle, const Buffers& b,
                      const ParticleView& to) {
  for (Index k = 0; k < chunk.count; ++k) {
    const Index i = particle[b.at[k]];
    for (int a = 0; a < 3; ++a) to.v[i][a] = b.gathered[a][k];
    for (int a = 0; a < 9; ++a) to.gradient[i][a / 3][a % 3] = b.gathered[3 + a][k];
  }
}

/// (1 - a) PIC + a FLIP: the gathered velocity, and the particle's own with the gathered change.
void blend(const StepNumbers& in, const Places& places, const Quad* velocity, Buffers& b) {
  for (Index k = places.first; k < places.last; k += 8) {
    Row8 own[3];
    load_threes([&](Index l) { return velocity[b.at[k + l]].c; }, own);
    for (int a = 0; a < 3; ++a) {
      const Row8 pic = load_loose(b.gathered[a] + k), change = load_loose(b.gathered[12 + a] + k);
      store_loose(pic + in.flip * (own[a] + change - pic), b.gathered[a] + k);
    }
  }
}

void keep_velocities(const Chunk& chunk, const Buffers& b, Quad* velocity) {
  for (Index k = 0; k < chunk.count; k += lanes) {
    const auto number = [&](int a) { return Pack::load_unaligned(b.gathered[a] + k); };
    store_fours(
        {{number(0), number(1), number(2), Pack(Real(0))}},
        [&](Index l) { return velocity + b.at[k + l]; }, std::min(lanes, chunk.count - k));
  }
}

template <class T>
void load_tiles(const Nodes& nodes, const std::array<Index, 27>& around, const TileRange& range,
                Buffers& b) {
  load_tile(nodes.now.data(), around, range, b.tile);
  if constexpr (T::passes == 2) load_tile(nodes.before.data(), around, range, b.tile_before);
}

/// Where a chunk keeps its things.
struct ChunkPlaces {
  const Chunk& chunk;
  Row16* row;
  const Index* particle;
  Quad* velocity;
  std::uint16_t* order;
  std::uint16_t* start;
  const TileRange& range;

  ChunkPlaces(const Blocks& blocks, Index c, Rows& rows)
      : chunk(blocks.chunks[c]),
        row(rows.row.data() + chunk.first),
        particle(rows.particle.data() + chunk.first),
        velocity(rows.velocity.empty() ? nullptr : rows.velocity.data() + chunk.first),
        order(rows.order.data() + chunk.first),
        start(rows.start.data() + std::size_t(c) * Rows::starts),
        range(rows.range[c]) {}
};

/// Velocities of the particles of a chunk after the step, slab by slab of its cells: what is done
/// with them at once finds them in the nearest cache. then(places, own_path), where own_path tells
/// whether b.path is where particles go. Places come in whole packs up to the last of the chunk.
template <class T, class Then>
void follow_grid(const StepNumbers& in, const Blocks& blocks, const Nodes& nodes,
                 const Surroundings& around, const ParticleView& particles, const ChunkPlaces& at,
                 Buffers& b, const Then& then) {
  const Int3 block = blocks.map.place(at.chunk.block);
  load_order(at.chunk, at.order, b);
  load_tiles<T>(nodes, blocks.nodes_around[at.chunk.block], at.range, b);
  const bool own_path = find_obstacles(around, block, in.dx, b);
  Index done = 0;
  for (Index x = 0; x < T::cells; ++x) {
    const Places slab = places_in_slab<T>(at.start, x);
    if (slab.first == slab.last) continue;
    gather_slab<T>(at.row, at.start, x, b);
    if constexpr (T::passes == 2) blend(in, slab, at.velocity, b);
    if (own_path) meet_obstacles(around, in, block, slab, at.row, at.particle, particles.pin, b);
    const Index ready = slab.last == at.chunk.count ? slab.last : slab.last / lanes * lanes;
    then(Places{done, ready}, own_path);
    done = ready;
  }
}

/// One chunk: what it tells the grid is added to the nodes.
template <class T>
void advance_one(const StepNumbers& in, const std::vector<AnyLaw>& laws, const Blocks& blocks,
                 const Surroundings& around, const ParticleView& particles, Index c,
                 const RowsAhead& ahead, Nodes& nodes, Rows& rows) {
  const ChunkPlaces at(blocks, c, rows);
  const Chunk& chunk = at.chunk;
  Buffers& b = thread_buffers();
  PackLimits limits;
  const auto advance = [&](const Places& places, bool own_path) {
    std::visit(
        [&](const auto& law) {
          advance_places<T>(law, in, chunk, places, own_path, ahead, at.row, b, limits);
        },
        laws[chunk.material]);
  };
  if (in.gathers) {
    follow_grid<T>(in, blocks, nodes, around, particles, at, b, advance);
    if constexpr (T::passes == 2) keep_velocities(chunk, b, at.velocity);
  } else {
    load_order(chunk, at.order, b);
    load_velocities(chunk, at.particle, particles, b);
    advance({0, chunk.count}, false);
  }
  rows.limits[c] = limits.of_chunk();
  if (in.gathers || in.spreads) rows.range[c] = sort_chunk<T>(chunk, at.start, at.order, b);
  if (in.spreads)
    for (int pass = 0; pass < T::passes; ++pass) {
      spread_chunk<T>(at.start, rows.range[c], b, pass, b.tile);
      add_tile(b.tile, blocks.nodes_around[chunk.block], rows.range[c],
               nodes.sum.data() + pass * (nodes.sum.size() / T::passes));
    }
  else if (in.gathers)
    store_velocities(chunk, at.particle, b, particles);
}

template <class T>
void advance_all(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                 const Blocks& blocks, const Surroundings& around, const ParticleView& particles,
                 Nodes& nodes, Rows& rows) {
  if (in.spreads) {
    nodes.sum.resize(std::size_t(blocks.nodes.size()) * nodes_in_block * T::passes);
    fill(exec, "mpm.clear", nodes.sum, Quad{});
  }
  const auto advance_block = [&](Index block, Index after) {
    const Index last = blocks.chunk_start[block + 1] - 1;
    for (Index c = blocks.chunk_start[block]; c <= last; ++c) {
      const Chunk& next = blocks.chunks[c < last ? c + 1 : blocks.chunk_start[after]];
      const RowsAhead ahead{rows.row.data() + next.first, next.count};
      advance_one<T>(in, laws, blocks, around, particles, c, ahead, nodes, rows);
    }
  };
  if (in.spreads)
    for_each_block_in_turn(exec, "mpm.particles", blocks, advance_block);
  else
    for_each_block(exec, "mpm.particles", blocks, [&](Index b) { advance_block(b, b); });
}

template <class T>
Real measure_all_paths(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                       const Nodes& nodes, const Surroundings& around,
                       const ParticleView& particles, Rows& rows) {
  for_each_coarse(exec, "mpm.paths", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const ChunkPlaces at(blocks, c, rows);
    Buffers& b = thread_buffers();
    Real longest = 0;
    follow_grid<T>(
        in, blocks, nodes, around, particles, at, b, [&](const Places& places, bool own_path) {
          for (int a = 0; a < 3; ++a)
            for (Index k = places.first; k < places.last; ++k)
              longest = std::max(longest, std::abs(own_path ? b.path[a][k] : b.gathered[a][k]));
        });
    rows.limits[c].path = longest * in.dt / in.dx;
  });
  Real longest = 0;
  for (const ChunkLimits& l : rows.limits) longest = std::max(longest, l.path);
  return longest;
}

template <class T>
void sort_all(const Exec& exec, const Blocks& blocks, Rows& rows) {
  for_each_coarse(exec, "mpm.cells", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    Buffers& b = thread_buffers();
    const Row16* const row = rows.row.data() + chunk.first;
    for (Index k = 0; k < chunk.count; k += lanes) {
      Pack x[3];
      const RowPack r = load_rows([&](Index l) { return row + std::min(k + l, chunk.count - 1); });
      for (int a = 0; a < 3; ++a) x[a] = r.c[a];
      store_whole(CellPlace<T>(x).number, b.cell + k);
    }
    for (Index k = 0; k < chunk.count; ++k) b.at[k] = k;
    rows.range[c] = sort_chunk<T>(chunk, rows.start.data() + std::size_t(c) * Rows::starts,
                                  rows.order.data() + chunk.first, b);
  });
}

template <class T>
void measure_all(const Exec& exec, const StepNumbers& in, const Blocks& blocks, const Nodes& nodes,
                 const ParticleView& particles, Rows& rows) {
  for_each_coarse(exec, "mpm.volumes", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    Buffers& b = thread_buffers();
    Row16* const row = rows.row.data() + chunk.first;
    load_order(chunk, rows.order.data() + chunk.first, b);
    load_tiles<T>(nodes, blocks.nodes_around[chunk.block], rows.range[c], b);
    for (Index x = 0; x < T::cells; ++x)
      gather_slab<T>(row, rows.start.data() + std::size_t(c) * Rows::starts, x, b);
    for (Index k = 0; k < chunk.count; ++k) {
      Real* const r = row[b.at[k]].c;
      r[row_volume] = r[row_mass] * in.cell_volume / b.gathered[0][k];
      particles.volume[rows.particle[chunk.first + b.at[k]]] = r[row_volume];
    }
  });
}

}  // namespace

void advance_particles(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                       const Blocks& blocks, const Surroundings& around,
                       const ParticleView& particles, Nodes& nodes, Rows& rows) {
  if (in.transfer == Transfer::flip)
    advance_all<Cubic>(exec, in, laws, blocks, around, particles, nodes, rows);
  else
    advance_all<Quadratic>(exec, in, laws, blocks, around, particles, nodes, rows);
}

Real measure_paths(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                   const Nodes& nodes, const Surroundings& around, const ParticleView& particles,
                   Rows& rows) {
  if (in.transfer == Transfer::flip)
    return measure_all_paths<Cubic>(exec, in, blocks, nodes, around, particles, rows);
  return measure_all_paths<Quadratic>(exec, in, blocks, nodes, around, particles, rows);
}

void sort_cells(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Rows& rows) {
  if (in.transfer == Transfer::flip)
    sort_all<Cubic>(exec, blocks, rows);
  else
    sort_all<Quadratic>(exec, blocks, rows);
}

void measure_volumes(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                     const Nodes& nodes, const ParticleView& particles, Rows& rows) {
  if (in.transfer == Transfer::flip)
    measure_all<Cubic>(exec, in, blocks, nodes, particles, rows);
  else
    measure_all<Quadratic>(exec, in, blocks, nodes, particles, rows);
}

}  // namespace phyxel::mpm
