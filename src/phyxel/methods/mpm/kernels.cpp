#include "phyxel/methods/mpm/kernels.h"

#include "phyxel/grid/tiles.h"
#include "phyxel/methods/mpm/chunk.h"
#include "phyxel/methods/mpm/obstacles.h"

namespace phyxel::mpm {

namespace {

/// Velocities from the columns of the particles, in the place of grid to particles.
void load_velocities(const Places& places, const Index* particle, const Points& from, Buffers& b) {
  for (Index k = 0; k < places.count(); ++k) {
    const Index i = particle[b.at[places.first + k]];
    for (int a = 0; a < 3; ++a) b.from_grid[a][k] = from.v[i][a];
    for (int a = 0; a < 9; ++a) b.from_grid[3 + a][k] = from.gradient[i][a / 3][a % 3];
  }
}

void store_velocities(const Places& places, const Index* particle, const Buffers& b,
                      const Points& to) {
  for (Index k = 0; k < places.count(); ++k) {
    const Index i = particle[b.at[places.first + k]];
    for (int a = 0; a < 3; ++a) to.v[i][a] = b.from_grid[a][k];
    for (int a = 0; a < 9; ++a) to.gradient[i][a / 3][a % 3] = b.from_grid[3 + a][k];
  }
}

/// (1 - a) PIC + a FLIP: the velocity of the grid, and the particle's own with the change on the
/// grid.
void blend(const StepNumbers& in, const Places& places, const Quad* velocity, Buffers& b) {
  for (Index k = 0; k < places.count(); k += lanes) {
    const QuadPack own = gather(velocity, b.at + places.first + k);
    for (int a = 0; a < 3; ++a) {
      const Pack pic = Pack::load_aligned(b.from_grid[a] + k),
                 change = Pack::load_aligned(b.from_grid[12 + a] + k);
      (pic + Pack(in.flip) * (own.c[a] + change - pic)).store_aligned(b.from_grid[a] + k);
    }
  }
}

void keep_velocities(const Places& places, const Buffers& b, Quad* velocity) {
  for (Index k = 0; k < places.count(); k += lanes) {
    const auto number = [&](int a) { return Pack::load_aligned(b.from_grid[a] + k); };
    store_fours(
        {{number(0), number(1), number(2), Pack(Real(0))}},
        [&](Index l) { return velocity[b.at[places.first + k + l]].c; },
        std::min(lanes, places.count() - k));
  }
}

template <class T>
void load_tiles(const Nodes& nodes, const std::array<Index, 27>& around, const TileRange& range,
                Buffers& b) {
  load_tile(nodes.now.data(), around, range, b.tile);
  if constexpr (T::passes == 2) load_tile(nodes.before.data(), around, range, b.tile_before);
}

/// The columns of one chunk.
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

template <class T>
void grid_to_rows(const ChunkPlaces& at, const Places& places, Buffers& b) {
  load_heads(places, at.row, b);
  grid_to_particles<T>(places, b);
}

/// Velocities of the particles of a chunk after the step, batch by batch. then(places, own_path),
/// where own_path tells whether particles move along b.path.
template <class T, class Then>
void grid_to_chunk(const StepNumbers& in, const Blocks& blocks, const Nodes& nodes,
                   const Boundaries& boundaries, const Points& points, const ChunkPlaces& at,
                   Buffers& b, const Then& then) {
  const Int3 block = blocks.map.place(at.chunk.block);
  load_tiles<T>(nodes, blocks.nodes_around[at.chunk.block], at.range, b);
  const bool own_path = find_obstacles(boundaries, in, block, b);
  for_batches(at.chunk, [&](const Places& places) {
    grid_to_rows<T>(at, places, b);
    if constexpr (T::passes == 2) blend(in, places, at.velocity, b);
    if (own_path) meet_obstacles(boundaries, in, block, places, at.row, at.particle, points.pin, b);
    repeat_last<T>(places, b);
    then(places, own_path);
  });
}

/// Prefetches what the next chunk needs, little by little: it is in the cache by then.
class FetchAhead {
 public:
  FetchAhead(const Blocks& blocks, const Rows& rows, const Nodes& nodes, Index chunk)
      : row_(rows.row.data() + blocks.chunks[chunk].first),
        count_(blocks.chunks[chunk].count),
        around_(blocks.nodes_around[blocks.chunks[chunk].block]),
        nodes_(nodes) {}

  /// As large a part of it as the places are of their chunk.
  void operator()(const Chunk& chunk, const Places& places) const {
    const auto part = [&](Index of, Index place) { return of * place / chunk.count; };
    for (Index k = part(count_, places.first); k < part(count_, places.last); ++k)
      __builtin_prefetch(row_ + k, 0, 2);
    constexpr Index lines = tile_edge * tile_edge;
    const Index first = part(lines, places.first), last = part(lines, places.last);
    if (!nodes_.now.empty()) fetch_lines(nodes_.now.data(), around_, first, last);
    fetch_lines(nodes_.sum.data(), around_, first, last);
  }

 private:
  const Row16* row_;
  Index count_;
  const std::array<Index, 27>& around_;
  const Nodes& nodes_;
};

/// One chunk: particles to grid is added to the nodes.
template <class T>
void advance_one(const StepNumbers& in, const std::vector<AnyLaw>& laws, const Blocks& blocks,
                 const Boundaries& boundaries, const Points& points, Index c,
                 const FetchAhead& fetch, Nodes& nodes, Rows& rows) {
  const ChunkPlaces at(blocks, c, rows);
  const Chunk& chunk = at.chunk;
  Buffers& b = thread_buffers();
  PackLimits limits;
  Index cell = 0;
  const auto advance = [&](const Places& places, bool own_path) {
    if (in.particles_to_grid) fetch(chunk, places);
    std::visit(
        [&](const auto& law) { advance_batch<T>(law, in, places, own_path, at.row, b, limits); },
        laws[chunk.material]);
    if (in.grid_to_particles && T::passes == 2) keep_velocities(places, b, at.velocity);
    if (in.particles_to_grid) {
      for (Index s = 0; s < b.strays; ++s)
        stray_to_grid<T>(b.cell[places.first + b.stray[s]], b.stray[s], b);
      Index next = cell;
      for (int pass = 0; pass < T::passes; ++pass)
        next = particles_to_grid<T>(at.start, places, cell, pass, b, b.sum[pass]);
      cell = next;
    } else if (in.grid_to_particles) {
      store_velocities(places, at.particle, b, points);
    }
  };
  load_order(chunk, at.order, b);
  if (in.particles_to_grid)
    for (int pass = 0; pass < T::passes; ++pass) clear_tile(b.sum[pass]);
  if (in.grid_to_particles)
    grid_to_chunk<T>(in, blocks, nodes, boundaries, points, at, b, advance);
  else
    for_batches(chunk, [&](const Places& places) {
      load_heads(places, at.row, b);
      load_velocities(places, at.particle, points, b);
      repeat_last<T>(places, b);
      advance(places, false);
    });
  rows.limits[c] = limits.of_chunk();
  if (in.grid_to_particles || in.particles_to_grid)
    rows.range[c] = sort_chunk<T>(chunk, at.start, at.order, b);
  if (in.particles_to_grid)
    for (int pass = 0; pass < T::passes; ++pass)
      add_tile(b.sum[pass], blocks.nodes_around[chunk.block], rows.range[c],
               nodes.sum.data() + pass * (nodes.sum.size() / T::passes));
}

template <class T>
void advance_all(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                 const Blocks& blocks, const Boundaries& boundaries, const Points& points,
                 Nodes& nodes, Rows& rows) {
  if (in.particles_to_grid) {
    nodes.sum.resize(std::size_t(blocks.nodes.size()) * nodes_in_block * T::passes);
    fill(exec, "mpm.clear", nodes.sum, Quad{});
  }
  const auto advance_block = [&](Index block, Index after) {
    const Index last = blocks.chunk_start[block + 1] - 1;
    for (Index c = blocks.chunk_start[block]; c <= last; ++c) {
      const FetchAhead fetch(blocks, rows, nodes, c < last ? c + 1 : blocks.chunk_start[after]);
      advance_one<T>(in, laws, blocks, boundaries, points, c, fetch, nodes, rows);
    }
  };
  if (in.particles_to_grid)
    for_each_block_in_turn(exec, "mpm.particles", blocks, advance_block);
  else
    for_each_block(exec, "mpm.particles", blocks, [&](Index b) { advance_block(b, b); });
}

template <class T>
Real measure_all_paths(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                       const Nodes& nodes, const Boundaries& boundaries, const Points& points,
                       Rows& rows) {
  for_each_coarse(exec, "mpm.paths", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const ChunkPlaces at(blocks, c, rows);
    Buffers& b = thread_buffers();
    load_order(at.chunk, at.order, b);
    Real longest = 0;
    grid_to_chunk<T>(
        in, blocks, nodes, boundaries, points, at, b, [&](const Places& places, bool own_path) {
          for (int a = 0; a < 3; ++a)
            for (Index k = 0; k < places.count(); ++k)
              longest = std::max(longest, std::abs(own_path ? b.path[a][k] : b.from_grid[a][k]));
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
      Vec3Pack x;
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
                 const Points& points, Rows& rows) {
  for_each_coarse(exec, "mpm.volumes", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const ChunkPlaces at(blocks, c, rows);
    Buffers& b = thread_buffers();
    load_order(at.chunk, at.order, b);
    load_tiles<T>(nodes, blocks.nodes_around[at.chunk.block], at.range, b);
    for_batches(at.chunk, [&](const Places& places) {
      grid_to_rows<T>(at, places, b);
      for (Index k = 0; k < places.count(); ++k) {
        const Index i = b.at[places.first + k];
        Real* const r = at.row[i].c;
        r[row_volume] = r[row_mass] * in.cell_volume / b.from_grid[0][k];
        points.volume[at.particle[i]] = r[row_volume];
      }
    });
  });
}

}  // namespace

void advance_particles(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                       const Blocks& blocks, const Boundaries& boundaries, const Points& points,
                       Nodes& nodes, Rows& rows) {
  if (in.transfer == Transfer::flip)
    advance_all<Cubic>(exec, in, laws, blocks, boundaries, points, nodes, rows);
  else
    advance_all<Quadratic>(exec, in, laws, blocks, boundaries, points, nodes, rows);
}

Real measure_paths(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                   const Nodes& nodes, const Boundaries& boundaries, const Points& points,
                   Rows& rows) {
  if (in.transfer == Transfer::flip)
    return measure_all_paths<Cubic>(exec, in, blocks, nodes, boundaries, points, rows);
  return measure_all_paths<Quadratic>(exec, in, blocks, nodes, boundaries, points, rows);
}

void sort_cells(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Rows& rows) {
  if (in.transfer == Transfer::flip)
    sort_all<Cubic>(exec, blocks, rows);
  else
    sort_all<Quadratic>(exec, blocks, rows);
}

void measure_volumes(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                     const Nodes& nodes, const Points& points, Rows& rows) {
  if (in.transfer == Transfer::flip)
    measure_all<Cubic>(exec, in, blocks, nodes, points, rows);
  else
    measure_all<Quadratic>(exec, in, blocks, nodes, points, rows);
}

}  // namespace phyxel::mpm
