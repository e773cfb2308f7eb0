#pragma once

#include "phyxel/grid/bspline.h"
#include "phyxel/methods/mpm/cuda_step.h"
#include "phyxel/methods/mpm/stretches.h"

// What a block of threads does with a chunk of particles: grid to particle from a tile of nodes in
// shared memory; move and deform; sort by the new cells; particle to grid. In the last, nine
// threads are the lines of nodes along z around a column of cells, and go along it with three nodes
// in their registers, so that every sum has a fixed order and no two threads write the same node:
// no atomics, and the same bits every time.

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

constexpr int chunk_threads = 256, chunks_at_once = 3;  // of a multiprocessor
constexpr int tile_columns = tile_cells * tile_cells;
constexpr int cells_in_tile = tile_columns * tile_cells;
constexpr int rounds = 2;  // of spreading: shared memory has room for some columns only
constexpr int columns_of_round = tile_columns / rounds;
constexpr int nodes_of_thread = (nodes_in_tile + chunk_threads - 1) / chunk_threads;
constexpr int lines_of_column = 9;
constexpr int numbers_of_column = lines_of_column * tile_edge;
constexpr int near_words = 4;  // colliders beyond as many bits count as near

/// What a particle has in shared memory. Five quads: those of eight particles lie in different
/// banks.
struct Slot {
  Quad part[4];  // what it spreads: offset and mass, momentum and its slopes
  Index row;
  unsigned cell;        // and which of the cell's particles it is
  std::uint16_t found;  // the slot that is here by cells, as they came
  std::uint16_t place;  // the slot that is here in the order of cells
};
static_assert(sizeof(Slot) == 5 * sizeof(Quad));

/// Shared memory of a chunk.
struct ChunkRoom {
  Quad* tile;    // velocities; when they are gathered, `column` takes the place
  Quad* column;  // sums of each column of a round: nodes along z, lines
  Slot* slot;
  unsigned* count;       // of cells
  unsigned* limits;      // of the next step
  unsigned* near;        // colliders that particles may touch, as bits
  std::uint16_t* start;  // of cells in the order of cells; one more at the end

  static constexpr std::size_t fixed_bytes() {
    return (columns_of_round * numbers_of_column) * sizeof(Quad) + (cells_in_tile + 8) * 4 + 16 +
           4 * near_words + (cells_in_tile + 8) * 2;
  }

  __device__ ChunkRoom(void* memory, Index rows) {
    tile = column = static_cast<Quad*>(memory);
    slot = reinterpret_cast<Slot*>(column + columns_of_round * numbers_of_column);
    count = reinterpret_cast<unsigned*>(slot + rows);
    limits = count + cells_in_tile + 8;
    near = limits + 4;
    start = reinterpret_cast<std::uint16_t*>(near + near_words);
  }
};

/// Prefetches the rows of a chunk, which are scattered in memory.
__device__ inline void fetch_rows(const AdvanceView& view, const Chunk& chunk,
                                  const ChunkRoom& room) {
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads) {
    const Index i = view.particles.order[chunk.first + slot];
    room.slot[slot].row = i;
    asm volatile("prefetch.global.L1 [%0];" ::"l"(view.particles.row + i));
  }
}

/// The block and the node in it of a place in a tile, along one axis.
__device__ inline int side_along(int k) {
  return (k + tile_reach) >> 2;
}
__device__ inline int node_along(int k) {
  return (k + tile_reach) & 3;
}

__device__ inline void load_tile(const AdvanceView& view, const Index* around, Quad* tile) {
  for (int n = threadIdx.x; n < nodes_in_tile; n += chunk_threads) {
    const int x = n >> 6, y = n >> 3 & 7, z = n & 7;
    const Index block = around[(side_along(x) * 3 + side_along(y)) * 3 + side_along(z)];
    const int node = (node_along(x) * block_edge + node_along(y)) * block_edge + node_along(z);
    tile[n] = view.nodes[std::size_t(block) * nodes_in_block + node];
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
      along[k] = static_cast<int>(min(max(node + 1, Real(0)), Real(tile_cells - 1)));
    }
  }
  __device__ int number() const {
    return (along[0] * tile_cells + along[1]) * tile_cells + along[2];
  }
  __device__ int first_node() const {
    return (along[0] * tile_edge + along[1]) * tile_edge + along[2];
  }
};

/// Sums of w v and of w v d^T over the nodes, d from the middle one, axis by axis.
struct Gathered {
  Vec3 v = Vec3::zero();
  Mat3 moments = Mat3::zero();
};
__device__ inline Gathered gather(const Quad* at, const Vec3& offset) {
  const Vec3 wx = quadratic_weights(offset[0]), wy = quadratic_weights(offset[1]),
             wz = quadratic_weights(offset[2]);
  Gathered sum;
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

/// Deforms matter by the velocity gradient c (1/s) for dt. Returns the stress.
template <class Law>
__device__ Symmetric<Real> deform(const Law& law, const Mat3& c, Real dt, Mat3& f, Real& memory,
                                  Real& modulus) {
  if (dt == 0) return stress_without_flow(law, f, memory, modulus);
  f += (c * dt) * f;
  return stress_after_flow(law, f, memory, modulus);
}
__device__ inline Symmetric<Real> deform(const LiquidLaw& law, const Mat3& c, Real dt, Mat3&,
                                         Real& j, Real& modulus) {
  const Mat3 s = liquid_stress(law, c, dt, j);
  modulus = liquid_modulus(law, j);
  return {s[0][0], s[1][1], s[2][2], s[1][2], s[0][2], s[0][1]};
}

/// Momentum m (v + C d) - dt V0 4/dx^2 tau d (MLS-MPM), for d in cells: at the middle node, and how
/// it changes along the axes.
__device__ inline void store_parts(const StepNumbers& in, const Cell& cell, const Vec3& v,
                                   const Mat3& gradient, Real mass, Real volume,
                                   const Symmetric<Real>& stress, int slot, const ChunkRoom& room) {
  const Real inertia = mass * in.dx, push = volume * (-4 * in.next_dt / in.dx);
  const Mat3 tau = {{{stress.xx, stress.xy, stress.xz},
                     {stress.xy, stress.yy, stress.yz},
                     {stress.xz, stress.yz, stress.zz}}};
  Vec3 middle;
  Mat3 slope;
  for (int c = 0; c < 3; ++c) {
    middle[c] = mass * v[c];
    for (int k = 0; k < 3; ++k) {
      slope[c][k] = inertia * gradient[c][k] + push * tau[c][k];
      middle[c] -= slope[c][k] * cell.offset[k];
    }
  }
  Quad* const part = room.slot[slot].part;
  part[0] = {cell.offset[0], cell.offset[1], cell.offset[2], mass};
  part[1] = {middle[0], middle[1], middle[2], slope[0][0]};
  part[2] = {slope[1][0], slope[2][0], slope[0][1], slope[1][1]};
  part[3] = {slope[2][1], slope[0][2], slope[1][2], slope[2][2]};
}

struct ParticleLimits {
  Real speed_squared = 0, wave_speed_squared = 0, margin = 16;

  /// NaN counts as infinite.
  __device__ void note(Real speed2, Real wave2) {
    constexpr Real most = std::numeric_limits<Real>::max(), never = Real(HUGE_VAL);
    speed_squared = max(speed_squared, speed2 <= most ? speed2 : never);
    wave_speed_squared = max(wave_speed_squared, wave2 <= most ? wave2 : never);
  }
};

/// The columns of particles at the end of a frame.
__device__ inline void write_columns(const AdvanceView& view, const Int3& block, Index i,
                                     const Row16& row, const Vec3& v, const Mat3& c) {
  const ParticlesView& p = view.particles;
  p.x[i] = world_place(block, row.c, view.in.dx);
  p.v[i] = v;
  p.gradient[i] = c;
  p.memory[i] = row.c[row_memory];
  for (int k = 0; k < 9; ++k) p.deformation[i][k / 3][k % 3] = p.row[i].c[row_f + k];
}

/// Colliders near the particles of a block; each thread tests some.
__device__ inline void find_near(const AdvanceView& view, const Int3& block,
                                 const ChunkRoom& room) {
  const int most = min(view.around.colliders.count, Index(32 * near_words));
  for (int k = threadIdx.x; k < most; k += chunk_threads)
    if (may_touch(view.around.colliders.data[k], block, view.in.dt, view.in.dx))
      atomicOr(room.near + k / 32, 1u << k % 32);
}

/// A particle's velocity beside colliders and under pins, and its path, m/s.
struct MetMotion {
  Vec3 v, path;
};
/// Not inline: few particles meet anything, and the others shall not pay for its registers.
static __device__ __noinline__ MetMotion meet_obstacles(const AdvanceView& view, const Int3& block,
                                                        Index i, const Vec3& local,
                                                        const unsigned* near, Vec3 v) {
  const DeviceSurroundings& around = view.around;
  const Vec3 x = world_place(block, local.c, view.in.dx);
  const Index held = around.pins ? view.particles.pin[i] : -1;
  Vec3 push = Vec3::zero();
  bool met = false;
  const auto is_near = [&](Index k) {
    return k >= 32 * near_words || (near[k / 32] >> k % 32 & 1) != 0;
  };
  if (held >= 0 && around.pins[held].active) {
    v = (apply(around.pins[held].moved, x) - x) * (1 / view.in.dt);
  } else {
    for (Index k = 0; k < around.colliders.count; ++k)
      if (is_near(k))
        push += push_beside(around.colliders.data[k], x, view.in.dt, view.in.dx, v, met);
  }
  if (around.flat) v[2] = push[2] = 0;
  Vec3 path = v + push;
  for (Index k = 0; met && k < around.colliders.count; ++k)
    if (is_near(k)) path = path_beside(around.colliders.data[k], x, view.in.dt, view.in.dx, path);
  if (around.flat) path[2] = 0;
  return {v, path};
}

__device__ inline bool meets_any(const AdvanceView& view, const unsigned* near) {
  unsigned any = 0;
  for (int k = 0; k < near_words; ++k) any |= near[k];
  return any != 0 || view.around.pins || view.around.colliders.count > 32 * near_words;
}

/// Liquids do not use the deformation gradient: it is not loaded.
template <class Law>
constexpr bool keeps_shape = !requires {
  Law::has_shape;
};

template <bool all>
__device__ void load_row(const Row16* from, Row16& row) {
  const Quad* const quad = reinterpret_cast<const Quad*>(from->c);
  for (int q = 0; q < 4; ++q) {
    const Quad part = all || q == 0 || q == 3 ? quad[q] : Quad{};
    for (int c = 0; c < 4; ++c) row.c[4 * q + c] = part.c[c];
  }
}
template <bool all>
__device__ void store_row(const Row16& row, Row16* to) {
  Quad* const quad = reinterpret_cast<Quad*>(to->c);
  for (int q = 0; q < (all ? 4 : 1); ++q)
    quad[q] = {row.c[4 * q], row.c[4 * q + 1], row.c[4 * q + 2], row.c[4 * q + 3]};
}

/// A particle's step. `slot`: its number in the chunk. meets: there are colliders or pins.
template <bool whole, bool meets, class Law>
__device__ void advance_particle(const Law& law, const AdvanceView& view, const Chunk& chunk,
                                 int slot, const ChunkRoom& room, ParticleLimits& limits) {
  const StepNumbers& in = view.in;
  const bool gathers = whole || in.gathers, spreads = whole || in.spreads;
  const Index i = room.slot[slot].row;
  Row16 row;
  load_row<keeps_shape<Law>>(view.particles.row + i, row);
  Vec3 x{row.c[0], row.c[1], row.c[2]}, v;
  Mat3 c;
  if (gathers) {
    const Cell cell(x);
    const Gathered sum = gather(room.tile + cell.first_node(), cell.offset);
    v = sum.v;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k)
        c[r][k] = (sum.moments[r][k] - v[r] * cell.offset[k]) * (4 / in.dx);
    MetMotion motion{v, v};
    if (meets && meets_any(view, room.near))
      motion = meet_obstacles(view, view.blocks.place[chunk.block], i, x, room.near, v);
    v = motion.v;
    x += motion.path * (in.dt / in.dx);
  } else {
    v = view.particles.v ? view.particles.v[i] : Vec3::zero();
    c = view.particles.v ? view.particles.gradient[i] : Mat3::zero();
  }
  for (int k = 0; k < 3; ++k)
    limits.margin = min(limits.margin, min(x[k] + Real(1.5), Real(4.5) - x[k]));
  Mat3 f;
  for (int k = 0; k < 9; ++k) f[k / 3][k % 3] = row.c[row_f + k];
  Real modulus;
  const Symmetric<Real> stress =
      deform(law, c, gathers ? in.dt : Real(0), f, row.c[row_memory], modulus);
  for (int k = 0; k < 3; ++k) row.c[k] = x[k];
  for (int k = 0; k < 9; ++k) row.c[row_f + k] = f[k / 3][k % 3];
  if (gathers) store_row<keeps_shape<Law>>(row, view.particles.row + i);
  if (spreads) {
    const Cell cell(x);
    store_parts(in, cell, v, c, row.c[row_mass], row.c[row_volume], stress, slot, room);
    const unsigned number = cell.number();
    room.slot[slot].cell = number << 16 | atomicAdd(room.count + number, 1u);
  } else if (gathers) {
    write_columns(view, view.blocks.place[chunk.block], i, row, v, c);
  }
  limits.note(dot(v, v), modulus * row.c[row_volume] / row.c[row_mass]);
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

/// Puts the particles of a chunk in the order of their cells, for spreading and for the next step.
/// In a cell they are in the order of their slots, as the order of threads differs between runs.
__device__ inline void sort_chunk(const AdvanceView& view, const Chunk& chunk,
                                  const ChunkRoom& room) {
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
    view.particles.order[chunk.first + at] = room.slot[slot].row;
    view.particles.cell[chunk.first + at] = static_cast<std::uint8_t>(cell);
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

/// Adds to three nodes along z what a particle spreads.
__device__ inline void spread_particle(const Slot& slot, Real i, Real j, const NodeWeight& along_x,
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
  const std::uint16_t* const start = room.start + column * tile_cells;
  if (start[0] == start[tile_cells]) {
    for (int n = lane; n < numbers_of_column; n += 32) out[n] = Quad{};
    return;
  }
  const int i = line / 3 - 1, j = line % 3 - 1;
  const NodeWeight along_x(i), along_y(j);
  Quad sum[tile_edge + 1] = {};
  int first = start[0];
#pragma unroll
  for (int z = 0; z < tile_edge; ++z) {
    if (z < tile_cells) {
      const int last = group < 3 ? start[z + 1] : 0;
#pragma unroll 1
      for (int k = first + group; k < last; k += 3)
        spread_particle(room.slot[room.slot[k].place], Real(i), Real(j), along_x, along_y, sum[z],
                        sum[z + 1], sum[z + 2 < tile_edge ? z + 2 : tile_edge]);
      first = start[z + 1];
    }
    const Quad total = sum_of_groups(sum[z]);
    if (group == 0) out[z * lines_of_column + line] = total;
  }
}

/// Columns of a round, those inside the block first: they are full, and each warp gets one.
__device__ inline int column_of(int round, int k) {
  static_assert(rounds == 2 && tile_cells == 6);
  const int inner = round == 0 ? 1 : 3, outer = round == 0 ? 0 : 5;
  if (k < 8) return (inner + k / 4) * tile_cells + k % 4 + 1;
  if (k < 14) return outer * tile_cells + k - 8;
  return (inner + (k - 14) / 2) * tile_cells + (k - 14) % 2 * (tile_cells - 1);
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
      const int cx = x - i - round * (tile_cells / rounds), cy = y - j;
      if (cx < 0 || cx >= tile_cells / rounds || cy < 0 || cy >= tile_cells) continue;
      const Quad part =
          room.column[(cx * tile_cells + cy) * numbers_of_column + z * lines_of_column + 3 * i + j];
      for (int c = 0; c < 4; ++c) sum.c[c] += part.c[c];
    }
}

/// Fills the tile of a chunk whose particles are sorted.
__device__ inline void spread_chunk(const ChunkRoom& room, Quad* tile) {
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

}  // namespace phyxel::mpm
