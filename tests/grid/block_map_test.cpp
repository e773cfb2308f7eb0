#include "phyxel/grid/block_map.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"

using namespace phyxel;
using namespace phyxel::grid;

TEST_CASE("blocks_are_numbered_as_they_are_first_named_however_far_apart") {
  BlockMap map;
  CHECK(map.find({0, 0, 0}) == -1);
  const Random random{3, 0};
  std::vector<Int3> places;
  for (Index k = 0; k < 5000; ++k) {
    const Random::Four w = random.words(static_cast<std::uint64_t>(k));
    const Int3 place{static_cast<Index>(w.word[0]), static_cast<Index>(w.word[1] % 7),
                     -static_cast<Index>(w.word[2] % 100000)};
    REQUIRE(map.insert(place) == k);
    places.push_back(place);
  }
  for (Index k = 0; k < 5000; ++k) {
    CHECK(map.find(places[k]) == k);
    CHECK(map.insert(places[k]) == k);
  }
  CHECK(map.size() == 5000);
  CHECK(map.find({1, 2, 3}) == -1);
}

TEST_CASE("a_cleared_map_knows_nothing") {
  BlockMap map;
  map.insert({1, 2, 3});
  map.clear();
  CHECK(map.size() == 0);
  CHECK(map.find({1, 2, 3}) == -1);
  CHECK(map.insert({4, 5, 6}) == 0);
}
