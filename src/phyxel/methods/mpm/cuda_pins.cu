#include "phyxel/methods/mpm/cuda_chunk.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

/// Lays out mass and momentum of a particle that follows its pin, for particles to grid; zero where
/// it has none. Returns whether it has one.
__device__ bool store_pinned(const AdvanceView& view, const Int3& block, int slot,
                             const ChunkRoom& room) {
  const Index i = room.slot[slot].row, number = view.points.pin[i];
  const Row16& row = view.rows.row[i];
  const Cell cell(Vec3{row.c[0], row.c[1], row.c[2]});
  const bool holds = number >= 0 && view.boundaries.pins[number].active;
  Vec3 v = Vec3::zero();
  Mat3 gradient = Mat3::zero();
  if (holds) {
    const Transform& moved = view.boundaries.pins[number].moved;
    const Vec3 x = world_place(block, row.c, view.in.dx);
    v = (apply(moved, x) - x) * (1 / view.in.dt);
    gradient = (moved.rotation - Mat3::identity()) * (1 / view.in.dt);
  }
  const Symmetric<Real> no_stress{0, 0, 0, 0, 0, 0};
  store_parts(view.in, cell, v, gradient, holds ? row.c[row_mass] : 0, 0, no_stress, slot, room);
  const unsigned place = cell.number();
  room.slot[slot].cell = place << 16 | atomicAdd(room.count + place, 1u);
  return holds;
}

/// Names the pin of a particle at the nodes that it reaches, the last one of several. `around`: the
/// blocks of nodes around its block.
__device__ void name_pin(const AdvanceView& view, const Index* around, Index i, Index* of_node) {
  const Index pin = view.points.pin[i];
  if (pin < 0 || !view.boundaries.pins[pin].active) return;
  const Real* const local = view.rows.row[i].c;
  Index first[3];
  for (int k = 0; k < 3; ++k)
    first[k] = static_cast<Index>(floor(local[k] + Real(0.5))) - 1 + block_edge;
  for (Index x = first[0]; x < first[0] + 3; ++x)
    for (Index y = first[1]; y < first[1] + 3; ++y)
      for (Index z = first[2]; z < first[2] + 3; ++z) {
        const Index block = around[x / block_edge * 9 + y / block_edge * 3 + z / block_edge];
        const Index node =
            (x % block_edge * block_edge + y % block_edge) * block_edge + z % block_edge;
        atomicMax(of_node + std::size_t(block) * nodes_in_block + node, pin);
      }
}

/// Fills the tile of a chunk that has pinned particles.
__global__ __launch_bounds__(chunk_threads) void pins_of_chunk(
    const __grid_constant__ AdvanceView view, Index* const of_node) {
  extern __shared__ Quad memory[];
  const Chunk chunk = view.blocks.chunks[blockIdx.x];
  const ChunkRoom room(memory, view.chunk_rows);
  fetch_rows(view.rows.row, view.rows.order, chunk, room);
  for (int c = threadIdx.x; c < cells_in_tile; c += chunk_threads) room.count[c] = 0;
  __syncthreads();
  bool any = false;
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads)
    any = store_pinned(view, view.blocks.place[chunk.block], slot, room) || any;
  for (int slot = threadIdx.x; of_node && slot < chunk.count; slot += chunk_threads)
    name_pin(view, view.blocks.nodes_around + 27 * std::size_t(chunk.block), room.slot[slot].row,
             of_node);
  if (!__syncthreads_or(any)) return;
  // Rows are in the order of cells already: this leaves their order as it is.
  sort_chunk(chunk, room, view.rows.order, view.rows.cell);
  chunk_to_grid(room, view.rows.tile + std::size_t(blockIdx.x) * nodes_in_tile);
}

}  // namespace

void pins_to_tiles(const Exec& exec, const AdvanceView& view, Index* of_node) {
  const TimerScope scope(exec.timers, "mpm.pins");
  const auto bytes = static_cast<int>(ChunkRoom::bytes(view.chunk_rows));
  cudaFuncSetAttribute(pins_of_chunk, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  pins_of_chunk<<<view.blocks.chunk_count, chunk_threads, bytes>>>(view, of_node);
  phyxel::detail::finish_loop(exec, "mpm.pins");
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
