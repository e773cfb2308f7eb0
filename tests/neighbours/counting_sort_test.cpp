#include "phyxel/neighbours/counting_sort.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "phyxel/core/random.h"

using namespace phyxel;

TEST_CASE("keys_of_any_width_are_sorted_and_equal_ones_keep_their_order") {
  CountingSort scratch;
  for (const int bits : {0, 1, 8, 11, 12, 22, 33, 40, 64})
    for (const std::size_t n : {0, 1, 1000, 40000}) {
      Column<std::uint64_t> keys(n);
      Column<Index> order(n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto word = Random{1, 5}.words(i).word;
        const std::uint64_t key = (std::uint64_t{word[0]} << 32) | word[1];
        keys[i] = bits == 0 ? 0 : key >> (64 - bits);
        order[i] = static_cast<Index>(i);
      }
      const auto input = keys;
      counting_sort(Exec{}, bits, keys, order, scratch);
      bool stable = true, carried = true;
      for (std::size_t k = 0; k < n; ++k) {
        carried &= input[order[k]] == keys[k];
        if (k > 0)
          stable &= keys[k - 1] < keys[k] || (keys[k - 1] == keys[k] && order[k - 1] < order[k]);
      }
      CAPTURE(bits);
      CHECK(carried);
      CHECK(stable);
    }
}
