#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>
#include <string>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// Up to here one block is done before several would have been started.
constexpr Index most_for_one_block = 1 << 15;
constexpr int scan_block = 1024;
constexpr int scan_items = 4;  // of a thread

__global__ void __launch_bounds__(scan_block)
    scan_kernel(Index n, Index* values, std::int64_t* total) {
  using BlockScan = cub::BlockScan<std::int64_t, scan_block>;
  __shared__ typename BlockScan::TempStorage shared;
  std::int64_t before = 0;
  for (Index first = 0; first < n; first += scan_block * scan_items) {
    const Index own = first + static_cast<Index>(threadIdx.x) * scan_items;
    std::int64_t item[scan_items], sum = 0;
    for (int k = 0; k < scan_items; ++k) item[k] = own + k < n ? values[own + k] : 0;
    BlockScan(shared).ExclusiveSum(item, item, sum);
    for (int k = 0; k < scan_items; ++k)
      if (own + k < n) values[own + k] = static_cast<Index>(before + item[k]);
    before += sum;
    __syncthreads();  // the shared memory is used again
  }
  if (threadIdx.x == 0) *total = before;
}

std::int64_t scan_few(const char* name, Index n, Index* values) {
  const device::Reply reply = device::reply();
  scan_kernel<<<1, scan_block>>>(n, values, static_cast<std::int64_t*>(reply.on_device));
  device::check_launch(name);
  device::wait(name);
  return *static_cast<const std::int64_t*>(reply.on_host);
}

struct SumOfCounts {
  PHYXEL_FN std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};

std::int64_t scan_many(const char* name, Index n, Index* values) {
  const std::int64_t total = reduce(
      Exec{}, name, n, std::int64_t{0},
      PHYXEL_LAMBDA(Index i) { return static_cast<std::int64_t>(values[i]); }, SumOfCounts{});
  std::size_t bytes = 0;
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, values, n);
  cub::DeviceScan::ExclusiveSum(device::scratch(bytes), bytes, values, values, n);
  return total;
}

}  // namespace

Index scan(const Exec& exec, const char* name, Column<Index>& column) {
  const TimerScope scope(exec.timers, name);
  const auto n = static_cast<Index>(column.size());
  if (n == 0) return 0;
  const std::int64_t total = n <= most_for_one_block ? scan_few(name, n, column.data())
                                                     : scan_many(name, n, column.data());
  if (total > std::numeric_limits<Index>::max())
    throw Error(std::string(name) + ": " + std::to_string(total) + " entries, at most " +
                std::to_string(std::numeric_limits<Index>::max()) +
                " can be numbered; use fewer particles");
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
