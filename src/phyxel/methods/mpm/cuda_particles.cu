#include "phyxel/core/error.h"
#include "phyxel/methods/mpm/cuda_chunk.h"

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

namespace {

/// The limits of all chunks together.
__device__ void note_limits(const unsigned* limits, StepStatus* status) {
  note_largest(&status->speed_squared, limits[0]);
  note_largest(&status->wave_speed_squared, limits[1]);
  const unsigned margin = __float_as_uint(16 - __uint_as_float(limits[2]));
  if (margin < *static_cast<volatile unsigned*>(&status->margin))
    atomicMin(&status->margin, margin);
}

/// A step of a chunk of particles. whole: with grid to particles and particles to grid, as in all
/// steps of a frame but the first and the last. meets: there are colliders or pins.
template <bool whole, bool meets, class Law>
__global__ __launch_bounds__(chunk_threads, chunks_at_once) void advance_chunk(
    const Law law, const __grid_constant__ AdvanceView view) {
  extern __shared__ Quad memory[];
  if (view.may_stop && view.status->stop) return;
  const Chunk chunk = view.blocks.chunks[blockIdx.x];
  if (chunk.material != view.material) return;
  if (whole && (view.near && view.near[blockIdx.x] != 0) != meets) return;
  const ChunkRoom room(memory, view.chunk_rows);
  fetch_rows(view.rows.row, view.rows.order, chunk, room);
  if (whole || view.in.grid_to_particles)
    load_tile(view.nodes, view.blocks.nodes_around + 27 * chunk.block, room.tile);
  for (int c = threadIdx.x; c < cells_in_tile; c += chunk_threads) room.count[c] = 0;
  if (threadIdx.x < method_words) room.words[threadIdx.x] = 0;
  __syncthreads();
  if constexpr (meets) {
    find_near(view, view.blocks.place[chunk.block], room);
    __syncthreads();
  }
  ParticleLimits limits;
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads)
    advance_particle<whole, meets>(law, view, chunk, slot, room, limits);
  // Beside colliders particles may be pushed in the next step too.
  if (meets && meets_any(view, near_in(room))) limits.margin -= largest_push;
  largest_of_block(static_cast<float>(limits.speed_squared), limits_in(room));
  largest_of_block(static_cast<float>(limits.wave_speed_squared), limits_in(room) + 1);
  largest_of_block(static_cast<float>(16 - max(limits.margin, Real(0))), limits_in(room) + 2);
  __syncthreads();
  if (threadIdx.x == 0) note_limits(limits_in(room), view.status);
  if (!whole && !view.in.particles_to_grid) return;
  sort_chunk(chunk, room, view.rows.order, view.rows.cell);
  chunk_to_grid(room, view.rows.tile + std::size_t(blockIdx.x) * nodes_in_tile);
}

template <bool whole, bool meets, class Law>
void launch(const Law& law, const AdvanceView& view) {
  const auto bytes = static_cast<int>(ChunkRoom::bytes(view.chunk_rows));
  const auto kernel = advance_chunk<whole, meets, Law>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<view.blocks.chunk_count, chunk_threads, bytes>>>(law, view);
}

}  // namespace

Index largest_chunk_rows() {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  // A block of 4^3 cells with eight particles each has 512, give or take some.
  constexpr std::size_t wanted = 640;
  const std::size_t room = (bytes - ChunkRoom::fixed_bytes()) / sizeof(Slot);
  return static_cast<Index>(std::min(wanted, room) / 16 * 16);
}

void advance_particles(const Exec& exec, const AnyLaw& law, const AdvanceView& view) {
  const TimerScope scope(exec.timers, "mpm.particles");
  std::visit(
      [&](const auto& l) {
        if (!view.in.grid_to_particles || !view.in.particles_to_grid) {
          launch<false, true>(l, view);
        } else {
          launch<true, false>(l, view);
          if (view.near) launch<true, true>(l, view);
        }
      },
      law);
  phyxel::detail::finish_loop(exec, "mpm.particles");
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
