#pragma once

#include "phyxel/grid/bspline.h"
#include "phyxel/methods/mpm/cuda_step.h"
#include "phyxel/methods/mpm/stretches.h"

// What a block of threads does with a chunk of particles. They gather velocities from a tile of
// nodes in shared memory, are moved and deformed, and are put in the order of their new cells.
// Spreading, nine threads are the lines of nodes along z around a column of cells, and go along it
// with three nodes in their registers, so that every sum has a fixed order and nobody writes what
// another one does: no atomics, and the same bits every time.

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

constexpr int chunk_threads = 384, chunks_at_once = 2;  // of a multiprocessor
constexpr int tile_cells = 6;                           // along an axis
constexpr int tile_columns = tile_cells * tile_cells;
constexpr int cells_in_tile = tile_columns * tile_cells;
constexpr int lines_of_column = 9;
constexpr int numbers_of_column = lines_of_column * tile_edge;
constexpr int near_words = 4;  // colliders beyond as many bits count as near

/// Shared memory of a chunk.
struct ChunkRoom {
  Quad* tile;      // velocities; when they are gathered, `column` takes the place
  Quad* column;    // sums of each column: nodes along z, lines
  Quad* part[4];   // what particles spread: offset and mass, momentum and its slopes
  unsigned* cell;  // of a particle, and which of its particles it is
  Index* row;
  std::uint16_t* place;  // particles in the order of cells
  std::uint16_t* start;  // of cells in that order; one more at the end
  unsigned* count;       // of cells
  unsigned* limits;
  unsigned* near;  // colliders that particles may touch, as bits

  static constexpr std::size_t fixed_bytes() {
    return (tile_columns * numbers_of_column) * sizeof(Quad) + (cells_in_tile + 8) * 4 + 16 + 4 * near_words +
           (cells_in_tile + 8) * 2;
  }
  static constexpr std::size_t bytes_of_row() { return 4 * sizeof(Quad) + 4 + sizeof(Index) + 2; }

  __device__ ChunkRoom(void* memory, Index rows) {
    tile = column = static_cast<Quad*>(memory);
    Quad* parts = column + tile_columns * numbers_of_column;
    for (int q = 0; q < 4; ++q) part[q] = parts + q * rows;
    cell = reinterpret_cast<unsigned*>(parts + 4 * rows);
    row = reinterpret_cast<Index*>(cell + rows);
    count = reinterpret_cast<unsigned*>(row + rows);
    limits = count + cells_in_tile + 8;
    near = limits + 4;
    start = reinterpret_cast<std::uint16_t*>(near + near_words);
    place = start + cells_in_tile + 8;
  }
};

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
  room.part[0][slot] = {cell.offset[0], cell.offset[1], cell.offset[2], mass};
  room.part[1][slot] = {middle[0], middle[1], middle[2], slope[0][0]};
  room.part[2][slot] = {slope[1][0], slope[2][0], slope[0][1], slope[1][1]};
  room.part[3][slot] = {slope[2][1], slope[0][2], slope[1][2], slope[2][2]};
}

struct ParticleLimits {
  Real speed_squared = 0, wave_speed_squared = 0, margin = 16;

  /// What is no number counts as infinite.
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
  for (int k = 0; k < 9; ++k) p.deformation[i][k / 3][k % 3] = row.c[row_f + k];
}

/// Colliders near the particles of a block; each thread asks for some.
__device__ inline void find_near(const AdvanceView& view, const Int3& block, const ChunkRoom& room) {
  const int most = min(view.around.colliders.count, Index(32 * near_words));
  for (int k = threadIdx.x; k < most; k += chunk_threads)
    if (may_touch(view.around.colliders.data[k], block, view.in.dx))
      atomicOr(room.near + k / 32, 1u << k % 32);
}

/// A particle's velocity beside colliders and under pins, and its path, m/s.
struct MetMotion {
  Vec3 v, path;
};
/// Not inline: few particles meet anything, and their registers are not those of all others.
static __device__ __noinline__ MetMotion meet_obstacles(const AdvanceView& view, const Int3& block,
                                                     Index i, const Vec3& local,
                                                     const unsigned* near, Vec3 v) {
  const DeviceSurroundings& around = view.around;
  const Vec3 x = world_place(block, local.c, view.in.dx);
  const Index held = around.pins ? view.particles.pin[i] : -1;
  Vec3 push = Vec3::zero();
  if (held >= 0 && around.pins[held].active) {
    v = (apply(around.pins[held].moved, x) - x) * (1 / view.in.dt);
  } else {
    for (Index k = 0; k < around.colliders.count; ++k)
      if (k >= 32 * near_words || (near[k / 32] >> k % 32 & 1) != 0)
        push += push_beside(around.colliders.data[k], x, view.in.dt, view.in.dx, v);
  }
  if (around.flat) v[2] = push[2] = 0;
  return {v, v + push};
}

__device__ inline bool meets_any(const AdvanceView& view, const unsigned* near) {
  unsigned any = 0;
  for (int k = 0; k < near_words; ++k) any |= near[k];
  return any != 0 || view.around.pins || view.around.colliders.count > 32 * near_words;
}

/// A particle's step. `slot`: its number in the chunk. meets: there are colliders or pins.
template <bool whole, bool meets, class Law>
__device__ void advance_particle(const Law& law, const AdvanceView& view, const Chunk& chunk,
                                 int slot, const ChunkRoom& room, ParticleLimits& limits) {
  const StepNumbers& in = view.in;
  const bool gathers = whole || in.gathers, spreads = whole || in.spreads;
  const Index i = view.particles.order[chunk.first + slot];
  Row16 row = view.particles.row[i];
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
    v = view.particles.v[i];
    c = view.particles.gradient[i];
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
  if (gathers) view.particles.row[i] = row;
  if (spreads) {
    const Cell cell(x);
    store_parts(in, cell, v, c, row.c[row_mass], row.c[row_volume], stress, slot, room);
    const unsigned number = cell.number();
    room.cell[slot] = number << 16 | atomicAdd(room.count + number, 1u);
    room.row[slot] = i;
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

/// Where cells begin in the order of cells.
__device__ inline void sum_counts(const ChunkRoom& room) {
  // Seven counts for each lane of the first warp.
  if (threadIdx.x >= 32) return;
  constexpr int own = (cells_in_tile + 31) / 32;
  unsigned count[own], sum = 0;
  for (int k = 0; k < own; ++k) {
    const int c = threadIdx.x * own + k;
    count[k] = c < cells_in_tile ? room.count[c] : 0;
    sum += count[k];
  }
  unsigned before = sum;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(~0u, before, step);
    if (threadIdx.x >= step) before += other;
  }
  before -= sum;
  for (int k = 0; k < own; ++k) {
    const int c = threadIdx.x * own + k;
    if (c <= cells_in_tile) room.start[c] = static_cast<std::uint16_t>(before);
    before += count[k];
  }
}

/// Particles of a cell in the order of their slots: who came first among the threads is chance.
__device__ inline void sort_cell(const ChunkRoom& room, int cell) {
  const int first = room.start[cell], last = room.start[cell + 1];
  for (int k = first + 1; k < last; ++k) {
    const std::uint16_t slot = room.place[k];
    int to = k;
    for (; to > first && room.place[to - 1] > slot; --to) room.place[to] = room.place[to - 1];
    room.place[to] = slot;
  }
}

/// Puts the particles of a chunk in the order of their cells, for spreading and for the next step.
__device__ inline void sort_chunk(const AdvanceView& view, const Chunk& chunk,
                                  const ChunkRoom& room) {
  sum_counts(room);
  __syncthreads();
  for (int slot = threadIdx.x; slot < chunk.count; slot += chunk_threads)
    room.place[room.start[room.cell[slot] >> 16] + (room.cell[slot] & 0xffff)] =
        static_cast<std::uint16_t>(slot);
  __syncthreads();
  for (int cell = threadIdx.x; cell < cells_in_tile; cell += chunk_threads) sort_cell(room, cell);
  __syncthreads();
  for (int k = threadIdx.x; k < chunk.count; k += chunk_threads)
    view.particles.order[chunk.first + k] = room.row[room.place[k]];
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
__device__ inline void spread_particle(const ChunkRoom& room, int slot, Real i, Real j,
                                       const NodeWeight& along_x, const NodeWeight& along_y,
                                       Quad (&sum)[3]) {
  const Quad a = room.part[0][slot], b = room.part[1][slot], c = room.part[2][slot],
             d = room.part[3][slot];
  const Real w = along_x(a.c[0]) * along_y(a.c[1]);
  const Vec3 wz = quadratic_weights(a.c[2]);
  const Real w0 = w * wz[0], w1 = w * wz[1], w2 = w * wz[2];
  const Real base[3] = {b.c[0] + i * b.c[3] + j * c.c[2], b.c[1] + i * c.c[0] + j * c.c[3],
                        b.c[2] + i * c.c[1] + j * d.c[0]};
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    sum[0].c[k] += w0 * (base[k] - d.c[1 + k]);
    sum[1].c[k] += w1 * base[k];
    sum[2].c[k] += w2 * (base[k] + d.c[1 + k]);
  }
  sum[0].c[3] += w0 * a.c[3];
  sum[1].c[3] += w1 * a.c[3];
  sum[2].c[3] += w2 * a.c[3];
}

/// One of nine lines of nodes along z around a column of cells: sums of all that the particles of
/// the column spread there.
__device__ inline void sweep_column(const ChunkRoom& room, int column, int line) {
  const int i = line / 3 - 1, j = line % 3 - 1;
  const NodeWeight along_x(i), along_y(j);
  Quad* const out = room.column + column * numbers_of_column + line;
  Quad sum[3] = {};
  for (int z = 0; z < tile_cells; ++z) {
    const int first = room.start[column * tile_cells + z],
              last = room.start[column * tile_cells + z + 1];
    for (int k = first; k < last; ++k)
      spread_particle(room, room.place[k], Real(i), Real(j), along_x, along_y, sum);
    out[z * lines_of_column] = sum[0];
    sum[0] = sum[1];
    sum[1] = sum[2];
    sum[2] = Quad{};
  }
  out[tile_cells * lines_of_column] = sum[0];
  out[(tile_cells + 1) * lines_of_column] = sum[1];
}

/// Columns in an order that keeps the inner ones, which are full, together.
__device__ inline int column_of(int k) {
  if (k < 16) return (k / 4 + 1) * tile_cells + k % 4 + 1;
  const int ring = k - 16;  // 0..5: x = 0, 6..11: x = 5, then y = 0 and y = 5
  if (ring < 12) return ring / 6 * (tile_cells - 1) * tile_cells + ring % 6;
  return ((ring - 12) % 4 + 1) * tile_cells + (ring - 12) / 4 * (tile_cells - 1);
}

__device__ inline void sweep_columns(const ChunkRoom& room) {
  const int lane = threadIdx.x % 32, group = lane / lines_of_column;
  if (group == 3) return;
  for (int k = threadIdx.x / 32; k < tile_columns / 3; k += chunk_threads / 32)
    sweep_column(room, column_of(3 * k + group), lane % lines_of_column);
}

/// The sum over the columns around a node of the tile.
__device__ inline Quad sum_columns(const ChunkRoom& room, int node) {
  const int x = node >> 6, y = node >> 3 & 7, z = node & 7;
  Quad sum{};
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      const int cx = x - i, cy = y - j;
      if (cx < 0 || cx >= tile_cells || cy < 0 || cy >= tile_cells) continue;
      const Quad part =
          room.column[(cx * tile_cells + cy) * numbers_of_column + z * lines_of_column + 3 * i + j];
      for (int c = 0; c < 4; ++c) sum.c[c] += part.c[c];
    }
  return sum;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
