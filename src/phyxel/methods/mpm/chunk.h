#pragma once

#include <array>
#include <numeric>

#include "phyxel/core/pack_rows.h"
#include "phyxel/methods/mpm/laws.h"
#include "phyxel/methods/mpm/step.h"
#include "phyxel/methods/mpm/stretches.h"
#include "phyxel/methods/mpm/transfer.h"

// A step of the particles of a chunk, a pack of them at a time: grid to particle, move and deform,
// stress by their law, and the layout of mass and momentum for particle to grid.

namespace phyxel::mpm {

/// A collider that a chunk may touch, with those of its eight parts that may.
struct NearCollider {
  const ColliderView* collider;
  unsigned parts;
};

/// Room for one chunk, one for each thread.
struct Buffers {
  alignas(64) Quad tile[tile_room];
  alignas(64) Quad tile_before[tile_room];  // of FLIP
  alignas(64) Quad sum[2][tile_room];       // particle to grid: mass, momentum; of FLIP: impulses
  alignas(64) Index at[largest_chunk + 2 * batch];  // row of a place in the order of cells
  alignas(64) Index cell[largest_chunk + 16];       // of a place, after moving

  // Of a batch:
  alignas(64) Real head[4][batch_room];       // what rows begin with: place and memory
  alignas(64) Real gathered[15][batch_room];  // velocity, gradient, change of velocity
  alignas(64) Real path[3][batch_room];       // m/s along which particles move
  alignas(64) Row16 spread[2 * batch_room];   // of a particle, for particle to grid
  alignas(64) Real weight[16][batch_room];    // and its weights
  alignas(64) Index stray[batch_room];        // those that have left their cells
  Index strays;
  std::vector<NearCollider> near;
};

/// Places [first, last) of a chunk in the order of cells: a batch, which begins at a multiple.
struct Places {
  Index first, last;

  Index count() const { return last - first; }
};

/// 0, 1, 2, ...
inline constexpr auto batch_places = [] {
  std::array<Index, batch_room> places{};
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}();

/// f(places) for all batches of a chunk.
template <class F>
PHYXEL_INLINE void for_batches(const Chunk& chunk, const F& f) {
  for (Index k = 0; k < chunk.count; k += batch) f(Places{k, std::min(k + batch, chunk.count)});
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

/// Lays out what Quadratic::Sums::add reads of the pack of particles at k of a batch: p, weights.
PHYXEL_INLINE void store_spread(Quadratic, const CellPlace<Quadratic>& place, RowPack& p, Index k,
                                Buffers& b) {
  const Vec3Pack wx = quadratic_weights(place.offset[0]), wy = quadratic_weights(place.offset[1]),
                 wz = quadratic_weights(place.offset[2]);
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) (wx[x] * wy[y]).store_aligned(b.weight[3 * x + y] + k);
  for (int z = 0; z < 3; ++z) p.c[7 + 4 * z] = wz[z];
  store_rows(
      p, [&](Index l) { return b.spread + k + l; }, lanes);
}

/// The same for Cubic::Sums::add.
PHYXEL_INLINE void store_spread(Cubic, const CellPlace<Cubic>& place, RowPack& p, Index k,
                                Buffers& b) {
  const CubicWeights<Pack> x = cubic_weights(place.offset[0]), y = cubic_weights(place.offset[1]),
                           z = cubic_weights(place.offset[2]);
  RowPack along_z;
  for (int q = 0; q < 4; ++q) {
    x.value[q].store_aligned(b.weight[q] + k);
    x.slope[q].store_aligned(b.weight[4 + q] + k);
    y.value[q].store_aligned(b.weight[8 + q] + k);
    y.slope[q].store_aligned(b.weight[12 + q] + k);
    along_z.c[q] = z.value[q], along_z.c[4 + q] = z.slope[q];
    along_z.c[8 + q] = along_z.c[12 + q] = Pack(Real(0));
    p.c[7 + 4 * std::min(q, 2)] = Pack(Real(0));
  }
  store_rows(
      p, [&](Index l) { return b.spread + 2 * (k + l); }, lanes);
  store_rows(
      along_z, [&](Index l) { return b.spread + 2 * (k + l) + 1; }, lanes);
}

/// Particle to grid: momentum at the middle node, mass, and how momentum changes from node to node,
/// m (v + C d) - dt V0 4/dx^2 tau d (MLS-MPM), for d in cells.
PHYXEL_INLINE RowPack momentum_of(Quadratic, const StepNumbers& in,
                                  const CellPlace<Quadratic>& place, const Vec3Pack& v,
                                  const Mat3Pack& gradient, const Pack& mass, const Pack& volume,
                                  const Symmetric<Pack>& stress) {
  const Pack inertia = mass * Pack(in.dx), push = volume * Pack(-4 * in.next_dt / in.dx);
  const Mat3Pack tau = {{{stress.xx, stress.xy, stress.xz},
                         {stress.xy, stress.yy, stress.yz},
                         {stress.xz, stress.yz, stress.zz}}};
  RowPack p;
  for (int c = 0; c < 3; ++c) {
    Pack middle = mass * v[c];
    for (int k = 0; k < 3; ++k) {
      const Pack slope = inertia * gradient[c][k] + push * tau[c][k];
      middle -= slope * place.offset[k];
      p.c[4 + 4 * k + c] = slope;
    }
    p.c[c] = middle;
  }
  p.c[3] = mass;
  return p;
}

/// Momentum and mass, and impulses of the stress along x, y and z.
PHYXEL_INLINE RowPack momentum_of(Cubic, const StepNumbers& in, const CellPlace<Cubic>&,
                                  const Vec3Pack& v, const Mat3Pack&, const Pack& mass,
                                  const Pack& volume, const Symmetric<Pack>& stress) {
  const Pack push = volume * Pack(-in.next_dt / in.dx), zero(Real(0));
  const Pack tau[6] = {push * stress.xx, push * stress.yy, push * stress.zz,
                       push * stress.yz, push * stress.xz, push * stress.xy};
  return {{mass * v[0], mass * v[1], mass * v[2], mass, tau[0], tau[5], tau[4], zero, tau[5],
           tau[1], tau[3], zero, tau[4], tau[3], tau[2], zero}};
}

/// The velocity gradient (1/s) from the sums of grid to particle.
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

/// The largest and smallest of what limits the next steps, lane by lane.
struct PackLimits {
  Pack speed2 = Pack(Real(0)), stiffest = Pack(Real(0)), margin = Pack(Real(16));

  ChunkLimits of_chunk() const {
    return {largest_lane(speed2), largest_lane(stiffest), smallest_lane(margin)};
  }
};

/// Loads what the rows of a batch begin with.
PHYXEL_INLINE void load_heads(const Places& places, const Row16* rows, Buffers& b) {
  for (Index k = 0; k < places.count(); k += lanes) {
    const Index* const at = b.at + places.first + k;
    const QuadPack head =
        load_fours([&](Index l) __attribute__((always_inline)) { return rows[at[l]].c; });
    for (int q = 0; q < 4; ++q) head.c[q].store_aligned(b.head[q] + k);
  }
}

/// The rows of the pack of particles at k of a batch, as far as their law needs them.
template <class Law, class Address>
PHYXEL_INLINE RowPack load_rows_of(const Law&, const Address& row_at, Index k, const Buffers& b) {
  if constexpr (requires { Law::has_shape; }) {
    RowPack r;
    for (int q = 0; q < 4; ++q) r.c[q] = Pack::load_aligned(b.head[q] + k);
    const QuadPack last = load_fours([&](Index l) { return row_at(l)->c + 12; });
    for (int q = 0; q < 4; ++q) r.c[12 + q] = last.c[q];
    return r;
  } else {
    return load_rows(row_at);
  }
}

/// Moves and deforms the particles of a batch.
template <class T, class Law>
void advance_batch(const Law& law, const StepNumbers& in, const Places& places, bool own_path,
                   Row16* rows, Buffers& b, PackLimits& in_all) {
  PackLimits limits = in_all;
  Index strays = 0;
  for (Index k = 0; k < places.count(); k += lanes) {
    const Index count = std::min(lanes, places.count() - k);
    const Index* const at = b.at + places.first + k;
    const auto row_at = [&](Index l) __attribute__((always_inline)) {
      return rows + at[l];
    };
    RowPack r = load_rows_of(law, row_at, k, b);
    // Those of the next batch, which are gathered before they are loaded.
    for (Index l = 0; l < lanes; ++l) __builtin_prefetch(rows + at[batch + l], 0, 3);
    const auto number = [&](int q) { return Pack::load_aligned(b.gathered[q] + k); };
    const Vec3Pack v{number(0), number(1), number(2)};
    Mat3Pack c{{{number(3), number(4), number(5)},
                {number(6), number(7), number(8)},
                {number(9), number(10), number(11)}}};
    Vec3Pack x{r.c[0], r.c[1], r.c[2]};
    const CellPlace<T> before(x);
    if (in.gathers) {
      c = gradient_of(T{}, in, v, before.offset, c);
      for (int a = 0; a < 3; ++a) {
        x[a] +=
            Pack::load_aligned((own_path ? b.path[a] : b.gathered[a]) + k) * Pack(in.dt / in.dx);
        limits.margin = min(limits.margin, min(x[a] - Pack(T::lowest), Pack(T::highest) - x[a]));
      }
    }
    Mat3Pack f = matrix_of(r.c, 4);
    Pack memory = r.c[3], modulus;
    const Symmetric<Pack> stress = deform(law, c, in.gathers ? in.dt : Real(0), f, memory, modulus);
    if (in.gathers) {
      for (int a = 0; a < 3; ++a) r.c[a] = x[a];
      r.c[3] = memory;
      if constexpr (requires { Law::has_shape; }) {
        store_fours(
            {{r.c[0], r.c[1], r.c[2], r.c[3]}}, [&](Index l) { return row_at(l)->c; }, count);
      } else {
        for (int a = 0; a < 9; ++a) r.c[4 + a] = f[a / 3][a % 3];
        store_rows(r, row_at, count);
      }
    }
    const CellPlace<T> place(x);
    store_whole(place.number, b.cell + places.first + k);
    if (in.spreads) {
      RowPack p = momentum_of(T{}, in, place, v, c, r.c[14], r.c[13], stress);
      store_spread(T{}, place, p, k, b);
      const std::uint32_t gone = bits_of(place.number != before.number) & ((1u << count) - 1);
      strays += compress(batch_places.data() + k, gone, b.stray + strays);
    } else {
      for (int a = 0; a < 9; ++a) c[a / 3][a % 3].store_aligned(b.gathered[3 + a] + k);
    }
    limits.speed2 = max(limits.speed2, dot(v, v));
    limits.stiffest = max(limits.stiffest, modulus * r.c[13] * Quick<Pack>::reciprocal(r.c[14]));
  }
  b.strays = strays;
  in_all = limits;
}

/// Velocities and their gradients at the particles of a batch, whose heads are loaded.
template <class T>
PHYXEL_INLINE void gather_batch(const Places& places, Buffers& b) {
  const auto head = [&](int q, Index k) { return Pack::load_aligned(b.head[q] + k); };
  for (Index k = 0; k < places.count(); k += lanes)
    T::gather(
        b.tile, b.tile_before, CellPlace<T>({head(0, k), head(1, k), head(2, k)}),
        [&](int q, const Pack& sum)
            __attribute__((always_inline)) { sum.store_aligned(b.gathered[q] + k); });
}

/// Lanes that are left over in the last pack count for the limits of the step: they repeat the last
/// particle, as its row is repeated.
template <class T>
PHYXEL_INLINE void repeat_last(const Places& places, Buffers& b) {
  for (Index k = places.count(); k % lanes != 0; ++k) {
    for (int q = 0; q < T::gathered; ++q) b.gathered[q][k] = b.gathered[q][places.count() - 1];
    for (int a = 0; a < 3; ++a) b.path[a][k] = b.path[a][places.count() - 1];
  }
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
    order[next[b.cell[k]]++] = static_cast<std::uint16_t>(b.at[k]);
  }
  return range_of<T>(start);
}

/// Adds the mass and momentum of one particle that has left its cell.
template <class T>
PHYXEL_INLINE void spread_stray(Index cell, Index k, Buffers& b) {
  for (int pass = 0; pass < T::passes; ++pass) {
    typename T::Sums sums;
    sums.clear();
    sums.add(pass, b.spread + T::rows * k, b.weight[0] + k);
    sums.flush(b.sum[pass] + tile_cells<T>[cell].nodes);
  }
  for (int q = 0; q < T::weights; ++q) b.weight[q][k] = 0;  // it is done
}

/// Adds mass and momentum of the particles of a batch to the nodes of their tile. `from`: a cell
/// that is not behind the first of them. Returns the same for the next batch.
template <class T>
Index spread_batch(const std::uint16_t* start, const Places& places, Index from, int pass,
                   const Buffers& b, Quad* tile) {
  Index cell = from;
  for (Index k = places.first; k < places.last;) {
    const Index end = std::min<Index>(start[cell + 1], places.last);
    if (k < end) {
      typename T::Sums sums;
      sums.clear();
      for (; k < end; ++k)
        sums.add(pass, b.spread + T::rows * (k - places.first), b.weight[0] + (k - places.first));
      sums.flush(tile + tile_cells<T>[cell].nodes);
    }
    if (k < places.last) ++cell;
  }
  return cell;
}

inline void clear_tile(Quad* tile) {
  std::fill_n(tile, tile_room, Quad{});
}

}  // namespace phyxel::mpm
