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
  alignas(64) Row16 spread[2 * (largest_chunk + 16)];   // what spreading needs of a particle
  alignas(64) Real weight[16][weight_stride];           // and its weights
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

/// Lays out what Quadratic::Sums::add reads of the pack of particles at k: p, and weights.
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

/// What particles tell the grid: momentum at the middle node, mass, and how momentum changes from
/// node to node, m (v + C d) - dt V0 4/dx^2 tau d (MLS-MPM), for d in cells.
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

/// Places [first, last) of a chunk in the order of cells.
struct Places {
  Index first, last;
};

/// The largest and smallest of what limits the next steps, lane by lane.
struct PackLimits {
  Pack speed2 = Pack(Real(0)), stiffest = Pack(Real(0)), margin = Pack(Real(16));

  ChunkLimits of_chunk() const {
    return {largest_lane(speed2), largest_lane(stiffest), smallest_lane(margin)};
  }
};

/// The rows of particles, as far as their law asks for them.
template <class Law, class Address>
PHYXEL_INLINE RowPack load_rows_of(const Law&, const Address& row_at) {
  if constexpr (requires { Law::has_shape; }) {
    RowPack r;
    const QuadPack first = load_fours([&](Index l) { return row_at(l)->c; }),
                   last = load_fours([&](Index l) { return row_at(l)->c + 12; });
    for (int k = 0; k < 4; ++k) r.c[k] = first.c[k], r.c[12 + k] = last.c[k];
    return r;
  } else {
    return load_rows(row_at);
  }
}

/// Moves and deforms particles. Of places, the first is that of a pack, and so is the last unless
/// it is that of the chunk.
template <class T, class Law>
void advance_places(const Law& law, const StepNumbers& in, const Chunk& chunk, const Places& places,
                    bool own_path, const RowsAhead& ahead, Row16* rows, Buffers& b,
                    PackLimits& in_all) {
  PackLimits limits = in_all;
  Index fetched = ahead.count * places.first / chunk.count;
  for (Index k = places.first; k < places.last; k += lanes) {
    const Index count = std::min(lanes, chunk.count - k);
    const auto row_at = [&](Index l) __attribute__((always_inline)) {
      return rows + b.at[k + l];
    };
    RowPack r = load_rows_of(law, row_at);
    for (const Index end = ahead.count * (k + count) / chunk.count; fetched < end; ++fetched)
      __builtin_prefetch(ahead.row + fetched, 0, 2);
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
        store_fours({{r.c[0], r.c[1], r.c[2], r.c[3]}}, row_at, count);
      } else {
        for (int a = 0; a < 9; ++a) r.c[4 + a] = f[a / 3][a % 3];
        store_rows(r, row_at, count);
      }
    }
    const CellPlace<T> place(x);
    store_whole(place.number, b.cell + k);
    if (in.spreads) {
      RowPack p = momentum_of(T{}, in, place, v, c, r.c[14], r.c[13], stress);
      store_spread(T{}, place, p, k, b);
    } else {
      for (int a = 0; a < 9; ++a) c[a / 3][a % 3].store_unaligned(b.gathered[3 + a] + k);
    }
    limits.speed2 = max(limits.speed2, dot(v, v));
    limits.stiffest = max(limits.stiffest, modulus * r.c[13] * Quick<Pack>::reciprocal(r.c[14]));
  }
  in_all = limits;
}

/// A slab of cells: those of a tile with one place along x.
template <class T>
PHYXEL_INLINE Places places_in_slab(const std::uint16_t* start, Index x) {
  constexpr Index cells = T::cells * T::cells;
  return {start[x * cells], start[(x + 1) * cells]};
}

/// Velocities and their gradients at the particles of a slab, which are in the order of cells.
template <class T>
void gather_slab(const Row16* rows, const std::uint16_t* start, Index x, Buffers& b) {
  for (Index y = 0, cell = x * T::cells * T::cells; y < T::cells; ++y)
    for (Index z = 0; z < T::cells; ++z, ++cell) {
      const Real node[3] = {Real(x - 1), Real(y - 1), Real(z - 1)};
      const Quad* const at = b.tile + tile_place(x, y, z);
      for (Index k = start[cell]; k < start[cell + 1]; k += 8) {
        Row8 offset[3];
        load_threes([&](Index l) { return rows[b.at[k + l]].c; }, offset);
        for (int a = 0; a < 3; ++a) offset[a] -= node[a];
        T::gather(at, b.tile_before + tile_place(x, y, z), offset,
                  [&](int q, const Row8& sum) { store_loose(sum, b.gathered[q] + k); });
      }
    }
  // Lanes that are left over in the last pack count for the limits of the step: they repeat the
  // last particle, as its row is repeated.
  const Index count = start[T::cells * T::cells * T::cells];
  if (start[(x + 1) * T::cells * T::cells] == count)
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
          sums.add(pass, b.spread + T::rows * b.place[k], b.weight[0] + b.place[k]);
        sums.flush(tile + tile_place(x, y, z));
      }
}

}  // namespace phyxel::mpm
