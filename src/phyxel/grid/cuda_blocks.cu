#include <bit>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

#include "phyxel/core/error.h"
#include "phyxel/grid/cuda_blocks.h"

namespace phyxel::grid {

inline namespace PHYXEL_BACKEND {

namespace {

struct AddRuns {
  PHYXEL_FN Run operator()(const Run& a, const Run& b) const {
    return {a.first + b.first, a.chunk + b.chunk, a.block + b.block};
  }
};

/// What a run adds to the sums of those after it.
struct SizeOfRun {
  const std::uint64_t* key;
  const Index* count;
  std::uint64_t materials;
  Index chunk_rows;
  __host__ __device__ Run operator()(Index i) const {
    const bool begins = i == 0 || key[i] / materials != key[i - 1] / materials;
    return {count[i], (count[i] + chunk_rows - 1) / chunk_rows, begins ? 1 : 0};
  }
};

BlockCounts fetch(const Column<BlockCounts>& counts) {
  return element(counts, 0);
}

/// Equal keys side by side become runs: `key` and `count` of each. Returns how many there are.
Index find_runs(const Exec& exec, const Column<std::uint64_t>& sorted, std::uint64_t* key,
                Index* count, BlocksScratch& scratch) {
  const TimerScope scope(exec.timers, "grid.runs");
  const auto n = static_cast<Index>(sorted.size());
  Index* const runs = &scratch.counts.data()->runs;
  std::size_t bytes = 0;
  cub::DeviceRunLengthEncode::Encode(nullptr, bytes, sorted.data(), key, count, runs, n);
  cub::DeviceRunLengthEncode::Encode(device::scratch(bytes), bytes, sorted.data(), key, count, runs,
                                     n);
  device::check_launch("grid.runs");
  return fetch(scratch.counts).runs;
}

void sum_runs(const Exec& exec, Index n, const SizeOfRun& size, BlocksScratch& scratch) {
  const TimerScope scope(exec.timers, "grid.runs");
  scratch.runs.discard_and_resize(n);
  const auto sizes = thrust::make_transform_iterator(thrust::counting_iterator<Index>(0), size);
  std::size_t bytes = 0;
  Run* const runs = scratch.runs.data();
  cub::DeviceScan::ExclusiveScan(nullptr, bytes, sizes, runs, AddRuns{}, Run{0, 0, 0}, n);
  cub::DeviceScan::ExclusiveScan(device::scratch(bytes), bytes, sizes, runs, AddRuns{},
                                 Run{0, 0, 0}, n);
  device::check_launch("grid.runs");
  BlockCounts* const counts = scratch.counts.data();
  for_each(
      exec, "grid.runs", 1, PHYXEL_LAMBDA(Index) {
        const Run last = size(n - 1);
        counts->chunks = runs[n - 1].chunk + last.chunk;
        counts->blocks = runs[n - 1].block + last.block;
        counts->nodes = 0;
        counts->low = Int3::filled(std::numeric_limits<Index>::max());
        counts->high = Int3::filled(std::numeric_limits<Index>::min());
      });
}

/// Chunks of a run are equally large, so that none is left with a few particles.
void make_chunks(const Exec& exec, Index runs, const PlaceKeys& keys, const SizeOfRun& size,
                 BlocksScratch& scratch, DeviceBlocks& blocks) {
  const Run* const run = scratch.runs.data();
  BlockCounts* const counts = scratch.counts.data();
  Int3* const place = blocks.place.data();
  Index* const chunk_start = blocks.chunk_start.data();
  Chunk* const chunks = blocks.chunks.data();
  const Index last_chunk = blocks.chunk_count, last_block = blocks.block_count;
  for_each(
      exec, "grid.chunks", runs, PHYXEL_LAMBDA(Index i) {
        const Run own = size(i);
        const Index block = run[i].block + own.block - 1, material = keys.material(size.key[i]);
        if (own.block > 0) {
          chunk_start[block] = run[i].chunk;
          place[block] = keys.block(size.key[i]);
          for (int k = 0; k < 3; ++k) {
            const Index at = place[block][k];  // few are beyond the extent so far
            if (at < counts->low[k]) atomicMin(&counts->low[k], at);
            if (at > counts->high[k]) atomicMax(&counts->high[k], at);
          }
        }
        for (Index c = 0; c < own.chunk; ++c) {
          const auto at = [&](Index k) {
            return static_cast<Index>(static_cast<std::int64_t>(own.first) * k / own.chunk);
          };
          chunks[run[i].chunk + c] = {block, material, run[i].first + at(c), at(c + 1) - at(c)};
        }
        if (i == 0) chunk_start[last_block] = last_chunk;
      });
}

void insert_nodes(const Exec& exec, BlocksScratch& scratch, DeviceBlocks& blocks) {
  const std::size_t room = std::bit_ceil(std::size_t{54} * blocks.block_count);
  blocks.table.key.discard_and_resize(room);
  blocks.table.number.discard_and_resize(room);
  blocks.node_place.discard_and_resize(std::size_t{27} * blocks.block_count);
  const TableView table = blocks.table.view();
  fill(exec, "grid.table", blocks.table.key, static_cast<unsigned long long>(TableView::free));
  Index* const count = &scratch.counts.data()->nodes;
  const Int3* const place = blocks.place.data();
  Int3* const node_place = blocks.node_place.data();
  for_each(
      exec, "grid.table", 27 * blocks.block_count, PHYXEL_LAMBDA(Index i) {
        const Index s = i % 27;
        Int3 at = place[i / 27];
        at[0] += s / 9 - 1, at[1] += s / 3 % 3 - 1, at[2] += s % 3 - 1;
        const unsigned long long key = table.key_of(at);
        for (std::uint32_t k = table.first_slot(key);; k = (k + 1) & table.mask) {
          const unsigned long long before = atomicCAS(&table.key[k], table.free, key);
          if (before == key) return;
          if (before != table.free) continue;
          table.number[k] = atomicAdd(count, 1);
          node_place[table.number[k]] = at;
          return;
        }
      });
}

void join_neighbours(const Exec& exec, DeviceBlocks& blocks) {
  blocks.nodes_around.discard_and_resize(std::size_t{27} * blocks.block_count);
  blocks.blocks_around.discard_and_resize(std::size_t{27} * blocks.node_count);
  fill(exec, "grid.neighbours", blocks.blocks_around, Index(-1));
  const TableView table = blocks.table.view();
  const Int3* const place = blocks.place.data();
  Index* const nodes_around = blocks.nodes_around.data();
  Index* const blocks_around = blocks.blocks_around.data();
  for_each(
      exec, "grid.neighbours", 27 * blocks.block_count, PHYXEL_LAMBDA(Index i) {
        const Index b = i / 27, s = i % 27;
        Int3 at = place[b];
        at[0] += s / 9 - 1, at[1] += s / 3 % 3 - 1, at[2] += s % 3 - 1;
        const Index n = table.find(at);
        nodes_around[i] = n;
        blocks_around[27 * n + 26 - s] = b;  // seen from there
      });
}

/// Bits that tell all keys apart.
int bits_of(const PlaceKeys& keys) {
  const auto all =
      static_cast<std::uint64_t>(keys.size[0] * keys.size[1] * keys.size[2] * keys.materials);
  return std::max(1, static_cast<int>(std::bit_width(all - 1)));
}

}  // namespace

PlaceKeys place_keys(const Int3& low, const Int3& high, Index materials) {
  PlaceKeys keys{low, {}, materials};
  double all = materials;
  bool fits = true;
  for (int k = 0; k < 3; ++k) {
    keys.size[k] = static_cast<std::int64_t>(high[k]) - low[k] + 1;
    all *= static_cast<double>(keys.size[k]);
    fits = fits && keys.size[k] < table_reach;
  }
  if (!fits || all > 9e18)
    throw Error(
        "grid.blocks: particles lie too far apart for one grid; give the scene a floor or walls, "
        "or "
        "larger cells");
  return keys;
}

void build_blocks(const Exec& exec, const PlaceKeys& keys, Index chunk_rows, const Int3& origin,
                  Column<std::uint64_t>& key_column, Column<Index>& order, BlocksScratch& scratch,
                  DeviceBlocks& blocks) {
  sort_pairs(exec, "grid.sort", key_column, order, bits_of(keys), scratch.sort);
  scratch.counts.discard_and_resize(1);
  // What sorting worked in is free again.
  scratch.sort.second.discard_and_resize(key_column.size());
  scratch.sort.counts.discard_and_resize(key_column.size());
  std::uint64_t* const key = scratch.sort.second.data();
  Index* const count = scratch.sort.counts.data();
  const Index runs = find_runs(exec, key_column, key, count, scratch);
  const SizeOfRun size{key, count, static_cast<std::uint64_t>(keys.materials), chunk_rows};
  sum_runs(exec, runs, size, scratch);
  const BlockCounts counts = fetch(scratch.counts);
  blocks.chunk_count = counts.chunks;
  blocks.block_count = counts.blocks;
  blocks.place.discard_and_resize(counts.blocks);
  blocks.chunk_start.discard_and_resize(counts.blocks + 1);
  blocks.chunks.discard_and_resize(counts.chunks);
  make_chunks(exec, runs, keys, size, scratch, blocks);
  blocks.table.origin = origin;
  insert_nodes(exec, scratch, blocks);
  const BlockCounts last = fetch(scratch.counts);
  blocks.node_count = last.nodes;
  blocks.low = last.low;
  blocks.high = last.high;
  join_neighbours(exec, blocks);
}

void remap_nodes(const Exec& exec, PlaceTable& old, const DeviceBlocks& blocks,
                 const Column<Quad>& from, Column<Quad>& to) {
  to.discard_and_resize(std::size_t(blocks.node_count) * nodes_in_block);
  const TableView table = old.view();
  const BlocksView view = blocks.view();
  const Quad* const source = from.data();
  Quad* const target = to.data();
  for_each(
      exec, "grid.remap", blocks.node_count * nodes_in_block, PHYXEL_LAMBDA(Index i) {
        const Index k = table.find(view.node_place[i / nodes_in_block]);
        target[i] = k >= 0 ? source[std::size_t(k) * nodes_in_block + i % nodes_in_block] : Quad{};
      });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::grid
