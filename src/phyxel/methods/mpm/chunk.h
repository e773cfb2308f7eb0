#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/grid/bspline.h"
#include "phyxel/methods/mpm/laws.h"
#include "phyxel/methods/mpm/step.h"
#include "phyxel/methods/mpm/stretches.h"
#include "phyxel/methods/mpm/transfer.h"

// What happens to the particles of a chunk in a step, a pack of them at a time: they are moved and
// deformed, their law answers, and what they will tell the grid is laid out for spreading.

namespace phyxel::mpm {

/// A collider that a chunk may touch, with those of its eight parts that may.
struct NearCollider {
  const ColliderView* collider;
  unsigned parts;
};

/// Room for one chunk, one for each thread.
struct Buffers {
  alignas(64) Quad tile[tile_room];
  alignas(64) Quad tile_before[tile_room];              // of FLIP
  alignas(64) Real gathered[15][largest_chunk + 16];    // velocity, gradient, change of velocity
  alignas(64) Real path[3][largest_chunk + 16];         // m/s along which particles move
  alignas(64) Row16 spread[3 * (largest_chunk + 16)];   // what spreading needs of a particle
  alignas(64) Index at[largest_chunk + 16];             // row of a place in the order of cells
  alignas(64) Index cell[largest_chunk + 16];           // of a place, after moving
  alignas(64) std::uint16_t place[largest_chunk + 16];  // in the new order of cells
  std::vector<NearCollider> near;
};

/// Where particles are in their cells.
template <class T>
struct CellPlace {
  Pack offset[3];  // from the reference node, in cells
  Pack number;     // of the cell, a whole number

  explicit CellPlace(const Pack (&x)[3]) {
    Pack along[3];
    for (int k = 0; k < 3; ++k) {
      const Pack node = floor(x[k] + Pack(T::middle));
      offset[k] = x[k] - node;
      along[k] = min(max(node + Pack(Real(1)), Pack(Real(0))), Pack(Real(T::cells - 1)));
    }
    number = (along[0] * Pack(Real(T::cells)) + along[1]) * Pack(Real(T::cells)) + along[2];
  }
};

/// Lanes that hold whole numbers.
PHYXEL_INLINE void store_whole(const Pack& numbers, Index* to) {
#ifdef PHYXEL_DOUBLE
  alignas(64) Real lane[lanes];
  numbers.store_aligned(lane);
  for (Index l = 0; l < lanes; ++l) to[l] = static_cast<Index>(lane[l]);
#else
  xsimd::to_int(numbers).store_unaligned(to);
#endif
}

inline Mat3Pack matrix_of(const Pack (&c)[16], int first) {
  Mat3Pack m;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) m[r][k] = c[first + 3 * r + k];
  return m;
}

/// Deforms matter by the velocity gradient c (1/s) for dt. Returns the stress.
template <class Law>
PHYXEL_INLINE Symmetric<Pack> deform(const Law& law, const Mat3Pack& c, Real dt, Mat3Pack& f,
                                     Pack& memory, Pack& modulus) {
  if (dt == 0) return stress_without_flow(law, f, memory, modulus);
  f += (c * Pack(dt)) * f;
  return stress_after_flow(law, f, memory, modulus);
}
PHYXEL_INLINE Symmetric<Pack> deform(const LiquidLaw& law, const Mat3Pack& c, Real dt, Mat3Pack&,
                                     Pack& j, Pack& modulus) {
  const Mat3Pack s = liquid_stress(law, c, Pack(dt), j);
  modulus = liquid_modulus(law, j);
  return {s[0][0], s[1][1], s[2][2], s[1][2], s[0][2], s[0][1]};
}

/// What spreading needs of quadratic splines: Quadratic::Sums::add reads it.
PHYXEL_INLINE void store_spread(Quadratic, const StepNumbers& in, const CellPlace<Quadratic>& place,
                                const Vec3Pack& v, const Mat3Pack& gradient, const Pack& mass,
                                const Pack& volume, const Symmetric<Pack>& stress, Row16* to,
                                Index count) {
  // Momentum m (v + C d) - dt V0 4/dx^2 tau d (MLS-MPM), for d in cells.
  const Pack inertia = mass * Pack(in.dx), push = volume * Pack(-4 * in.next_dt / in.dx);
  const Mat3Pack tau = {{{stress.xx, stress.xy, stress.xz},
                         {stress.xy, stress.yy, stress.yz},
                         {stress.xz, stress.yz, stress.zz}}};
  RowPack p, w;
  for (int c = 0; c < 3; ++c) {
    Pack middle = mass * v[c];
    for (int k = 0; k < 3; ++k) {
      const Pack slope = inertia * gradient[c][k] + push * tau[c][k];
      middle -= slope * place.offset[k];
      p.c[4 + 4 * k + c] = slope;
    }
    p.c[c] = middle;
    p.c[7 + 4 * c] = Pack(Real(0));
  }
  p.c[3] = mass;
  const Vec3Pack wx = quadratic_weights(place.offset[0]), wy = quadratic_weights(place.offset[1]),
                 wz = quadratic_weights(place.offset[2]);
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) w.c[3 * x + y] = wx[x] * wy[y];
  for (int k = 9; k < 12; ++k) w.c[k] = Pack(Real(0));
  for (int z = 0; z < 3; ++z) w.c[12 + z] = wz[z];
  w.c[15] = Pack(Real(0));
  store_rows(
      p, [&](Index l) { return to + Quadratic::rows * l; }, count);
  store_rows(
      w, [&](Index l) { return to + Quadratic::rows * l + 1; }, count);
}

/// The same for cubic splines: Cubic::Sums::add reads it.
PHYXEL_INLINE void store_spread(Cubic, const StepNumbers& in, const CellPlace<Cubic>& place,
                                const Vec3Pack& v, const Mat3Pack&, const Pack& mass,
                                const Pack& volume, const Symmetric<Pack>& stress, Row16* to,
                                Index count) {
  const Pack push = volume * Pack(-in.next_dt / in.dx), zero(Real(0));
  const Pack tau[6] = {push * stress.xx, push * stress.yy, push * stress.zz,
                       push * stress.yz, push * stress.xz, push * stress.xy};
  const RowPack p{{mass * v[0], mass * v[1], mass * v[2], mass, tau[0], tau[5], tau[4], zero,
                   tau[5], tau[1], tau[3], zero, tau[4], tau[3], tau[2], zero}};
  const CubicWeights<Pack> x = cubic_weights(place.offset[0]), y = cubic_weights(place.offset[1]),
                           z = cubic_weights(place.offset[2]);
  RowPack xy, along_z;
  for (int k = 0; k < 4; ++k) {
    xy.c[k] = x.value[k], xy.c[4 + k] = x.slope[k];
    xy.c[8 + k] = y.value[k], xy.c[12 + k] = y.slope[k];
    along_z.c[k] = z.value[k], along_z.c[4 + k] = z.slope[k];
    along_z.c[8 + k] = along_z.c[12 + k] = zero;
  }
  store_rows(
      p, [&](Index l) { return to + Cubic::rows * l; }, count);
  store_rows(
      xy, [&](Index l) { return to + Cubic::rows * l + 1; }, count);
  store_rows(
      along_z, [&](Index l) { return to + Cubic::rows * l + 2; }, count);
}

/// The velocity gradient (1/s) from what gathering left.
PHYXEL_INLINE Mat3Pack gradient_of(Quadratic, const StepNumbers& in, const Vec3Pack& v,
                                   const Pack (&offset)[3], const Mat3Pack& moments) {
  Mat3Pack c;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) c[r][k] = (moments[r][k] - v[r] * offset[k]) * Pack(4 / in.dx);
  return c;
}

PHYXEL_INLINE Mat3Pack gradient_of(Cubic, const StepNumbers& in, const Vec3Pack&, const Pack (&)[3],
                                   const Mat3Pack& slopes) {
  return slopes * Pack(1 / in.dx);
}

/// Rows of the chunk that comes next: fetched little by little, they are near by then.
struct RowsAhead {
  const Row16* row;
  Index count;
};

/// Moves and deforms the particles at places [0, count) in the order of cells.
template <class T, class Law>
ChunkLimits advance_chunk(const Law& law, const StepNumbers& in, const Chunk& chunk, bool own_path,
                          const RowsAhead& ahead, Row16* rows, Buffers& b) {
  Pack speed2(Real(0)), stiffest(Real(0)), margin(Real(16));
  Index fetched = 0;
  for (Index k = 0; k < chunk.count; k += lanes) {
    const Index count = std::min(lanes, chunk.count - k);
    const auto row_at = [&](Index l) { return rows + b.at[k + l]; };
    RowPack r = load_rows(row_at);
    for (const Index end = ahead.count * (k + count) / chunk.count; fetched < end; ++fetched)
      __builtin_prefetch(ahead.row + fetched, 1, 2);
    const auto number = [&](int q) { return Pack::load_unaligned(b.gathered[q] + k); };
    const Vec3Pack v{number(0), number(1), number(2)};
    Mat3Pack c{{{number(3), number(4), number(5)},
                {number(6), number(7), number(8)},
                {number(9), number(10), number(11)}}};
    Pack x[3] = {r.c[0], r.c[1], r.c[2]};
    if (in.gathers) {
      c = gradient_of(T{}, in, v, CellPlace<T>(x).offset, c);
      for (int a = 0; a < 3; ++a) {
        x[a] +=
            Pack::load_unaligned((own_path ? b.path[a] : b.gathered[a]) + k) * Pack(in.dt / in.dx);
        margin = min(margin, min(x[a] - Pack(T::lowest), Pack(T::highest) - x[a]));
      }
    }
    Mat3Pack f = matrix_of(r.c, 4);
    Pack memory = r.c[3], modulus;
    const Symmetric<Pack> stress = deform(law, c, in.gathers ? in.dt : Real(0), f, memory, modulus);
    if (in.gathers) {
      for (int a = 0; a < 3; ++a) r.c[a] = x[a];
      r.c[3] = memory;
      if constexpr (requires { Law::has_shape; }) {
        store_fours({{r.c[0], r.c[1], r.c[2], r.c[3]}}, row_at, count);
      } else {
        for (int a = 0; a < 9; ++a) r.c[4 + a] = f[a / 3][a % 3];
        store_rows(r, row_at, count);
      }
    }
    const CellPlace<T> place(x);
    store_whole(place.number, b.cell + k);
    if (in.spreads)
      store_spread(T{}, in, place, v, c, r.c[14], r.c[13], stress, b.spread + T::rows * k, count);
    else
      for (int a = 0; a < 9; ++a) c[a / 3][a % 3].store_unaligned(b.gathered[3 + a] + k);
    speed2 = max(speed2, dot(v, v));
    stiffest = max(stiffest, modulus * r.c[13] * Quick<Pack>::reciprocal(r.c[14]));
  }
  return {largest_lane(speed2), largest_lane(stiffest), smallest_lane(margin)};
}

/// Velocities and their gradients at the particles, which are in the order of cells.
template <class T>
void gather_chunk(const Row16* rows, const std::uint16_t* start, Buffers& b) {
  for (Index x = 0, cell = 0; x < T::cells; ++x)
    for (Index y = 0; y < T::cells; ++y)
      for (Index z = 0; z < T::cells; ++z, ++cell) {
        const Real node[3] = {Real(x - 1), Real(y - 1), Real(z - 1)};
        const Quad* const at = b.tile + tile_place(x, y, z);
        for (Index k = start[cell]; k < start[cell + 1]; k += 8) {
          Row8 offset[3], sum[T::gathered];
          load_threes([&](Index l) { return rows[b.at[k + l]].c; }, offset);
          for (int a = 0; a < 3; ++a) offset[a] -= node[a];
          T::gather(at, b.tile_before + tile_place(x, y, z), offset, sum);
          for (int q = 0; q < T::gathered; ++q) store_loose(sum[q], b.gathered[q] + k);
        }
      }
  // Lanes that are left over in the last pack count for the limits of the step: they repeat the
  // last particle, as its row is repeated.
  const Index count = start[T::cells * T::cells * T::cells];
  for (Index k = count; k % lanes != 0; ++k)
    for (int q = 0; q < T::gathered; ++q) b.gathered[q][k] = b.gathered[q][count - 1];
}

/// Nodes that the particles in cells that begin at `start` reach.
template <class T>
TileRange range_of(const std::uint16_t* start) {
  constexpr Index n = T::cells;
  TileRange range;
  Index low[2] = {n, n}, high[2] = {0, 0};
  for (Index x = 0; x < n; ++x)
    for (Index y = 0; y < n; ++y) {
      const std::uint16_t* const line = start + (x * n + y) * n;
      if (line[0] == line[n]) continue;
      low[0] = std::min(low[0], x), high[0] = x;
      low[1] = std::min(low[1], y), high[1] = std::max(high[1], y);
    }
  for (int a = 0; a < 2; ++a) {
    range.low[a] = static_cast<std::int8_t>(low[a]);
    range.high[a] = static_cast<std::int8_t>(high[a] + T::nodes - 1);
  }
  return range;
}

/// Puts the places of a chunk in the order of their new cells.
template <class T>
TileRange sort_chunk(const Chunk& chunk, std::uint16_t* start, std::uint16_t* order, Buffers& b) {
  constexpr Index cells = T::cells * T::cells * T::cells;
  std::uint16_t next[cells + 1] = {};
  for (Index k = 0; k < chunk.count; ++k) ++next[b.cell[k]];
  std::uint16_t sum = 0;
  for (Index c = 0; c < cells; ++c) {
    start[c] = sum;
    sum += std::exchange(next[c], sum);
  }
  start[cells] = sum;
  for (Index k = 0; k < chunk.count; ++k) {
    const std::uint16_t to = next[b.cell[k]]++;
    b.place[to] = static_cast<std::uint16_t>(k);
    order[to] = static_cast<std::uint16_t>(b.at[k]);
  }
  return range_of<T>(start);
}

/// Adds mass and momentum of the particles to the nodes of their tile.
template <class T>
void spread_chunk(const std::uint16_t* start, const TileRange& range, const Buffers& b, int pass,
                  Quad* tile) {
  for (Index x = range.low[0]; x <= range.high[0]; ++x)  // with the node that is touched by zero
    std::fill_n(tile + tile_place(x, range.low[1], 0),
                (range.high[1] - range.low[1] + 1) * tile_edge + 1, Quad{});
  for (Index x = 0, cell = 0; x < T::cells; ++x)
    for (Index y = 0; y < T::cells; ++y)
      for (Index z = 0; z < T::cells; ++z, ++cell) {
        if (start[cell] == start[cell + 1]) continue;
        typename T::Sums sums;
        sums.clear();
        for (Index k = start[cell]; k < start[cell + 1]; ++k)
          sums.add(pass, b.spread + T::rows * b.place[k]);
        sums.flush(tile + tile_place(x, y, z));
      }
}

}  // namespace phyxel::mpm
