#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <string>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

struct SumOfCounts {
  PHYXEL_FN std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

}  // namespace

Index scan(const Exec& exec, const char* name, Column<Index>& column) {
  const TimerScope scope(exec.timers, name);
  const auto n = static_cast<Index>(column.size());
  if (n == 0) return 0;
  Index* const values = column.data();
  const std::int64_t total = reduce(
      Exec{}, name, n, std::int64_t{0},
      PHYXEL_LAMBDA(Index i) { return static_cast<std::int64_t>(values[i]); }, SumOfCounts{});
  if (total > std::numeric_limits<Index>::max())
    throw Error(std::string(name) + ": " + std::to_string(total) + " entries, at most " +
                std::to_string(std::numeric_limits<Index>::max()) +
                " can be numbered; use fewer particles");
  std::size_t bytes = 0;
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, n);
  cub::DeviceScan::ExclusiveSum(device::scratch(bytes), bytes, values, values, n);
  detail::finish_loop(exec, name);
  return static_cast<Index>(total);
}

void sort_pairs(const Exec& exec, const char* name, Column<std::uint64_t>& keys,
                Column<Index>& values, int bits, SortScratch& scratch) {
  if (keys.size() < 2 || bits == 0) return;
  const TimerScope scope(exec.timers, name);
  scratch.second.discard_and_resize(keys.size());
  scratch.counts.discard_and_resize(keys.size());
  cub::DoubleBuffer<std::uint64_t> k(keys.data(), scratch.second.data());
  cub::DoubleBuffer<Index> v(values.data(), scratch.counts.data());
  const auto n = static_cast<Index>(keys.size());
  std::size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, k, v, n, 0, bits);
  cub::DeviceRadixSort::SortPairs(device::scratch(bytes), bytes, k, v, n, 0, bits);
  if (k.Current() != keys.data()) keys.swap(scratch.second);
  if (v.Current() != values.data()) values.swap(scratch.counts);
  detail::finish_loop(exec, name);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
