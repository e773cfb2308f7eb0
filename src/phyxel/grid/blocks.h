#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/core/quad.h"
#include "phyxel/grid/block_map.h"

// The sparse grid. Nodes lie at whole multiples of the cell; blocks of 4^3 nodes exist where matter
// is near. Particles are sorted by the block of their nearest node. They use a tile of 8^3 nodes,
// the block and two nodes around it: they may move that far before they must be sorted again.

namespace phyxel::grid {

constexpr Index block_edge = 4;
constexpr Index nodes_in_block = block_edge * block_edge * block_edge;
constexpr Index tile_edge = 8;
constexpr Index tile_reach = 2;  // nodes beyond the block
constexpr Index nodes_in_tile = tile_edge * tile_edge * tile_edge;
/// Room for a tile: adding to three nodes in a line adds zero to a fourth.
constexpr Index tile_room = nodes_in_tile + 4;
/// Particles that are treated together at most.
constexpr Index largest_chunk = 1024;

/// Particles of one block and one material: rows [first, first + count).
struct Chunk {
  Index block, material;
  Index first, count;
};

/// The nodes of a tile that particles reach along x and y; along z all count.
struct TileRange {
  std::int8_t low[2] = {0, 0}, high[2] = {tile_edge - 1, tile_edge - 1};
};

/// The rows of all chunks in the order of their cells.
struct ChunkCells {
  Column<std::uint16_t> order;  // rows of a chunk in the order of their cells
  Column<std::uint16_t> start;  // of each cell in that order: `starts` for each chunk
  Column<TileRange> range;      // of each chunk
  static constexpr Index starts = 224;
};

struct Blocks {
  BlockMap map;                    // blocks with particles
  std::vector<Index> chunk_start;  // of each such block; one more at the end
  std::vector<Chunk> chunks;       // in the order of blocks
  BlockMap nodes;                  // blocks of nodes: those of `map` and all around
  std::vector<std::array<Index, 27>> nodes_around;  // of a block with particles
  std::array<std::vector<Index>, 8> colours;        // blocks whose tiles have no node in common
};

/// f(block) for all blocks with particles.
template <class F>
void for_each_block(const Exec& exec, const char* name, const Blocks& blocks, const F& f) {
  for_each_coarse(exec, name, blocks.map.size(), f);
}

/// f(block, block after it) for all blocks with particles, one colour after the other: f may add to
/// the nodes of its tile. Tiles of one colour have no node in common, so that no thread waits, and
/// each node gets its sums in the order of colours, whatever the number of threads.
template <class F>
void for_each_block_in_turn(const Exec& exec, const char* name, const Blocks& blocks, const F& f) {
  for (const std::vector<Index>& colour : blocks.colours)
    for_each_coarse(exec, name, static_cast<Index>(colour.size()), [&](Index k) {
      f(colour[k], k + 1 < static_cast<Index>(colour.size()) ? colour[k + 1] : colour[k]);
    });
}

/// A place in cells: the block of its nearest node, and the rest within that block.
struct BlockPlace {
  Int3 block;
  Real local[3];
};
PHYXEL_FN BlockPlace block_place(const Vec3& x, Real dx) {
  using std::floor;
  BlockPlace place;
  for (int k = 0; k < 3; ++k) {
    const double at = double(x[k]) / double(dx);
    place.block[k] = static_cast<Index>(floor(floor(at + 0.5) / block_edge));
    place.local[k] = static_cast<Real>(at - double(place.block[k]) * block_edge);
  }
  return place;
}

/// m, of a place in cells of a block.
PHYXEL_FN Vec3 world_place(const Int3& block, const Real* local, Real dx) {
  Vec3 x;
  for (int k = 0; k < 3; ++k)
    x[k] = static_cast<Real>((double(block[k]) * block_edge + double(local[k])) * double(dx));
  return x;
}

/// m, of a node of a block.
PHYXEL_FN Vec3 node_place(const Int3& block, Index node, Real dx) {
  const Real at[3] = {Real(node / 16), Real(node / 4 % 4), Real(node % 4)};
  return world_place(block, at, dx);
}

/// Blocks from `low` to `high`.
struct BlockExtent {
  Int3 low, high;
};
struct Joined {
  PHYXEL_FN BlockExtent operator()(const BlockExtent& a, const BlockExtent& b) const {
    return {min(a.low, b.low), max(a.high, b.high)};
  }
};
/// That joins with any other to that one.
PHYXEL_FN BlockExtent no_blocks() {
  constexpr Index far = std::numeric_limits<Index>::max();
  return {Int3::filled(far), Int3::filled(-far)};
}

/// The number of a neighbour, 0 to 26; each step is -1, 0 or 1.
constexpr int side(int x, int y, int z) {
  return (x + 1) * 9 + (y + 1) * 3 + z + 1;
}

/// Blocks come in eight colours, by whether their places are odd along each axis. Tiles of blocks
/// of one colour have no node in common.
inline int colour_of(const Int3& block) {
  return (block[0] & 1) * 4 + (block[1] & 1) * 2 + (block[2] & 1);
}

/// Key by which particles are sorted: block and material in one number, made by the extent of the
/// blocks in use. Blocks of a colour come one after the other, as they are processed.
struct BlockKeys {
  Int3 low = Int3::zero();    // the first block along each axis, even
  std::int64_t size[3] = {};  // pairs of blocks along each axis
  Index materials = 1;

  std::uint64_t key(const Int3& block, Index material) const {
    const auto at = [&](int k) { return (static_cast<std::int64_t>(block[k]) - low[k]) >> 1; };
    const std::int64_t place =
        ((colour_of(block) * size[0] + at(0)) * size[1] + at(1)) * size[2] + at(2);
    return static_cast<std::uint64_t>(place * materials + material);
  }
  Int3 block(std::uint64_t key) const;
  Index material(std::uint64_t key) const {
    return static_cast<Index>(key % static_cast<std::uint64_t>(materials));
  }
  int bits() const;
};

/// Keys for blocks from `low` to `high`. Throws where they lie too far apart for 64 bits.
BlockKeys make_keys(const Int3& low, const Int3& high, Index materials);

/// Blocks and chunks of particles whose keys are sorted.
void build_blocks(const BlockKeys& keys, const Column<std::uint64_t>& sorted, Blocks& blocks);

BlockExtent extent_of(const BlockMap& blocks);

/// Nodes of `old` blocks where `blocks` has them, zero elsewhere.
void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to);

}  // namespace phyxel::grid
