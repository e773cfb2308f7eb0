#pragma once

#include "phyxel/grid/bspline.h"
#include "phyxel/grid/cuda_blocks.h"

// Both transfers for a chunk of particles by a block of threads, on a GPU: grid to particles from a
// tile of nodes in shared memory; sorting by cells; particles to grid. In the last, nine threads
// are the lines of nodes along z around a column of cells, and go along it with three nodes in
// their registers, so that every sum has a fixed order and no two threads write the same node: no
// atomics, and the same bits every time.

namespace phyxel::grid {

inline namespace PHYXEL_BACKEND {

constexpr int chunk_threads = 256, chunks_at_once = 3;  // of a multiprocessor
constexpr int tile_columns = cells_along_tile * cells_along_tile;
constexpr int cells_in_tile = tile_columns * cells_along_tile;
constexpr int rounds = 2;  // of particles to grid: shared memory has room for some columns only
constexpr int columns_of_round = tile_columns / rounds;
constexpr int nodes_of_thread = (nodes_in_tile + chunk_threads - 1) / chunk_threads;
constexpr int lines_of_column = 9;
constexpr int numbers_of_column = lines_of_column * tile_edge;
constexpr int method_words = 8;  // of shared memory, for the method's own use

/// What a particle has in shared memory. Five quads: those of eight particles lie in different
/// banks.
struct Slot {
  Quad part[4];  // what it adds to the grid: offset and mass, momentum and its slopes
  Index row;
  unsigned cell;        // and which of the cell's particles it is
  std::uint16_t found;  // the slot that is here by cells, as they came
  std::uint16_t place;  // the slot that is here in the order of cells
};
static_assert(sizeof(Slot) == 5 * sizeof(Quad));

/// Shared memory of a chunk.
struct ChunkRoom {
  Quad* tile;    // velocities; when particles have them, `column` takes the place
  Quad* column;  // sums of each column of a round: nodes along z, lines
  Slot* slot;
  unsigned* count;       // of cells
  unsigned* words;       // the method's own
  std::uint16_t* start;  // of cells in the order of cells; one more at the end

  static constexpr std::size_t fixed_bytes() {
    return (columns_of_round * numbers_of_column) * sizeof(Quad) + (cells_in_tile + 8) * 4 +
           4 * method_words + (cells_in_tile + 8) * 2;
  }

  /// Of a chunk with as many rows.
  static constexpr std::size_t bytes(Index rows) { return fixed_bytes() + rows * sizeof(Slot); }

  __device__ ChunkRoom(void* memory, Index rows) {
    tile = column = static_cast<Quad*>(memory);
    slot = reinterpret_cast<Slot*>(column + columns_of_round * numbers_of_column);
    count = reinterpret_cast<unsigned*>(slot + rows);
    words = count + cells_in_tile + 8;
    start = reinterpret_cast<std::uint16_t*>(words + method_words);
  }
};

/// Prefetches the rows of a chunk, which are scattered in memory.
__device__ inline void fetch_rows(const Row16* rows, const Index* order, const Chunk& chunk,
                                  const ChunkRoom& room) {
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads) {
    const Index i = order[chunk.first + slot];
    room.slot[slot].row = i;
    asm volatile("prefetch.global.L1 [%0];" ::"l"(rows + i));
  }
}

/// The block and the node in it of a place in a tile, along one axis.
__device__ inline int side_along(int k) {
  return (k + tile_reach) >> 2;
}
__device__ inline int node_along(int k) {
  return (k + tile_reach) & 3;
}

__device__ inline void load_tile(const Quad* nodes, const Index* around, Quad* tile) {
  for (int n = threadIdx.x; n < nodes_in_tile; n += chunk_threads) {
    const int x = n >> 6, y = n >> 3 & 7, z = n & 7;
    const Index block = around[(side_along(x) * 3 + side_along(y)) * 3 + side_along(z)];
    const int node = (node_along(x) * block_edge + node_along(y)) * block_edge + node_along(z);
    tile[n] = nodes[std::size_t(block) * nodes_in_block + node];
  }
}

/// Where a particle is: offset from its middle node in cells, and that node's cell in the tile.
struct Cell {
  Vec3 offset;
  int along[3];

  __device__ explicit Cell(const Vec3& x) {
    for (int k = 0; k < 3; ++k) {
      const Real node = floor(x[k] + Real(0.5));
      offset[k] = x[k] - node;
      along[k] = static_cast<int>(min(max(node + 1, Real(0)), Real(cells_along_tile - 1)));
    }
  }
  __device__ int number() const {
    return (along[0] * cells_along_tile + along[1]) * cells_along_tile + along[2];
  }
  __device__ int first_node() const {
    return (along[0] * tile_edge + along[1]) * tile_edge + along[2];
  }
};

/// Sums of w v and of w v d^T over the nodes, d from the middle one, axis by axis.
struct FromGrid {
  Vec3 v = Vec3::zero();
  Mat3 moments = Mat3::zero();
};
__device__ inline FromGrid grid_to_particle(const Quad* at, const Vec3& offset) {
  const Vec3 wx = quadratic_weights(offset[0]), wy = quadratic_weights(offset[1]),
             wz = quadratic_weights(offset[2]);
  FromGrid sum;
#pragma unroll
  for (int x = 0; x < 3; ++x) {
    Vec3 plane = Vec3::zero(), plane_y = Vec3::zero(), plane_z = Vec3::zero();
#pragma unroll
    for (int y = 0; y < 3; ++y) {
      const Quad* const q = at + (x * tile_edge + y) * tile_edge;
      const Quad q0 = q[0], q1 = q[1], q2 = q[2];
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        const Real low = wz[0] * q0.c[c], high = wz[2] * q2.c[c];
        const Real line = wy[y] * (wz[1] * q1.c[c] + (low + high));
        plane[c] += line;
        if (y != 1) plane_y[c] += (y - 1) * line;
        plane_z[c] += wy[y] * (high - low);
      }
    }
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      const Real part = wx[x] * plane[c];
      sum.v[c] += part;
      if (x != 1) sum.moments[c][0] += (x - 1) * part;
      sum.moments[c][1] += wx[x] * plane_y[c];
      sum.moments[c][2] += wx[x] * plane_z[c];
    }
  }
  return sum;
}

/// The largest number of a block of threads, as bits, into `result` of shared memory.
__device__ inline void largest_of_block(float number, unsigned* result) {
  for (int step = 16; step > 0; step /= 2) number = max(number, __shfl_xor_sync(~0u, number, step));
  if (threadIdx.x % 32 == 0) atomicMax(result, __float_as_uint(number));
}

/// Where cells begin in the order of cells. Every warp finds out and writes the same: quicker than
/// to wait for one of them.
__device__ inline void sum_counts(const ChunkRoom& room) {
  constexpr int own = (cells_in_tile + 31) / 32;
  const int lane = threadIdx.x % 32;
  unsigned count[own], sum = 0;
  for (int k = 0; k < own; ++k) {
    const int c = lane * own + k;
    count[k] = c < cells_in_tile ? room.count[c] : 0;
    sum += count[k];
  }
  unsigned before = sum;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, before, step);
    if (lane >= step) before += other;
  }
  before -= sum;
  for (int k = 0; k < own; ++k) {
    const int c = lane * own + k;
    if (c <= cells_in_tile) room.start[c] = static_cast<std::uint16_t>(before);
    before += count[k];
  }
  __syncwarp();
}

/// Puts the particles of a chunk in the order of their cells, for particles to grid and for the
/// next step. In a cell they are in the order of their slots, as the order of threads differs
/// between runs.
__device__ inline void sort_chunk(const Chunk& chunk, const ChunkRoom& room, Index* order,
                                  std::uint8_t* cells) {
  sum_counts(room);
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads) {
    const unsigned cell = room.slot[slot].cell;
    room.slot[room.start[cell >> 16] + (cell & 0xffff)].found = static_cast<std::uint16_t>(slot);
  }
  __syncthreads();
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads) {
    const int cell = room.slot[slot].cell >> 16, first = room.start[cell],
              last = room.start[cell + 1];
    int at = first;
    for (int k = first; k < last; ++k) at += room.slot[k].found < slot ? 1 : 0;
    room.slot[at].place = static_cast<std::uint16_t>(slot);
    order[chunk.first + at] = room.slot[slot].row;
    cells[chunk.first + at] = static_cast<std::uint8_t>(cell);
  }
  __syncthreads();
}

/// The weight of a node, -1, 0 or 1 from the middle one, as a polynomial of the offset.
struct NodeWeight {
  Real constant, linear, square;
  __device__ explicit NodeWeight(int node)
      : constant(node == 0 ? Real(0.75) : Real(0.125)),
        linear(Real(0.5) * node),
        square(node == 0 ? Real(-1) : Real(0.5)) {}
  __device__ Real operator()(Real offset) const {
    return constant + offset * (linear + square * offset);
  }
};

/// Adds to three nodes along z what a particle has for them.
__device__ inline void particle_to_grid(const Slot& slot, Real i, Real j, const NodeWeight& along_x,
                                        const NodeWeight& along_y, Quad& low, Quad& middle,
                                        Quad& high) {
  const Quad a = slot.part[0], b = slot.part[1], c = slot.part[2], d = slot.part[3];
  const Real w = along_x(a.c[0]) * along_y(a.c[1]), z = a.c[2], square = z * z;
  const Real outer = Real(0.125) + Real(0.5) * square;
  const Real w0 = w * (outer - Real(0.5) * z), w1 = w * (Real(0.75) - square),
             w2 = w * (outer + Real(0.5) * z);
  const Real base[3] = {b.c[0] + i * b.c[3] + j * c.c[2], b.c[1] + i * c.c[0] + j * c.c[3],
                        b.c[2] + i * c.c[1] + j * d.c[0]};
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    low.c[k] += w0 * (base[k] - d.c[1 + k]);
    middle.c[k] += w1 * base[k];
    high.c[k] += w2 * (base[k] + d.c[1 + k]);
  }
  low.c[3] += w0 * a.c[3];
  middle.c[3] += w1 * a.c[3];
  high.c[3] += w2 * a.c[3];
}

/// Sum of the lanes of three groups, for the first of them.
__device__ inline Quad sum_of_groups(const Quad& own) {
  Quad sum;
  for (int c = 0; c < 4; ++c)
    sum.c[c] = own.c[c] + __shfl_down_sync(~0u, own.c[c], lines_of_column) +
               __shfl_down_sync(~0u, own.c[c], 2 * lines_of_column);
  return sum;
}

/// A warp goes along a column of cells: three groups of nine lanes, one for each line of nodes
/// along z around the column, share the particles of a cell.
__device__ inline void sweep_column(const ChunkRoom& room, int column, Quad* out) {
  const int lane = threadIdx.x % 32, group = lane / lines_of_column, line = lane % lines_of_column;
  const std::uint16_t* const start = room.start + column * cells_along_tile;
  if (start[0] == start[cells_along_tile]) {
    for (int n = lane; n < numbers_of_column; n += 32) out[n] = Quad{};
    return;
  }
  const int i = line / 3 - 1, j = line % 3 - 1;
  const NodeWeight along_x(i), along_y(j);
  Quad sum[tile_edge + 1] = {};
  int first = start[0];
#pragma unroll
  for (int z = 0; z < tile_edge; ++z) {
    if (z < cells_along_tile) {
      const int last = group < 3 ? start[z + 1] : 0;
#pragma unroll 1
      for (int k = first + group; k < last; k += 3)
        particle_to_grid(room.slot[room.slot[k].place], Real(i), Real(j), along_x, along_y, sum[z],
                         sum[z + 1], sum[z + 2 < tile_edge ? z + 2 : tile_edge]);
      first = start[z + 1];
    }
    const Quad total = sum_of_groups(sum[z]);
    if (group == 0) out[z * lines_of_column + line] = total;
  }
}

/// Columns of a round, those inside the block first: they are full, and each warp gets one.
__device__ inline int column_of(int round, int k) {
  static_assert(rounds == 2 && cells_along_tile == 6);
  const int inner = round == 0 ? 1 : 3, outer = round == 0 ? 0 : 5;
  if (k < 8) return (inner + k / 4) * cells_along_tile + k % 4 + 1;
  if (k < 14) return outer * cells_along_tile + k - 8;
  return (inner + (k - 14) / 2) * cells_along_tile + (k - 14) % 2 * (cells_along_tile - 1);
}

__device__ inline void sweep_columns(const ChunkRoom& room, int round) {
  for (int k = threadIdx.x / 32; k < columns_of_round; k += chunk_threads / 32) {
    const int column = column_of(round, k);
    sweep_column(room, column,
                 room.column + (column - round * columns_of_round) * numbers_of_column);
  }
}

/// Adds to a node of the tile what the columns of a round around it have.
__device__ inline void add_columns(const ChunkRoom& room, int round, int node, Quad& sum) {
  const int x = node >> 6, y = node >> 3 & 7, z = node & 7;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int cx = x - i - round * (cells_along_tile / rounds), cy = y - j;
      if (cx < 0 || cx >= cells_along_tile / rounds || cy < 0 || cy >= cells_along_tile) continue;
      const Quad part = room.column[(cx * cells_along_tile + cy) * numbers_of_column +
                                    z * lines_of_column + 3 * i + j];
      for (int c = 0; c < 4; ++c) sum.c[c] += part.c[c];
    }
}

/// Fills the tile of a chunk whose particles are sorted.
__device__ inline void chunk_to_grid(const ChunkRoom& room, Quad* tile) {
  Quad sum[nodes_of_thread] = {};
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) __syncthreads();
    sweep_columns(room, round);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < nodes_of_thread; ++k)
      add_columns(room, round, threadIdx.x + k * chunk_threads, sum[k]);
  }
#pragma unroll
  for (int k = 0; k < nodes_of_thread; ++k) tile[threadIdx.x + k * chunk_threads] = sum[k];
}
static_assert(nodes_in_tile % chunk_threads == 0);

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::grid
