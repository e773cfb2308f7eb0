#include "phyxel/grid/blocks.h"

#include <algorithm>
#include <bit>

#include "phyxel/core/error.h"

namespace phyxel::grid {

BlockKeys make_keys(const Int3& low, const Int3& high, Index materials) {
  BlockKeys keys;
  keys.materials = materials;
  double all = 8.0 * materials;
  for (int k = 0; k < 3; ++k) {
    keys.low[k] = low[k] - (low[k] & 1);
    keys.size[k] = (static_cast<std::int64_t>(high[k]) - keys.low[k]) / 2 + 1;
    all *= static_cast<double>(keys.size[k]);
  }
  if (all > 9e18)
    throw Error(
        "grid.blocks: particles lie too far apart for one grid; give the scene a floor or walls, "
        "or "
        "larger cells");
  return keys;
}

Int3 BlockKeys::block(std::uint64_t key) const {
  auto place = static_cast<std::int64_t>(key / static_cast<std::uint64_t>(materials));
  Int3 b;
  for (int k = 2; k >= 0; --k) {
    b[k] = low[k] + 2 * static_cast<Index>(place % size[k]);
    place /= size[k];
  }
  const auto colour = static_cast<int>(place);
  return {b[0] + (colour >> 2 & 1), b[1] + (colour >> 1 & 1), b[2] + (colour & 1)};
}

int BlockKeys::bits() const {
  const auto all = static_cast<std::uint64_t>(8 * size[0] * size[1] * size[2] * materials);
  return std::max(1, static_cast<int>(std::bit_width(all - 1)));
}

namespace {

void add_chunks(Index block, Index material, Index first, Index last, std::vector<Chunk>& chunks) {
  for (; first < last; first += largest_chunk)
    chunks.push_back({block, material, first, std::min(largest_chunk, last - first)});
}

void join_neighbours(Blocks& blocks) {
  blocks.nodes.clear();
  blocks.nodes_around.resize(blocks.map.size());
  for (Index b = 0; b < blocks.map.size(); ++b) {
    const Int3 place = blocks.map.place(b);
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z)
          blocks.nodes_around[b][side(x, y, z)] =
              blocks.nodes.insert({place[0] + x, place[1] + y, place[2] + z});
  }
  for (auto& colour : blocks.colours) colour.clear();
  for (Index b = 0; b < blocks.map.size(); ++b)
    blocks.colours[colour_of(blocks.map.place(b))].push_back(b);
}

}  // namespace

void build_blocks(const BlockKeys& keys, const Column<std::uint64_t>& sorted, Blocks& blocks) {
  blocks.map.clear();
  blocks.chunks.clear();
  blocks.chunk_start.clear();
  const Index n = static_cast<Index>(sorted.size());
  for (Index first = 0; first < n;) {
    const std::uint64_t key = sorted[first];
    Index last = first + 1;
    while (last < n && sorted[last] == key) ++last;
    const Index before = blocks.map.size(), block = blocks.map.insert(keys.block(key));
    if (block == before) blocks.chunk_start.push_back(static_cast<Index>(blocks.chunks.size()));
    add_chunks(block, keys.material(key), first, last, blocks.chunks);
    first = last;
  }
  blocks.chunk_start.push_back(static_cast<Index>(blocks.chunks.size()));
  join_neighbours(blocks);
}

BlockExtent extent_of(const BlockMap& blocks) {
  BlockExtent extent = no_blocks();
  for (Index b = 0; b < blocks.size(); ++b)
    extent = Joined{}(extent, {blocks.place(b), blocks.place(b)});
  return extent;
}

void remap_nodes(const Exec& exec, const BlockMap& old, const Blocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to) {
  to.resize(std::size_t(blocks.nodes.size()) * nodes_in_block);
  for_each_coarse(exec, "grid.remap", blocks.nodes.size(), [&](Index b) {
    const Index k = old.find(blocks.nodes.place(b));
    Quad* const node = to.data() + std::size_t(b) * nodes_in_block;
    if (k >= 0)
      std::copy_n(from.data() + std::size_t(k) * nodes_in_block, nodes_in_block, node);
    else
      std::fill_n(node, nodes_in_block, Quad{});
  });
}

}  // namespace phyxel::grid
