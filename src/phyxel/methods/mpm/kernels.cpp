#include "phyxel/methods/mpm/kernels.h"

#include <memory>

#include "phyxel/methods/mpm/chunk.h"
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
void load_velocities(const Chunk& chunk, const Index* particle, const ParticleVelocities& from,
                     Buffers& b) {
  for (Index k = 0; k < chunk.count + 16; ++k) {
    const Index i = particle[b.at[k]];
    for (int a = 0; a < 3; ++a) b.gathered[a][k] = from.v[i][a];
    for (int a = 0; a < 9; ++a) b.gathered[3 + a][k] = from.gradient[i][a / 3][a % 3];
  }
}

void store_velocities(const Chunk& chunk, const Index* particle, const Buffers& b,
                      const ParticleVelocities& to) {
  for (Index k = 0; k < chunk.count; ++k) {
    const Index i = particle[b.at[k]];
    for (int a = 0; a < 3; ++a) to.v[i][a] = b.gathered[a][k];
    for (int a = 0; a < 9; ++a) to.gradient[i][a / 3][a % 3] = b.gathered[3 + a][k];
  }
}

template <class T>
void advance_all(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                 const Blocks& blocks, const Nodes& nodes, const ParticleVelocities& columns,
                 Rows& rows) {
  for_each_coarse(exec, "mpm.particles", static_cast<Index>(blocks.chunks.size()), [&](Index c) {
    const Chunk& chunk = blocks.chunks[c];
    Buffers& b = thread_buffers();
    Row16* const row = rows.row.data() + chunk.first;
    const Index* const particle = rows.particle.data() + chunk.first;
    std::uint16_t* const order = rows.order.data() + chunk.first;
    std::uint16_t* const start = rows.start.data() + std::size_t(c) * Rows::starts;
    load_order(chunk, order, b);
    if (in.gathers) {
      load_tile(nodes.now.data(), blocks.nodes_around[chunk.block], b.tile);
      gather_chunk<T>(row, start, b);
    } else {
      load_velocities(chunk, particle, columns, b);
    }
    rows.limits[c] = std::visit(
        [&](const auto& law) { return advance_chunk<T>(law, in, chunk, false, row, b); },
        laws[chunk.material]);
    if (in.gathers || in.spreads) sort_chunk<T>(chunk, start, order, b);
    if (in.spreads)
      spread_chunk<T>(start, b, rows.tile.data() + std::size_t(c) * tile_stride);
    else if (in.gathers)
      store_velocities(chunk, particle, b, columns);
  });
}

}  // namespace

void advance_particles(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                       const Blocks& blocks, const Nodes& nodes, const ParticleVelocities& columns,
                       Rows& rows) {
  advance_all<Quadratic>(exec, in, laws, blocks, nodes, columns, rows);
}

void sort_cells(const Exec& exec, const StepNumbers&, const Blocks& blocks, Rows& rows) {
  using T = Quadratic;
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
    sort_chunk<T>(chunk, rows.start.data() + std::size_t(c) * Rows::starts,
                  rows.order.data() + chunk.first, b);
  });
}

}  // namespace phyxel::mpm
