#pragma once

#include <algorithm>

#include "phyxel/neighbours/cell_table.h"

namespace phyxel {

/// Finds a row of a CellTable at once where rows are dense enough for a table of their coordinates;
/// a picture asks millions of times.
struct RowIndex {
  Index low[2] = {0, 0};           // y, z of the first entry
  std::int64_t count[2] = {0, 0};  // entries along y and z; none: rows are searched for
  Column<Index> row;               // y fastest; -1 where there is none

  Index find(const CellTableView& cells, Index y, Index z) const {
    if (row.empty()) return find_row(cells, y, z);
    const std::int64_t j = std::int64_t{y} - low[0], k = std::int64_t{z} - low[1];
    if (j < 0 || j >= count[0] || k < 0 || k >= count[1]) return -1;
    return row[k * count[0] + j];
  }
};

inline void build_row_index(const CellTable& cells, RowIndex& index) {
  index.row.clear();
  if (cells.rows() == 0) return;
  Vec<Index, 2> low = cells.yz[0], high = low;
  for (const Vec<Index, 2>& yz : cells.yz)
    for (int k = 0; k < 2; ++k)
      low[k] = std::min(low[k], yz[k]), high[k] = std::max(high[k], yz[k]);
  for (int k = 0; k < 2; ++k)
    index.low[k] = low[k], index.count[k] = std::int64_t{high[k]} - low[k] + 1;
  const double entries = double(index.count[0]) * double(index.count[1]);
  if (entries > 64.0 * cells.rows() + 4096) return;
  index.row.assign(static_cast<std::size_t>(entries), -1);
  for (Index r = 0; r < cells.rows(); ++r)
    index.row[(cells.yz[r][1] - low[1]) * index.count[0] + cells.yz[r][0] - low[0]] = r;
}

/// First cell of a row with a coordinate of at least x: at once in a row without gaps.
inline Index first_cell_near(const CellTableView& cells, Index row, Index x) {
  const Index begin = cells.row_start[row], end = cells.row_start[row + 1];
  const std::int64_t ahead = std::int64_t{x} - cells.x[begin];
  if (ahead <= 0) return begin;
  // Coordinates rise by at least 1 from cell to cell, so that it cannot come later than this.
  Index last = ahead < end - begin ? begin + static_cast<Index>(ahead) : end;
  if (last < end && cells.x[last] == x) return last;
  Index first = begin;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (cells.x[middle] < x)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// visit(first, last) for the runs of points in the cells at most `width` from that of a place.
template <class Visit>
void visit_runs(const CellTable& cells, const RowIndex& rows, const Vec3& x, Index width,
                const Visit& visit) {
  const CellTableView view = cells.view();
  const Int3 cell = cell_of(cells.grid, x);
  for (Index z = cell[2] - width; z <= cell[2] + width; ++z)
    for (Index y = cell[1] - width; y <= cell[1] + width; ++y) {
      const Index row = rows.find(view, y, z);
      if (row < 0) continue;
      Index cursor = first_cell_near(view, row, cell[0] - width);
      const PlaceRange places = find_places(view, row, cell[0] - width, cell[0] + width, cursor);
      if (places.first < places.last) visit(places.first, places.last);
    }
}

}  // namespace phyxel
