#pragma once

#include <bit>

#include "phyxel/core/exec.h"

namespace phyxel {

struct PointField;  // field.h

/// Values of a field at the nodes of a grid, kept in blocks of 8 x 8 x 8 nodes where points have an
/// effect; everywhere else the field is negative. Node i lies at i * cell.
struct SparseField {
  static constexpr Index edge = 8, nodes = edge * edge * edge;

  Real cell = 0;       // m, between nodes
  Real outside = 0;    // value where there is no block
  Column<Int3> block;  // coordinates of the blocks in row-major order, x fastest
  Column<Real> value;  // nodes of the first block, of the second, ...; x fastest
  Index blocks() const { return static_cast<Index>(block.size()); }

  /// The block at these coordinates, or -1.
  Index find(const Int3& at) const;
};

/// Coordinates of the blocks of a box as one number, in row-major order, x fastest, with no more
/// bits than needed.
struct BlockKeys {
  Int3 low;
  int bits[3];

  BlockKeys(const Int3& first, const Int3& last) : low(first) {
    for (int k = 0; k < 3; ++k)
      bits[k] = std::bit_width(static_cast<std::uint64_t>(std::int64_t{last[k]} - first[k]));
  }
  int all_bits() const { return bits[0] + bits[1] + bits[2]; }
  std::uint64_t key(const Int3& block) const {
    std::uint64_t key = 0;
    for (int k = 2; k >= 0; --k)
      key = key << bits[k] | static_cast<std::uint64_t>(std::int64_t{block[k]} - low[k]);
    return key;
  }
  Int3 block(std::uint64_t key) const {
    Int3 found;
    for (int k = 0; k < 3; key >>= bits[k], ++k)
      found[k] = low[k] + static_cast<Index>(key & ((std::uint64_t{1} << bits[k]) - 1));
    return found;
  }
};

/// Fills `grid` and reuses its memory. Throws InputError where it would have too many nodes.
void sample_field(const Exec& exec, const PointField& field, Real cell, SparseField& grid);

/// Fills the values of all blocks: each block gathers the points within reach, and each of those
/// adds to the rows of nodes that it reaches.
void scatter_points(const Exec& exec, const PointField& field, SparseField& grid);

}  // namespace phyxel
