#pragma once

#include <cstdint>

#include "phyxel/core/exec.h"

namespace phyxel {

/// Memory of counting_sort, kept between calls.
struct CountingSort {
  Column<std::uint64_t> keys_out;
  Column<Index> order_out;
  Column<Index> histogram;
};

/// Stable sort of `keys` (all below 2^bits) and `order` along with them, by counting digits from
/// the lowest to the highest: time and memory are linear in the number of keys.
void counting_sort(const Exec& exec, int bits, Column<std::uint64_t>& keys, Column<Index>& order,
                   CountingSort& scratch);

}  // namespace phyxel
