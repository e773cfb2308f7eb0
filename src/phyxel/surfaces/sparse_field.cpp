#include "phyxel/surfaces/sparse_field.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/scatter.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;
constexpr Index half_range = 1 << 20;  // blocks from the origin along an axis: 21 bits each

std::uint64_t key_of(const Int3& block) {
  return static_cast<std::uint64_t>(block[2] + half_range) << 42 |
         static_cast<std::uint64_t>(block[1] + half_range) << 21 |
         static_cast<std::uint64_t>(block[0] + half_range);
}
Int3 block_of(std::uint64_t key) {
  constexpr std::uint64_t mask = (1 << 21) - 1;
  return {static_cast<Index>(key & mask) - half_range,
          static_cast<Index>(key >> 21 & mask) - half_range,
          static_cast<Index>(key >> 42) - half_range};
}

struct BlockRange {
  Int3 low, high;
};

/// Blocks with nodes that points of a cell of the table may reach, and with the nodes before those:
/// an edge of the grid belongs to its lower node.
BlockRange blocks_around(const PointField& field, const Int3& cell, double block_edge) {
  BlockRange range;
  for (int k = 0; k < 3; ++k) {
    const double begin = cell[k] * double(field.support), end = begin + field.support;
    const double before = field.support + block_edge / E;
    range.low[k] = static_cast<Index>(std::floor((begin - before) / block_edge));
    range.high[k] = static_cast<Index>(std::floor((end + field.support) / block_edge));
  }
  return range;
}

void check_extent(const PointField& field, double block_edge) {
  double far = 0;
  for (const Column<Real>* column : {&field.x, &field.y, &field.z})
    for (Index k = 0; k < field.size(); ++k) far = std::max(far, std::abs(double((*column)[k])));
  if ((far + 2 * field.support) / block_edge < half_range - 2) return;
  throw InputError(
      fmt::format("cell = {}: a point lies {:.3g} m from the origin, more than {} cells; take larger cells or "
                  "move the points nearer",
                  block_edge / E, far, half_range * E));
}

/// Keys of the blocks that some point may reach, sorted, each once. Cells of one row of the table
/// follow each other, so that most repetitions are dropped at once.
Column<std::uint64_t> reached_blocks(const Exec& exec, const PointField& field, double block_edge) {
  Column<std::uint64_t> keys;
  const CellTableView t = field.cells.view();
  for (Index row = 0; row < t.rows; ++row) {
    Index done = -half_range;  // blocks up to here are listed already in this row
    for (Index c = t.row_start[row]; c < t.row_start[row + 1]; ++c) {
      const BlockRange r =
          blocks_around(field, {t.x[c], t.yz[row][0], t.yz[row][1]}, block_edge);
      for (Index z = r.low[2]; z <= r.high[2]; ++z)
        for (Index y = r.low[1]; y <= r.high[1]; ++y)
          for (Index x = std::max(r.low[0], done + 1); x <= r.high[0]; ++x)
            keys.push_back(key_of({x, y, z}));
      done = std::max(done, r.high[0]);
    }
  }
  Column<Index> unused(keys.size());
  SortScratch scratch;
  sort_pairs(exec, "surface.block_keys", keys, unused, 63, scratch);
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

SparseField sample_field(const Exec& exec, const PointField& field, Real cell) {
  if (!(cell > 0) || !std::isfinite(cell))
    throw InputError(fmt::format("cell = {}: must be above 0 m", cell));
  const double block_edge = double(cell) * E;
  check_extent(field, block_edge);
  SparseField grid;
  grid.cell = cell;
  const Column<std::uint64_t> keys = reached_blocks(exec, field, block_edge);
  if (keys.size() > std::size_t(1) << 22)
    throw InputError(fmt::format("cell = {}: the grid would have {:.3g} nodes; take larger cells",
                                 cell, double(keys.size()) * SparseField::nodes));
  for (const std::uint64_t key : keys) grid.block.push_back(block_of(key));
  grid.value.resize(grid.block.size() * SparseField::nodes);
  scatter_points(exec, field, grid);
  return grid;
}

}  // namespace phyxel
