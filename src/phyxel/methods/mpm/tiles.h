#pragma once

#include "phyxel/methods/mpm/transfer.h"

// Between tiles, which belong to particles, and blocks of nodes. Everybody sums what is theirs in a
// fixed order: no thread writes what another one does.

namespace phyxel::mpm {

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

/// Fills a tile with the nodes around a block.
inline void load_tile(const Quad* nodes, const std::array<Index, 27>& around, Quad* tile) {
  for (int sx = -1; sx <= 1; ++sx)
    for (int sy = -1; sy <= 1; ++sy)
      for (int sz = -1; sz <= 1; ++sz) {
        const Overlap x = overlap(sx), y = overlap(sy), z = overlap(sz);
        const Quad* const block = nodes + std::size_t(around[side(sx, sy, sz)]) * nodes_in_block;
        for (Index i = 0; i < x.count; ++i)
          for (Index j = 0; j < y.count; ++j) {
            const Quad* const from =
                block + ((x.node + i) * block_edge + y.node + j) * block_edge + z.node;
            Quad* const to = tile + tile_place(x.tile + i, y.tile + j, z.tile);
            if (sz == 0)
              std::memcpy(to, from, block_edge * sizeof(Quad));
            else
              std::memcpy(to, from, tile_reach * sizeof(Quad));
          }
      }
}

/// Sums all that the tiles around a block of nodes have for it.
inline void sum_tiles(const Blocks& blocks, const Quad* tiles, int passes, int pass,
                      Index node_block, Quad* sum) {
  std::fill_n(sum, nodes_in_block, Quad{});
  const std::array<Index, 27>& around = blocks.blocks_around[node_block];
  for (int sx = -1; sx <= 1; ++sx)
    for (int sy = -1; sy <= 1; ++sy)
      for (int sz = -1; sz <= 1; ++sz) {
        const Index b = around[side(sx, sy, sz)];
        if (b < 0) continue;
        // Seen from the tile, the nodes lie on the other side.
        const Overlap x = overlap(-sx), y = overlap(-sy), z = overlap(-sz);
        for (Index c = blocks.chunk_start[b]; c < blocks.chunk_start[b + 1]; ++c) {
          const Quad* const tile = tiles + std::size_t(c * passes + pass) * tile_stride;
          for (Index i = 0; i < x.count; ++i)
            for (Index j = 0; j < y.count; ++j) {
              const Real* const from = tile[tile_place(x.tile + i, y.tile + j, z.tile)].c;
              Real* const to =
                  sum[((x.node + i) * block_edge + y.node + j) * block_edge + z.node].c;
              if (sz == 0)
                store_two_rows(load_two_rows(to) + load_two_rows(from), to);
              else
                store_loose(load_loose(to) + load_loose(from), to);
            }
        }
      }
}

}  // namespace phyxel::mpm
