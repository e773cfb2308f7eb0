#include "phyxel/surfaces/sparse_field.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/field.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;

/// Blocks along one axis.
struct AxisRange {
  Index low, high;
};

/// Blocks with nodes that points of a cell of the table may reach, along one axis, and with the
/// nodes before those: an edge of the grid belongs to its lower node.
AxisRange blocks_around(const PointField& field, Index cell, double block_edge) {
  const double edge = field.cells.edge, begin = cell * edge, over_edge = 1 / block_edge;
  const double before = begin - field.support - block_edge / E;
  return {static_cast<Index>(std::floor(before * over_edge)),
          static_cast<Index>(std::floor((begin + edge + field.support) * over_edge))};
}

BlockKeys keys_around_all(const PointField& field, double block_edge) {
  const CellTableView t = field.cells.view();
  Int3 low = {t.x[0], t.yz[0][0], t.yz[0][1]}, high = low;
  for (Index r = 0; r < t.rows; ++r)
    for (Index c = t.row_start[r]; c < t.row_start[r + 1]; ++c) {
      const Int3 cell = {t.x[c], t.yz[r][0], t.yz[r][1]};
      low = min(low, cell), high = max(high, cell);
    }
  for (int k = 0; k < 3; ++k) {
    low[k] = blocks_around(field, low[k], block_edge).low;
    high[k] = blocks_around(field, high[k], block_edge).high;
  }
  return {low, high};
}

/// Nodes must fit into whole numbers, with room for neighbours.
void check_extent(const PointField& field, Real cell) {
  const CellTableView t = field.cells.view();
  double far = 0;
  for (Index c = 0; c < t.cells; ++c) far = std::max(far, std::abs(double(t.x[c])));
  for (Index r = 0; r < t.rows; ++r)
    for (int k = 0; k < 2; ++k) far = std::max(far, std::abs(double(t.yz[r][k])));
  far = (far + 3) * field.cells.edge;
  if (far / cell < 1e9) return;
  throw InputError(fmt::format(
      "cell = {}: a point lies {:.3g} m from the origin, more than 1e9 cells; take larger "
      "cells or move the points nearer",
      cell, far));
}

/// Keys of the blocks that some point may reach, sorted, each once. Cells of one row of the table
/// follow each other, so that most repetitions are dropped at once.
Column<std::uint64_t> reached_blocks(const Exec& exec, const PointField& field, double block_edge,
                                     const BlockKeys& packing) {
  Column<std::uint64_t> keys;
  const CellTableView t = field.cells.view();
  for (Index row = 0; row < t.rows; ++row) {
    const AxisRange ys = blocks_around(field, t.yz[row][0], block_edge);
    const AxisRange zs = blocks_around(field, t.yz[row][1], block_edge);
    Index done = packing.low[0] - 1;  // blocks up to here are listed already for this row
    for (Index c = t.row_start[row]; c < t.row_start[row + 1]; ++c) {
      const AxisRange xs = blocks_around(field, t.x[c], block_edge);
      for (Index x = std::max(xs.low, done + 1); x <= xs.high; ++x)
        for (Index z = zs.low; z <= zs.high; ++z)
          for (Index y = ys.low; y <= ys.high; ++y) keys.push_back(packing.key({x, y, z}));
      done = std::max(done, xs.high);
    }
  }
  Column<Index> unused(keys.size());
  SortScratch scratch;
  sort_pairs(exec, "surface.block_keys", keys, unused, packing.all_bits(), scratch);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

Index SparseField::find(const Int3& at) const {
  const auto before = [](const Int3& a, const Int3& b) {
    return a[2] != b[2] ? a[2] < b[2] : a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
  };
  const auto found = std::lower_bound(block.begin(), block.end(), at, before);
  return found != block.end() && *found == at ? static_cast<Index>(found - block.begin()) : -1;
}

void sample_field(const Exec& exec, const PointField& field, Real cell, SparseField& grid) {
  if (!(cell > 0) || !std::isfinite(cell))
    throw InputError(fmt::format("cell = {}: must be above 0 m", cell));
  if (cell > 4 * field.support)
    throw InputError(
        fmt::format("cell = {}: the points reach only {:.3g} m, so that most would fall between "
                    "the nodes; take at "
                    "most {:.3g}",
                    cell, field.support, 4 * field.support));
  const TimerScope scope(exec.timers, "surface.blocks");
  grid.cell = cell;
  grid.block.clear();
  grid.value.clear();
  if (field.size() == 0) return;
  check_extent(field, cell);
  const double block_edge = double(cell) * E;
  const BlockKeys packing = keys_around_all(field, block_edge);
  if (packing.all_bits() > 63)
    throw InputError(fmt::format(
        "cell = {}: the points spread over too many cells; take larger cells or fewer points",
        cell));
  const Column<std::uint64_t> keys = reached_blocks(exec, field, block_edge, packing);
  if (keys.size() > std::size_t(1) << 22)
    throw InputError(fmt::format("cell = {}: the grid would have {:.3g} nodes; take larger cells",
                                 cell, double(keys.size()) * SparseField::nodes));
  grid.block.resize(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) grid.block[k] = packing.block(keys[k]);
  grid.value.resize(grid.block.size() * SparseField::nodes);
  scatter_points(exec, field, grid);
}

}  // namespace phyxel
