#include <doctest/doctest.h>
#include <set>

#include "phyxel/grid/tiles.h"

using namespace phyxel;
using namespace phyxel::grid;

TEST_CASE("keys_tell_block_and_material_and_put_colours_one_after_the_other") {
  const BlockKeys keys = make_keys({-5, -2, 7}, {4, 3, 12}, 3);
  std::set<std::uint64_t> seen;
  for (Index x = -5; x <= 4; ++x)
    for (Index y = -2; y <= 3; ++y)
      for (Index z = 7; z <= 12; ++z)
        for (Index m = 0; m < 3; ++m) {
          const std::uint64_t key = keys.key({x, y, z}, m);
          CHECK(seen.insert(key).second);
          CHECK(keys.material(key) == m);
          const Int3 block = keys.block(key);
          CHECK((block[0] == x && block[1] == y && block[2] == z));
          CHECK((key >> keys.bits()) == 0);
        }
  int colour = 0;
  for (const std::uint64_t key : seen) {
    const int next = colour_of(keys.block(key));
    CHECK(next >= colour);
    colour = next;
  }
}

TEST_CASE("particles_too_far_apart_for_keys_are_refused") {
  const Index far = 2'000'000'000;
  CHECK_THROWS(make_keys({-far, -far, -far}, {far, far, far}, 100));
}

TEST_CASE("blocks_of_a_colour_share_no_node") {
  Blocks blocks;
  const BlockKeys keys = make_keys({0, 0, 0}, {3, 3, 3}, 1);
  Column<std::uint64_t> sorted;
  for (Index k = 0; k < 64; ++k) sorted.push_back(keys.key({k / 16, k / 4 % 4, k % 4}, 0));
  std::sort(sorted.begin(), sorted.end());
  build_blocks(keys, sorted, blocks);
  CHECK(blocks.map.size() == 64);
  CHECK(blocks.nodes.size() == 6 * 6 * 6);
  // A tile of ones, added for every block of a colour: no node gets more than one.
  std::vector<Quad> tile(tile_room, Quad{{1, 1, 1, 1}});
  for (const std::vector<Index>& colour : blocks.colours) {
    std::vector<Quad> nodes(static_cast<std::size_t>(blocks.nodes.size()) * nodes_in_block, Quad{});
    for (const Index b : colour)
      add_tile(tile.data(), blocks.nodes_around[b], TileRange{}, nodes.data());
    double sum = 0;
    for (const Quad& node : nodes) {
      CHECK(node.c[0] <= 1);
      sum += node.c[0];
    }
    CHECK(sum == double(colour.size()) * nodes_in_tile);
  }
}

TEST_CASE("a_tile_that_is_added_and_loaded_again_is_the_same") {
  Blocks blocks;
  const BlockKeys keys = make_keys({-1, 0, 5}, {-1, 0, 5}, 1);
  build_blocks(keys, Column<std::uint64_t>(10, keys.key({-1, 0, 5}, 0)), blocks);
  std::vector<Quad> tile(tile_room), back(tile_room, Quad{});
  for (Index n = 0; n < nodes_in_tile; ++n) tile[n].c[1] = static_cast<Real>(n + 1);
  TileRange range;
  range.low[0] = 1, range.high[0] = 6, range.low[1] = 2, range.high[1] = 7;
  std::vector<Quad> nodes(27 * nodes_in_block, Quad{});
  add_tile(tile.data(), blocks.nodes_around[0], range, nodes.data());
  load_tile(nodes.data(), blocks.nodes_around[0], range, back.data());
  for (Index x = 0; x < 8; ++x)
    for (Index y = 0; y < 8; ++y)
      for (Index z = 0; z < 8; ++z) {
        const Index n = tile_place(x, y, z);
        const bool in_use = x >= 1 && x <= 6 && y >= 2;
        CHECK(back[n].c[1] == (in_use ? tile[n].c[1] : Real(0)));
      }
}

TEST_CASE("crowded_blocks_are_cut_into_chunks") {
  Blocks blocks;
  const BlockKeys keys = make_keys({0, 0, 0}, {0, 0, 0}, 1);
  build_blocks(keys, Column<std::uint64_t>(3 * largest_chunk + 5, keys.key({0, 0, 0}, 0)), blocks);
  REQUIRE(blocks.chunks.size() == 4);
  CHECK(blocks.chunks.back().first == 3 * largest_chunk);
  CHECK(blocks.chunks.back().count == 5);
}
