#pragma once

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

/// Fills `grid` and reuses its memory. Throws InputError where it would have too many nodes.
void sample_field(const Exec& exec, const PointField& field, Real cell, SparseField& grid);

}  // namespace phyxel
