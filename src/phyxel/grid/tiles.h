#pragma once

#include "phyxel/grid/transfer.h"

// Between tiles, which belong to a block of particles, and the blocks of nodes around it.

namespace phyxel::grid {

/// How a tile and the block of nodes on one side of it overlap along an axis: `count` nodes from
/// `tile` on of the tile, from `node` on of the block.
struct Overlap {
  Index tile, node, count;
};
constexpr Overlap overlap(int step) {
  if (step < 0) return {0, block_edge - tile_reach, tile_reach};
  if (step > 0) return {tile_reach + block_edge, 0, tile_reach};
  return {tile_reach, 0, block_edge};
}

/// The part of an overlap that is in use.
constexpr Overlap within(Overlap o, Index low, Index high) {
  const Index skipped = low > o.tile ? low - o.tile : 0;
  const Index last = o.tile + o.count - 1 < high ? o.tile + o.count - 1 : high;
  return {o.tile + skipped, o.node + skipped, last - (o.tile + skipped) + 1};
}

/// f(side, first node of a line along z in the tile, the same in the blocks of nodes) for all lines
/// of a tile in use; `side` is that of the middle of the line.
template <class F>
PHYXEL_INLINE void for_lines(const TileRange& range, const F& f) {
  for (int sx = -1; sx <= 1; ++sx) {
    const Overlap x = within(overlap(sx), range.low[0], range.high[0]);
    for (int sy = -1; sy <= 1; ++sy) {
      const Overlap y = within(overlap(sy), range.low[1], range.high[1]);
      for (Index i = 0; i < x.count; ++i)
        for (Index j = 0; j < y.count; ++j) {
          const Index tile = tile_place(x.tile + i, y.tile + j, 0);
          const Index node = ((x.node + i) * block_edge + y.node + j) * block_edge;
          f(side(sx, sy, 0), tile, node);
        }
    }
  }
}

/// Fills a tile with the nodes around a block.
inline void load_tile(const Quad* nodes, const std::array<Index, 27>& around,
                      const TileRange& range, Quad* tile) {
  constexpr Overlap below = overlap(-1), above = overlap(1), middle = overlap(0);
  for_lines(
      range, [&](int s, Index to, Index from) __attribute__((always_inline)) {
        const auto line = [&](int z) {
          return nodes + std::size_t(around[s + z]) * nodes_in_block + from;
        };
        store_loose(load_loose(line(-1)[below.node].c), tile[to + below.tile].c);
        store_loose(load_loose<TwoRows8>(line(0)[middle.node].c), tile[to + middle.tile].c);
        store_loose(load_loose(line(1)[above.node].c), tile[to + above.tile].c);
      });
}

/// Fetches lines along z of a tile, x * 8 + y from `first` up to `last`, into the second cache.
inline void fetch_lines(const Quad* nodes, const std::array<Index, 27>& around, Index first,
                        Index last) {
  for (Index line = first; line < last; ++line) {
    const Index x = line / tile_edge + block_edge - tile_reach,
                y = line % tile_edge + block_edge - tile_reach;
    const int s =
        side(static_cast<int>(x / block_edge) - 1, static_cast<int>(y / block_edge) - 1, 0);
    const Index node = (x % block_edge * block_edge + y % block_edge) * block_edge;
    for (int z = -1; z <= 1; ++z)
      __builtin_prefetch(nodes + std::size_t(around[s + z]) * nodes_in_block + node, 0, 2);
  }
}

/// Adds a tile to the nodes around a block.
inline void add_tile(const Quad* tile, const std::array<Index, 27>& around, const TileRange& range,
                     Quad* nodes) {
  constexpr Overlap below = overlap(-1), above = overlap(1), middle = overlap(0);
  for_lines(
      range, [&](int s, Index from, Index to) __attribute__((always_inline)) {
        const auto line = [&](int z, Index node) {
          return nodes[std::size_t(around[s + z]) * nodes_in_block + to + node].c;
        };
        Real* const low = line(-1, below.node);
        store_loose(load_loose(low) + load_loose(tile[from + below.tile].c), low);
        Real* const here = line(0, middle.node);
        store_loose(load_loose<TwoRows8>(here) + load_loose<TwoRows8>(tile[from + middle.tile].c),
                    here);
        Real* const high = line(1, above.node);
        store_loose(load_loose(high) + load_loose(tile[from + above.tile].c), high);
      });
}

}  // namespace phyxel::grid
