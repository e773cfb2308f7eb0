#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "phyxel/grid/tiles.h"
#include "phyxel/grid/transfer.h"

// Both transfers for the particles of a chunk, a batch of them at a time. Particles are rows of 16
// numbers that begin with the place in their tile, in cells; what else is in a row is the method's.

namespace phyxel::grid {

/// Room for the transfers of one chunk, one for each thread.
struct TransferBuffers {
  alignas(64) Quad tile[tile_room];
  alignas(64) Quad tile_before[tile_room];  // of FLIP
  alignas(64) Quad sum[2][tile_room];       // particles to grid: mass, momentum; of FLIP: impulses
  alignas(64) Index at[largest_chunk + 2 * batch];  // row of a place in the order of cells
  alignas(64) Index cell[largest_chunk + 16];       // of a place, after moving

  // Of a batch:
  alignas(64) Real head[4][batch_room];        // what rows begin with: place, and one more number
  alignas(64) Real from_grid[15][batch_room];  // velocity, gradient, change of velocity
  alignas(64) Row16 for_grid[2 * batch_room];  // of a particle, for particles to grid
  alignas(64) Real weight[16][batch_room];     // and its weights
  alignas(64) Index stray[batch_room];         // those that have left their cells
  Index strays;
};

/// Places [first, last) of a chunk in the order of cells: a batch, which begins at a multiple.
struct Places {
  Index first, last;

  Index count() const { return last - first; }
};

/// 0, 1, 2, ...
inline constexpr auto batch_places = [] {
  std::array<Index, batch_room> places{};
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}();

/// f(places) for all batches of a chunk.
template <class F>
PHYXEL_INLINE void for_batches(const Chunk& chunk, const F& f) {
  for (Index k = 0; k < chunk.count; k += batch) f(Places{k, std::min(k + batch, chunk.count)});
}

/// The rows of a chunk in the order of cells; the last one again for lanes that are left over and
/// for what is fetched ahead.
inline void load_order(const Chunk& chunk, const std::uint16_t* order, TransferBuffers& b) {
  for (Index k = 0; k < chunk.count; ++k) b.at[k] = order[k];
  for (Index k = chunk.count; k < chunk.count + 2 * batch; ++k) b.at[k] = b.at[chunk.count - 1];
}

/// Loads what the rows of a batch begin with.
PHYXEL_INLINE void load_heads(const Places& places, const Row16* rows, TransferBuffers& b) {
  for (Index k = 0; k < places.count(); k += lanes) {
    const Index* const at = b.at + places.first + k;
    const QuadPack head =
        load_fours([&](Index l) __attribute__((always_inline)) { return rows[at[l]].c; });
    for (int q = 0; q < 4; ++q) head.c[q].store_aligned(b.head[q] + k);
  }
}

/// Velocities and their gradients at the particles of a batch, whose heads are loaded.
template <class T>
PHYXEL_INLINE void grid_to_particles(const Places& places, TransferBuffers& b) {
  const auto head = [&](int q, Index k) { return Pack::load_aligned(b.head[q] + k); };
  for (Index k = 0; k < places.count(); k += lanes)
    T::grid_to_particles(
        b.tile, b.tile_before, CellPlace<T>({head(0, k), head(1, k), head(2, k)}),
        [&](int q, const Pack& sum)
            __attribute__((always_inline)) { sum.store_aligned(b.from_grid[q] + k); });
}

/// Lays out what Quadratic::Sums::add reads of the pack of particles at k of a batch: p, weights.
PHYXEL_INLINE void store_for_grid(Quadratic, const CellPlace<Quadratic>& place, RowPack& p, Index k,
                                  TransferBuffers& b) {
  const Vec3Pack wx = quadratic_weights(place.offset[0]), wy = quadratic_weights(place.offset[1]),
                 wz = quadratic_weights(place.offset[2]);
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) (wx[x] * wy[y]).store_aligned(b.weight[3 * x + y] + k);
  for (int z = 0; z < 3; ++z) p.c[7 + 4 * z] = wz[z];
  store_rows(
      p, [&](Index l) { return b.for_grid + k + l; }, lanes);
}

/// The same for Cubic::Sums::add.
PHYXEL_INLINE void store_for_grid(Cubic, const CellPlace<Cubic>& place, RowPack& p, Index k,
                                  TransferBuffers& b) {
  const CubicWeights<Pack> x = cubic_weights(place.offset[0]), y = cubic_weights(place.offset[1]),
                           z = cubic_weights(place.offset[2]);
  RowPack along_z;
  for (int q = 0; q < 4; ++q) {
    x.value[q].store_aligned(b.weight[q] + k);
    x.slope[q].store_aligned(b.weight[4 + q] + k);
    y.value[q].store_aligned(b.weight[8 + q] + k);
    y.slope[q].store_aligned(b.weight[12 + q] + k);
    along_z.c[q] = z.value[q], along_z.c[4 + q] = z.slope[q];
    along_z.c[8 + q] = along_z.c[12 + q] = Pack(Real(0));
    p.c[7 + 4 * std::min(q, 2)] = Pack(Real(0));
  }
  store_rows(
      p, [&](Index l) { return b.for_grid + 2 * (k + l); }, lanes);
  store_rows(
      along_z, [&](Index l) { return b.for_grid + 2 * (k + l) + 1; }, lanes);
}

/// Nodes that the particles in cells that begin at `start` reach.
template <class T>
TileRange range_of(const std::uint16_t* start) {
  constexpr Index n = T::cells;
  TileRange range;
  Index low[2] = {n, n}, high[2] = {0, 0};
  for (Index x = 0; x < n; ++x)
    for (Index y = 0; y < n; ++y) {
      const std::uint16_t* const line = start + (x * n + y) * n;
      if (line[0] == line[n]) continue;
      low[0] = std::min(low[0], x), high[0] = x;
      low[1] = std::min(low[1], y), high[1] = std::max(high[1], y);
    }
  for (int a = 0; a < 2; ++a) {
    range.low[a] = static_cast<std::int8_t>(low[a]);
    range.high[a] = static_cast<std::int8_t>(high[a] + T::nodes - 1);
  }
  return range;
}

/// Puts the places of a chunk in the order of their new cells.
template <class T>
TileRange sort_chunk(const Chunk& chunk, std::uint16_t* start, std::uint16_t* order,
                     TransferBuffers& b) {
  constexpr Index cells = T::cells * T::cells * T::cells;
  std::uint16_t next[cells + 1] = {};
  for (Index k = 0; k < chunk.count; ++k) ++next[b.cell[k]];
  std::uint16_t sum = 0;
  for (Index c = 0; c < cells; ++c) {
    start[c] = sum;
    sum += std::exchange(next[c], sum);
  }
  start[cells] = sum;
  for (Index k = 0; k < chunk.count; ++k) {
    order[next[b.cell[k]]++] = static_cast<std::uint16_t>(b.at[k]);
  }
  return range_of<T>(start);
}

/// Adds the mass and momentum of one particle that has left its cell.
template <class T>
PHYXEL_INLINE void stray_to_grid(Index cell, Index k, TransferBuffers& b) {
  for (int pass = 0; pass < T::passes; ++pass) {
    typename T::Sums sums;
    sums.clear();
    sums.add(pass, b.for_grid + T::rows * k, b.weight[0] + k);
    sums.flush(b.sum[pass] + tile_cells<T>[cell].nodes);
  }
  for (int q = 0; q < T::weights; ++q) b.weight[q][k] = 0;  // it is done
}

/// Adds mass and momentum of the particles of a batch to the nodes of their tile. `from`: a cell
/// that is not behind the first of them. Returns the same for the next batch.
template <class T>
Index particles_to_grid(const std::uint16_t* start, const Places& places, Index from, int pass,
                        const TransferBuffers& b, Quad* tile) {
  Index cell = from;
  for (Index k = places.first; k < places.last;) {
    const Index end = std::min<Index>(start[cell + 1], places.last);
    if (k < end) {
      typename T::Sums sums;
      sums.clear();
      for (; k < end; ++k)
        sums.add(pass, b.for_grid + T::rows * (k - places.first), b.weight[0] + (k - places.first));
      sums.flush(tile + tile_cells<T>[cell].nodes);
    }
    if (k < places.last) ++cell;
  }
  return cell;
}

inline void clear_tile(Quad* tile) {
  std::fill_n(tile, tile_room, Quad{});
}

}  // namespace phyxel::grid
