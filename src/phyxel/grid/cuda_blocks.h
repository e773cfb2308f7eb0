#pragma once

#include "phyxel/grid/blocks.h"

// The sparse grid on a GPU: what blocks.h has on the host, built by kernels. A table of places
// numbers the blocks of nodes; numbers differ from run to run, sums do not depend on them.

namespace phyxel::grid {

inline namespace PHYXEL_BACKEND {

constexpr int cells_along_tile = 6;  // along an axis: those around nodes -1 to 4 of the block

/// Key by which particles are sorted: block and material in one number. As BlockKeys, but
/// neighbours lie near each other.
struct PlaceKeys {
  Int3 low = Int3::zero();    // the first block along each axis
  std::int64_t size[3] = {};  // blocks along each axis
  Index materials = 1;

  PHYXEL_FN std::uint64_t key(const Int3& block, Index material) const {
    std::int64_t place = 0;
    for (int k = 0; k < 3; ++k) place = place * size[k] + (block[k] - low[k]);
    return static_cast<std::uint64_t>(place * materials + material);
  }
  PHYXEL_FN Int3 block(std::uint64_t key) const {
    auto place = static_cast<std::int64_t>(key / static_cast<std::uint64_t>(materials));
    Int3 b;
    for (int k = 2; k >= 0; --k) {
      b[k] = low[k] + static_cast<Index>(place % size[k]);
      place /= size[k];
    }
    return b;
  }
  PHYXEL_FN Index material(std::uint64_t key) const {
    return static_cast<Index>(key % static_cast<std::uint64_t>(materials));
  }
};

/// Keys for blocks from `low` to `high`. Throws where they lie too far apart for 64 bits.
PlaceKeys place_keys(const Int3& low, const Int3& high, Index materials);

/// Places that a table can hold lie within this many blocks of its origin.
constexpr Index table_reach = 1 << 20;

/// An open hash table in the memory of the GPU.
struct TableView {
  static constexpr std::uint64_t free = ~std::uint64_t{0};
  unsigned long long* key;
  Index* number;
  std::uint32_t mask;
  Int3 origin;

  PHYXEL_FN std::uint64_t key_of(const Int3& place) const {
    std::uint64_t key = 0;
    for (int k = 0; k < 3; ++k)
      key = key << 21 | (static_cast<std::uint64_t>(place[k] - origin[k] + table_reach) & 0x1fffff);
    return key;
  }
  PHYXEL_FN std::uint32_t first_slot(std::uint64_t key) const {
    return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
  }
  /// -1 where there is no such place.
  PHYXEL_FN Index find(const Int3& place) const {
    const std::uint64_t wanted = key_of(place);
    for (std::uint32_t k = first_slot(wanted);; k = (k + 1) & mask) {
      if (key[k] == wanted) return number[k];
      if (key[k] == free) return -1;
    }
  }
};

struct PlaceTable {
  Column<unsigned long long> key;
  Column<Index> number;
  Int3 origin = Int3::zero();

  TableView view() {
    return {key.data(), number.data(), static_cast<std::uint32_t>(key.size() - 1), origin};
  }
  void swap(PlaceTable& other) {
    key.swap(other.key);
    number.swap(other.number);
    std::swap(origin, other.origin);
  }
};

/// Non-owning view of the blocks, for kernels; see Blocks.
struct BlocksView {
  const Int3* place;
  const Index* chunk_start;
  const Chunk* chunks;
  Index chunk_count;
  const Index* nodes_around;
  const Int3* node_place;
  const Index* blocks_around;
  Index node_count;
};

struct DeviceBlocks {
  Column<Int3> place;           // of blocks with particles
  Column<Index> chunk_start;    // of each such block; one more at the end
  Column<Chunk> chunks;         // in the order of blocks
  Column<Index> nodes_around;   // of a block with particles: 27 blocks of nodes
  Column<Int3> node_place;      // of blocks of nodes
  Column<Index> blocks_around;  // of a block of nodes: 27 with particles, or -1
  PlaceTable table;             // of blocks of nodes
  Index block_count = 0, chunk_count = 0, node_count = 0;
  Int3 low = Int3::zero(), high = Int3::zero();  // extent of the blocks with particles

  BlocksView view() const {
    return {place.data(),        chunk_start.data(), chunks.data(),        chunk_count,
            nodes_around.data(), node_place.data(),  blocks_around.data(), node_count};
  }
};

/// Particles of one block and one material, before they are cut into chunks.
struct Run {
  Index first, chunk, block;  // sums over the runs before
};

/// Numbers that come back to the host.
struct BlockCounts {
  Index runs, chunks, blocks, nodes;
  Int3 low, high;
};

/// What building blocks works in; kept, so that nothing is allocated in a step.
struct BlocksScratch {
  SortScratch sort;
  Column<Run> runs;
  Column<BlockCounts> counts;
};

/// Sorts `key_column` and with it `order`, the rows that the keys belong to; makes the blocks and
/// chunks of at most `chunk_rows` particles. `origin`: a place near all of them.
void build_blocks(const Exec& exec, const PlaceKeys& keys, Index chunk_rows, const Int3& origin,
                  Column<std::uint64_t>& key_column, Column<Index>& order, BlocksScratch& scratch,
                  DeviceBlocks& blocks);

/// Nodes of `old` places where `blocks` has them, zero elsewhere.
void remap_nodes(const Exec& exec, PlaceTable& old, const DeviceBlocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::grid
