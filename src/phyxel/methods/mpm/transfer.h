#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/methods/mpm/blocks.h"

// From the nodes of a tile to particles and back, cell by cell. Rows are the compiler's own
// vectors: no intrinsics, and the same results on every processor that rounds alike.
//
// Gathering, eight particles of one cell are the lanes, and a node is a number for all of them.
// Each axis is summed in turn. Spreading, the numbers of the nodes along z are the lanes; the sums
// of a cell stay in registers until its last particle.

namespace phyxel::mpm {

using Row16Lanes = TwoRows8;

/// Particles that are gathered, moved and spread together: all that is kept of them on the way
/// stays in the nearest cache.
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

/// Quadratic splines with affine velocities (APIC; Jiang et al. 2015, Hu et al. 2018).
struct Quadratic {
  static constexpr int nodes = 3;    // along an axis
  static constexpr Index cells = 6;  // of a tile along an axis: those around nodes -1 to 4
  static constexpr Real lowest = Real(-1.5),
                        highest = Real(4.5);  // where particles may be in a tile
  static constexpr Real middle = Real(0.5);   // of the reference point in a cell: its node

  /// Sums of v and of v d^T, where d is the node from the middle one.
  static constexpr int gathered = 12;
  /// What spreading needs of a particle: rows of numbers, and weights.
  static constexpr int rows = 1, weights = 9;
  /// Tiles of a chunk: momentum and mass; forces are in the momentum.
  static constexpr int passes = 1;

  /// `at` is the first of the particle's nodes, offsets are from the middle one. keep(q, row) takes
  /// sum q.
  template <class Keep>
  PHYXEL_INLINE static void gather(const Quad* at, const Quad*, const Row8 (&offset)[3],
                                   const Keep& keep) {
    Row8 w[3][3];
    for (int k = 0; k < 3; ++k) {
      const Row8 a = Real(0.5) - offset[k], b = Real(0.5) + offset[k];
      w[k][0] = Real(0.5) * a * a;
      w[k][1] = Real(0.75) - offset[k] * offset[k];
      w[k][2] = Real(0.5) * b * b;
    }
    for (int c = 0; c < 3; ++c) {
      Row8 plane[3], plane_y[3], plane_z[3];
      for (int x = 0; x < 3; ++x) {
        Row8 line[3], line_z[3];
        for (int y = 0; y < 3; ++y) {
          const Quad* const q = at + tile_place(x, y, 0);
          const Row8 low = apart(w[2][0] * q[0].c[c]), high = apart(w[2][2] * q[2].c[c]);
          line[y] = w[2][1] * q[1].c[c] + (low + high);
          line_z[y] = high - low;
        }
        const Row8 low = apart(w[1][0] * line[0]), high = apart(w[1][2] * line[2]);
        plane[x] = w[1][1] * line[1] + (low + high);
        plane_y[x] = high - low;
        plane_z[x] = w[1][0] * line_z[0] + w[1][1] * line_z[1] + w[1][2] * line_z[2];
      }
      const Row8 low = apart(w[0][0] * plane[0]), high = apart(w[0][2] * plane[2]);
      keep(c, w[0][1] * plane[1] + (low + high));
      keep(3 + 3 * c, high - low);
      keep(4 + 3 * c, w[0][0] * plane_y[0] + w[0][1] * plane_y[1] + w[0][2] * plane_y[2]);
      keep(5 + 3 * c, w[0][0] * plane_z[0] + w[0][1] * plane_z[1] + w[0][2] * plane_z[2]);
    }
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
          store_two_rows(load_two_rows(to) + line[3 * x + y], to);
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
  static constexpr int gathered = 15;
  static constexpr int rows = 2, weights = 16;
  /// Momentum and mass in one tile, impulses of the stress in another: FLIP must tell them apart.
  static constexpr int passes = 2;

  /// `at` and `before`: the first of the particle's nodes, now and without the forces of the step.
  template <class Keep>
  PHYXEL_INLINE static void gather(const Quad* at, const Quad* before, const Row8 (&offset)[3],
                                   const Keep& keep) {
    Row8 w[3][4], d[3][4];
    for (int k = 0; k < 3; ++k) {
      const Row8 f = offset[k], g = 1 - f;
      w[k][0] = g * g * g * Real(1.0 / 6);
      w[k][1] = (Real(0.5) * f - 1) * f * f + Real(2.0 / 3);
      w[k][2] = (Real(0.5) * g - 1) * g * g + Real(2.0 / 3);
      w[k][3] = f * f * f * Real(1.0 / 6);
      d[k][0] = Real(-0.5) * g * g;
      d[k][1] = (Real(1.5) * f - 2) * f;
      d[k][2] = (2 - Real(1.5) * g) * g;
      d[k][3] = Real(0.5) * f * f;
    }
    // All three components together: what a line needs stays in registers.
    Row8 sum[gathered] = {};
    for (int x = 0; x < 4; ++x) {
      Row8 plane[3] = {}, plane_y[3] = {}, plane_z[3] = {}, plane_old[3] = {};
      for (int y = 0; y < 4; ++y) {
        Row8 line[3] = {}, line_z[3] = {}, line_old[3] = {};
        for (int z = 0; z < 4; ++z) {
          const Index n = tile_place(x, y, z);
          for (int c = 0; c < 3; ++c) {
            line[c] += w[2][z] * at[n].c[c];
            line_z[c] += d[2][z] * at[n].c[c];
            line_old[c] += w[2][z] * before[n].c[c];
          }
        }
        for (int c = 0; c < 3; ++c) {
          plane[c] += w[1][y] * line[c];
          plane_y[c] += d[1][y] * line[c];
          plane_z[c] += w[1][y] * line_z[c];
          plane_old[c] += w[1][y] * line_old[c];
        }
      }
      for (int c = 0; c < 3; ++c) {
        sum[c] += w[0][x] * plane[c];
        sum[3 + 3 * c] += d[0][x] * plane[c];
        sum[4 + 3 * c] += w[0][x] * plane_y[c];
        sum[5 + 3 * c] += w[0][x] * plane_z[c];
        sum[12 + c] += w[0][x] * (plane[c] - plane_old[c]);
      }
    }
    for (int q = 0; q < gathered; ++q) keep(q, sum[q]);
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
          store_two_rows(load_two_rows(to) + line[4 * x + y], to);
        }
    }
  };
};

}  // namespace phyxel::mpm
