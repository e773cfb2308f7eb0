#pragma once

#include <algorithm>
#include <cmath>

#include "phyxel/neighbours/cell_table.h"

namespace phyxel {

/// Finds a row of a CellTable in constant time where rows are dense enough for a table of their
/// coordinates; a picture needs millions of lookups.
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

/// Cells whose rows are found quickly.
struct IndexedCells {
  CellTable cells;
  RowIndex rows;
};
inline IndexedCells index_cells(const Exec& exec, const Column<Vec3>& x, Real edge) {
  IndexedCells indexed;
  build_cells(exec, x, edge, {}, indexed.cells);
  build_row_index(indexed.cells, indexed.rows);
  return indexed;
}

/// Points in the order of cells.
struct SortedPoints : IndexedCells {
  Column<Real> x, y, z;  // m; a few more than points, so that packs may read beyond the last
  Index size() const { return static_cast<Index>(cells.order.size()); }
  Vec3 place(Index k) const { return {x[k], y[k], z[k]}; }
};
/// Indexes and fills the cells, which have been built. `name`: of the loop.
void fill_cells(const Exec& exec, const char* name, const Column<Vec3>& x, SortedPoints& points);

/// First cell of a row with a coordinate of at least x: in constant time in a row without gaps.
inline Index first_cell_near(const CellTableView& cells, Index row, Index x) {
  const Index begin = cells.row_start[row], end = cells.row_start[row + 1];
  const std::int64_t ahead = std::int64_t{x} - cells.x[begin];
  if (ahead <= 0) return begin;
  // Coordinates rise by at least 1 from cell to cell, so that it cannot come later than this.
  const Index last = ahead < end - begin ? begin + static_cast<Index>(ahead) : end;
  if (last < end && cells.x[last] == x) return last;
  return first_cell(cells, begin, last, x);
}

/// A position among cells of equal width, in edges of a cell.
struct PlaceInCells {
  double at[3];
  Int3 cell;
  bool is_far = false;  // where cells grow wider: `at` is not valid
};
inline PlaceInCells place_in_cells(const CellGrid& grid, const Vec3& x) {
  PlaceInCells p;
  p.cell = cell_of(grid, x);
  for (int k = 0; k < 3; ++k) {
    p.at[k] = (x[k] - grid.origin[k]) * grid.inverse_edge[k];
    p.is_far |= !(std::abs(p.at[k]) < linear_cells - 8);
  }
  return p;
}

/// Distance of a position from cell c along an axis, in edges.
inline double gap(double at, Index c) {
  return std::max({0.0, c - at, at - c - 1});
}

/// visit(first, last) for runs of points that contain all points within `reach` (m) of x; they are
/// at most `width` cells away.
template <class Visit>
void visit_runs(const IndexedCells& indexed, const Vec3& x, Real reach, Index width,
                const Visit& visit) {
  const CellTableView view = indexed.cells.view();
  const CellGrid& grid = indexed.cells.grid;
  const PlaceInCells p = place_in_cells(grid, x);
  const double edges = double(reach) * (1 + 1e-6) * grid.inverse_edge[0];
  for (Index z = p.cell[2] - width; z <= p.cell[2] + width; ++z)
    for (Index y = p.cell[1] - width; y <= p.cell[1] + width; ++y) {
      Index from = p.cell[0] - width, to = p.cell[0] + width;
      // Of three cells nearly all are within reach: the test would cost more than their points.
      if (width > 1 && !p.is_far) {
        const double dy = gap(p.at[1], y), dz = gap(p.at[2], z);
        const double left = edges * edges - dy * dy - dz * dz;
        if (left < 0) continue;
        const double half = std::sqrt(left);
        from = std::max(from, static_cast<Index>(std::floor(p.at[0] - half)));
        to = std::min(to, static_cast<Index>(std::floor(p.at[0] + half)));
      }
      const Index row = indexed.rows.find(view, y, z);
      if (row < 0) continue;
      Index cursor = first_cell_near(view, row, from);
      const PlaceRange places = find_places(view, row, from, to, cursor);
      if (places.first < places.last) visit(places.first, places.last);
    }
}

}  // namespace phyxel
