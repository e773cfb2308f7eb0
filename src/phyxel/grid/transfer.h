#pragma once

#include "phyxel/core/pack_rows.h"
#include "phyxel/grid/blocks.h"
#include "phyxel/grid/bspline.h"

// Grid to particles and particles to grid on a tile, cell by cell. Rows are the compiler's own
// vectors: no intrinsics, and the same results on every processor that rounds alike.
//
// The numbers of the nodes along z are the lanes. Grid to particles sums the nodes of a particle
// along y and x, then the remaining lines along z of a pack of particles together. Particles to
// grid keeps the sums of a cell in registers until its last particle.

namespace phyxel::grid {

using Row16Lanes = TwoRows8;

/// Particles that go through both transfers together: all that is kept of them in between stays in
/// the nearest cache.
constexpr Index batch = 64;
/// Room for a batch, and for lanes that are left over.
constexpr Index batch_room = batch + 16;

PHYXEL_INLINE constexpr Index tile_place(Index x, Index y, Index z) {
  return (x * tile_edge + y) * tile_edge + z;
}

/// A cell of a tile: the first of its particles' nodes, and the node at its place, from that of the
/// block.
struct TileCell {
  std::int16_t nodes;
  std::int8_t node[3];
};
template <class T>
constexpr auto make_tile_cells() {
  std::array<TileCell, std::size_t(T::cells * T::cells * T::cells)> cells{};
  for (Index c = 0; c < static_cast<Index>(cells.size()); ++c) {
    const Index x = c / (T::cells * T::cells), y = c / T::cells % T::cells, z = c % T::cells;
    cells[c].nodes = static_cast<std::int16_t>(tile_place(x, y, z));
    const Index node[3] = {x - 1, y - 1, z - 1};
    for (int k = 0; k < 3; ++k) cells[c].node[k] = static_cast<std::int8_t>(node[k]);
  }
  return cells;
}
/// In the order of cells.
template <class T>
inline constexpr auto tile_cells = make_tile_cells<T>();

/// Where particles are in their cells.
template <class T>
struct CellPlace {
  Pack offset[3];  // from the reference node, in cells
  Pack number;     // of the cell, a whole number
  Pack node;       // the first of the particle's nodes, as a place in the tile

  explicit CellPlace(const Vec3Pack& x) {
    Pack along[3];
    for (int k = 0; k < 3; ++k) {
      const Pack nearest = floor(x[k] + Pack(T::middle));
      offset[k] = x[k] - nearest;
      along[k] = min(max(nearest + Pack(Real(1)), Pack(Real(0))), Pack(Real(T::cells - 1)));
    }
    const auto place = [&](Real edge) {
      return (along[0] * Pack(edge) + along[1]) * Pack(edge) + along[2];
    };
    number = place(Real(T::cells));
    node = place(Real(tile_edge));
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

/// keep(q, sums of x), keep(q + stride, sums of y), ... over lines along z.
template <int N, class Keep>
PHYXEL_INLINE void keep_sums(const QuadLines<N>& lines, const Pack (&by)[N], int q, int stride,
                             const Keep& keep) {
  Pack sum[3];
  lines.sum(by, sum);
  for (int c = 0; c < 3; ++c) keep(q + stride * c, sum[c]);
}

/// Quadratic splines with affine velocities (APIC; Jiang et al. 2015, Hu et al. 2018).
struct Quadratic {
  static constexpr int nodes = 3;    // along an axis
  static constexpr Index cells = 6;  // of a tile along an axis: those around nodes -1 to 4
  static constexpr Real lowest = Real(-1.5),
                        highest = Real(4.5);  // where particles may be in a tile
  static constexpr Real middle = Real(0.5);   // of the reference point in a cell: its node

  /// Sums of v and of v d^T, where d is the node from the middle one.
  static constexpr int sums = 12;
  /// What particles to grid needs of a particle: rows of numbers, and weights.
  static constexpr int rows = 1, weights = 9;
  /// Tiles of a chunk: momentum and mass; forces are in the momentum.
  static constexpr int passes = 1;

  /// keep(q, pack) takes sum q of the particles at `place`.
  template <class Keep>
  PHYXEL_INLINE static void grid_to_particles(const Quad* tile, const Quad*,
                                              const CellPlace<Quadratic>& place, const Keep& keep) {
    const Vec3Pack x = quadratic_weights(place.offset[0]), y = quadratic_weights(place.offset[1]),
                   z = quadratic_weights(place.offset[2]);
    alignas(64) Real w[2][3][lanes];
    alignas(64) Index node[lanes];
    for (int q = 0; q < 3; ++q) x[q].store_aligned(w[0][q]), y[q].store_aligned(w[1][q]);
    store_whole(place.node, node);
    alignas(64) Row16 value[lanes], along_x[lanes], along_y[lanes];
    for (Index l = 0; l < lanes; ++l) {
      const auto weight = [&](int axis, int q) { return w[axis][q][l]; };
      const Quad* const first = tile + node[l];
      Row16Lanes plane[3], plane_y[3];
      for (int q = 0; q < 3; ++q) {
        const auto line = [&](int r) { return load_loose<TwoRows8>(first[tile_place(q, r, 0)].c); };
        const Row16Lanes low = apart(weight(1, 0) * line(0)), high = apart(weight(1, 2) * line(2));
        plane[q] = weight(1, 1) * line(1) + (low + high);
        plane_y[q] = high - low;
      }
      const Row16Lanes low = apart(weight(0, 0) * plane[0]), high = apart(weight(0, 2) * plane[2]);
      store_loose(weight(0, 1) * plane[1] + (low + high), value[l].c);
      store_loose(high - low, along_x[l].c);
      store_loose(weight(0, 0) * plane_y[0] + weight(0, 1) * plane_y[1] + weight(0, 2) * plane_y[2],
                  along_y[l].c);
    }
    const Pack by_weight[3] = {z[0], z[1], z[2]}, by_step[3] = {-z[0], Pack(Real(0)), z[2]};
    const QuadLines<3> values(value);
    keep_sums(values, by_weight, 0, 1, keep);
    keep_sums(QuadLines<3>(along_x), by_weight, 3, 3, keep);
    keep_sums(QuadLines<3>(along_y), by_weight, 4, 3, keep);
    keep_sums(values, by_step, 5, 3, keep);
  }

  /// Sums of a cell: for each of nine lines along z the numbers of three nodes, and zeros.
  struct Sums {
    Row16Lanes line[9];

    PHYXEL_INLINE void clear() {
      for (Row16Lanes& l : line) l = Row16Lanes{};
    }
    /// Numbers of the particle: momentum and mass at the middle node, how momentum changes along
    /// x, y and z, each with a weight along z behind it. Its weights: nine products along x and y.
    PHYXEL_INLINE void add(int, const Row16* row, const Real* weight) {
      const Real* const p = row->c;
      const auto w = [&](int q) { return weight[q * batch_room]; };
      const Row16Lanes wz = fourths_four_times(p);
      constexpr Row16Lanes step = {-1, -1, -1, -1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0};
      const Row16Lanes base = wz * (four_times(p) + threes_four_times(p + 12) * step);
      const Row16Lanes dx = apart(wz * threes_four_times(p + 4)),
                       dy = apart(wz * threes_four_times(p + 8));
      const Row16Lanes low = base - dx, high = base + dx;
      line[0] += w(0) * (low - dy);
      line[1] += w(1) * low;
      line[2] += w(2) * (low + dy);
      line[3] += w(3) * (base - dy);
      line[4] += w(4) * base;
      line[5] += w(5) * (base + dy);
      line[6] += w(6) * (high - dy);
      line[7] += w(7) * high;
      line[8] += w(8) * (high + dy);
    }
    PHYXEL_INLINE void flush(Quad* at) const {
      for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y) {
          Real* const to = at[tile_place(x, y, 0)].c;
          store_loose(load_loose<TwoRows8>(to) + line[3 * x + y], to);
        }
    }
  };
};

/// Cubic splines, with a blend of PIC and FLIP (Stomakhin et al. 2013).
struct Cubic {
  static constexpr int nodes = 4;
  static constexpr Index cells = 5;  // those that begin at nodes -1 to 3
  static constexpr Real lowest = -1, highest = 4;
  static constexpr Real middle = 0;

  /// Sums of v, of v times the slope of the weights, and of the change of v in the step.
  static constexpr int sums = 15;
  static constexpr int rows = 2, weights = 16;
  /// Momentum and mass in one tile, impulses of the stress in another: FLIP must tell them apart.
  static constexpr int passes = 2;

  /// The same; `before`: the tile without the forces of the step.
  template <class Keep>
  PHYXEL_INLINE static void grid_to_particles(const Quad* tile, const Quad* before,
                                              const CellPlace<Cubic>& place, const Keep& keep) {
    const CubicWeights<Pack> x = cubic_weights(place.offset[0]), y = cubic_weights(place.offset[1]),
                             z = cubic_weights(place.offset[2]);
    alignas(64) Real w[2][4][lanes], d[2][4][lanes];
    alignas(64) Index node[lanes];
    for (int q = 0; q < 4; ++q) {
      x.value[q].store_aligned(w[0][q]), x.slope[q].store_aligned(d[0][q]);
      y.value[q].store_aligned(w[1][q]), y.slope[q].store_aligned(d[1][q]);
    }
    store_whole(place.node, node);
    alignas(64) Row16 value[lanes], along_x[lanes], along_y[lanes], change[lanes];
    for (Index l = 0; l < lanes; ++l) {
      Row16Lanes sum{}, sum_x{}, sum_y{}, sum_change{};
      for (int q = 0; q < 4; ++q) {
        Row16Lanes plane{}, plane_y{}, plane_change{};
        for (int r = 0; r < 4; ++r) {
          const Index at = node[l] + tile_place(q, r, 0);
          const Row16Lanes line = load_loose<TwoRows8>(tile[at].c),
                           line_change = line - load_loose<TwoRows8>(before[at].c);
          plane += w[1][r][l] * line;
          plane_y += d[1][r][l] * line;
          plane_change += w[1][r][l] * line_change;
        }
        sum += w[0][q][l] * plane;
        sum_x += d[0][q][l] * plane;
        sum_y += w[0][q][l] * plane_y;
        sum_change += w[0][q][l] * plane_change;
      }
      store_loose(sum, value[l].c);
      store_loose(sum_x, along_x[l].c);
      store_loose(sum_y, along_y[l].c);
      store_loose(sum_change, change[l].c);
    }
    const Pack by_weight[4] = {z.value[0], z.value[1], z.value[2], z.value[3]},
               by_slope[4] = {z.slope[0], z.slope[1], z.slope[2], z.slope[3]};
    const QuadLines<4> values(value);
    keep_sums(values, by_weight, 0, 1, keep);
    keep_sums(QuadLines<4>(along_x), by_weight, 3, 3, keep);
    keep_sums(QuadLines<4>(along_y), by_weight, 4, 3, keep);
    keep_sums(values, by_slope, 5, 3, keep);
    keep_sums(QuadLines<4>(change), by_weight, 12, 1, keep);
  }

  /// Sums of a cell: for each of 16 lines along z the numbers of four nodes.
  struct Sums {
    Row16Lanes line[16];

    PHYXEL_INLINE void clear() {
      for (Row16Lanes& l : line) l = Row16Lanes{};
    }
    /// Numbers of the particle: momentum and mass, impulse along x, y and z; weights along z and
    /// their slopes. Its weights: along x, their slopes, the same along y.
    PHYXEL_INLINE void add(int pass, const Row16* row, const Real* weight) {
      const Real* const p = row[0].c;
      const auto w = [&](int q) { return weight[q * batch_room]; };
      const Row16Lanes wz = each_four_times(row[1].c);
      if (pass == 0) {
        const Row16Lanes momentum = wz * four_times(p);
        for (int x = 0; x < 4; ++x) {
          const Row16Lanes part = momentum * w(x);
          for (int y = 0; y < 4; ++y) line[4 * x + y] += part * w(8 + y);
        }
        return;
      }
      const Row16Lanes along_x = wz * four_times(p + 4), along_y = wz * four_times(p + 8),
                       along_z = each_four_times(row[1].c + 4) * four_times(p + 12);
      for (int y = 0; y < 4; ++y) {
        const Row16Lanes across = along_z * w(8 + y) + along_y * w(12 + y),
                         along = along_x * w(8 + y);
        for (int x = 0; x < 4; ++x) line[4 * x + y] += across * w(x) + along * w(4 + x);
      }
    }
    PHYXEL_INLINE void flush(Quad* at) const {
      for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y) {
          Real* const to = at[tile_place(x, y, 0)].c;
          store_loose(load_loose<TwoRows8>(to) + line[4 * x + y], to);
        }
    }
  };
};

}  // namespace phyxel::grid
