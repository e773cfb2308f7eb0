#pragma once

#include "phyxel/grid/cuda_transfer.h"
#include "phyxel/methods/mpm/cuda_step.h"
#include "phyxel/methods/mpm/deform.h"

// What a block of threads does with a chunk of particles: grid to particles from a tile of nodes in
// shared memory; move and deform; sort by the new cells; particles to grid (grid/cuda_transfer.h).

namespace phyxel::mpm {

inline namespace PHYXEL_BACKEND {

constexpr int near_words = 4;  // colliders beyond as many bits count as near

/// What this method has in the shared memory of a chunk: limits of the next step, and colliders
/// that particles may touch, as bits.
constexpr int limit_words = 4;
static_assert(limit_words + near_words == method_words);
__device__ inline unsigned* limits_in(const ChunkRoom& room) {
  return room.words;
}
__device__ inline unsigned* near_in(const ChunkRoom& room) {
  return room.words + limit_words;
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
  const Points& p = view.points;
  p.x[i] = world_place(block, row.c, view.in.dx);
  p.v[i] = v;
  p.gradient[i] = c;
  p.memory[i] = row.c[row_memory];
  if (p.memory_2) p.memory_2[i] = row.c[row_memory_2];
  for (int k = 0; k < 9; ++k) p.deformation[i][k / 3][k % 3] = view.rows.row[i].c[row_f + k];
}

/// Colliders near the particles of a block; each thread tests some.
__device__ inline void find_near(const AdvanceView& view, const Int3& block,
                                 const ChunkRoom& room) {
  const int most = min(view.boundaries.colliders.count, Index(32 * near_words));
  for (int k = threadIdx.x; k < most; k += chunk_threads)
    if (may_touch(view.boundaries.colliders.data[k], block, view.in.dt, view.in.dx))
      atomicOr(near_in(room) + k / 32, 1u << k % 32);
}

/// A particle's velocity beside colliders and under pins, and its path, m/s.
struct MetMotion {
  Vec3 v, path;
};
/// Not inline: few particles meet anything, and the others shall not pay for its registers.
static __device__ __noinline__ MetMotion meet_obstacles(const AdvanceView& view, const Int3& block,
                                                        Index i, Real mass, const Vec3& local,
                                                        const unsigned* near, Vec3 v) {
  const Boundaries& boundaries = view.boundaries;
  const Vec3 x = world_place(block, local.c, view.in.dx);
  const Index held = boundaries.pins ? view.points.pin[i] : -1;
  Vec3 push = Vec3::zero();
  bool met = false;
  const auto is_near = [&](Index k) {
    return k >= 32 * near_words || (near[k / 32] >> k % 32 & 1) != 0;
  };
  if (held >= 0 && boundaries.pins[held].active) {
    const Vec3 before = v;
    v = (apply(boundaries.pins[held].moved, x) - x) * (1 / view.in.dt);
    if (boundaries.flat) v[2] = 0;
    count_pin(boundaries.reactions, held, mass, x, before, v);
  } else {
    const CountContact count{boundaries.reactions, mass};
    for (Index k = 0; k < boundaries.colliders.count; ++k)
      if (is_near(k))
        push += push_beside(boundaries.colliders.data[k], x, view.in.dt, view.in.dx, v, met,
                            [&](const Contact& contact, Vec3 before, Vec3 after) {
                              if (boundaries.flat) before[2] = after[2] = 0;
                              count(k, x, contact, before, after);
                            });
  }
  if (boundaries.flat) v[2] = push[2] = 0;
  Vec3 path = v + push;
  for (Index k = 0; met && k < boundaries.colliders.count; ++k)
    if (is_near(k))
      path = path_beside(boundaries.colliders.data[k], x, view.in.dt, view.in.dx, path);
  if (boundaries.flat) path[2] = 0;
  return {v, path};
}

__device__ inline bool meets_any(const AdvanceView& view, const unsigned* near) {
  unsigned any = 0;
  for (int k = 0; k < near_words; ++k) any |= near[k];
  return any != 0 || view.boundaries.pins || view.boundaries.colliders.count > 32 * near_words;
}

/// Without what laws do not use that have no shape: the deformation gradient.
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
  const bool from_grid = whole || in.grid_to_particles, to_grid = whole || in.particles_to_grid;
  const Index i = room.slot[slot].row;
  Row16 row;
  load_row<uses_shape<Law>()>(view.rows.row + i, row);
  Vec3 x{row.c[0], row.c[1], row.c[2]}, v;
  Mat3 c;
  if (from_grid) {
    const Cell cell(x);
    const FromGrid sum = grid_to_particle(room.tile + cell.first_node(), cell.offset);
    v = sum.v;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 3; ++k)
        c[r][k] = (sum.moments[r][k] - v[r] * cell.offset[k]) * (4 / in.dx);
    MetMotion motion{v, v};
    if (meets && meets_any(view, near_in(room)))
      motion = meet_obstacles(view, view.blocks.place[chunk.block], i, row.c[row_mass], x,
                              near_in(room), v);
    v = motion.v;
    x += motion.path * (in.dt / in.dx);
  } else {
    v = view.points.v ? view.points.v[i] : Vec3::zero();
    c = view.points.v ? view.points.gradient[i] : Mat3::zero();
  }
  for (int k = 0; k < 3; ++k)
    limits.margin = min(limits.margin, min(x[k] + Real(1.5), Real(4.5) - x[k]));
  Mat3 f;
  for (int k = 0; k < 9; ++k) f[k / 3][k % 3] = row.c[row_f + k];
  auto memory = memory_in<Law>(row.c);
  Real modulus;
  const Symmetric<Real> stress = deform(law, c, from_grid ? in.dt : Real(0), f, memory, modulus);
  store_memory<Law>(memory, row.c);
  for (int k = 0; k < 3; ++k) row.c[k] = x[k];
  for (int k = 0; k < 9; ++k) row.c[row_f + k] = f[k / 3][k % 3];
  if (from_grid) store_row<uses_shape<Law>()>(row, view.rows.row + i);
  if (to_grid) {
    const Cell cell(x);
    store_parts(in, cell, v, c, row.c[row_mass], row.c[row_volume], stress, slot, room);
    const unsigned number = cell.number();
    room.slot[slot].cell = number << 16 | atomicAdd(room.count + number, 1u);
  } else if (from_grid) {
    write_columns(view, view.blocks.place[chunk.block], i, row, v, c);
  }
  limits.note(dot(v, v), modulus * row.c[row_volume] / row.c[row_mass]);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mpm
