#pragma once

#include "phyxel/neighbours/cell_sort.h"

namespace phyxel {

/// Places [first, last) in the order of the cells.
struct PlaceRange {
  Index first, last;
};

/// Non-owning view of a CellTable, for kernels.
struct CellTableView {
  CellGrid grid;
  const Index* start;
  const Index* x;
  const Index* row_start;
  const Vec<Index, 2>* yz;
  Index cells, rows;
};

inline namespace PHYXEL_BACKEND {

/// The occupied cells in row-major order, so that memory grows with the number of particles and not
/// with the extent of the domain: rows of equal (y, z), in each the cells, in each the particles.
struct CellTable {
  CellGrid grid;
  Real edge = 0;  // m, of the cells
  PeriodicBox box;
  Column<Index> order;       // particle of each place
  Column<Index> start;       // first place of each cell, and one past the last
  Column<Index> x;           // coordinate of each cell
  Column<Index> row_start;   // first cell of each row, and one past the last
  Column<Vec<Index, 2>> yz;  // coordinates of each row

  CellSort sort;  // kept: a rebuild of the same size allocates nothing
  Column<Int3> sorted_cell;
  Column<Index> number;

  Index cells() const { return static_cast<Index>(x.size()); }
  Index rows() const { return static_cast<Index>(yz.size()); }
  CellTableView view() const {
    return {grid, start.data(), x.data(), row_start.data(), yz.data(), cells(), rows()};
  }
};

/// Cells of edge `cell` with the particles at x in them; see cell_order.
void build_cells(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                 CellTable& table);

/// Puts the particles of each cell in the order of their ids.
void order_cells_by_id(const Exec& exec, const Column<ParticleId>& id, CellTable& table);

}  // namespace PHYXEL_BACKEND

PHYXEL_FN bool before(const Vec<Index, 2>& a, const Vec<Index, 2>& b) {
  return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

/// The row at (y, z), or -1 when it holds no particle.
PHYXEL_FN Index find_row(const CellTableView& table, Index y, Index z) {
  const Vec<Index, 2> yz{y, z};
  Index first = 0, last = table.rows;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (before(table.yz[middle], yz))
      first = middle + 1;
    else
      last = middle;
  }
  return first < table.rows && table.yz[first] == yz ? first : -1;
}

/// First of the cells first .. last - 1 of a row with a coordinate of at least x; else `last`.
PHYXEL_FN Index first_cell(const CellTableView& table, Index first, Index last, Index x) {
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (table.x[middle] < x)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}
/// Of a whole row.
PHYXEL_FN Index first_cell(const CellTableView& table, Index row, Index x) {
  return first_cell(table, table.row_start[row], table.row_start[row + 1], x);
}

/// Places of the particles in cells from_x to to_x of a row. The search begins at the cell `cursor`
/// of the row, and moves it to the first one found: the next search nearby takes no time.
PHYXEL_FN PlaceRange find_places(const CellTableView& table, Index row, Index from_x, Index to_x,
                                 Index& cursor) {
  const Index begin = table.row_start[row], end = table.row_start[row + 1];
  while (cursor > begin && table.x[cursor - 1] >= from_x) --cursor;
  while (cursor < end && table.x[cursor] < from_x) ++cursor;
  Index last = cursor;
  while (last < end && table.x[last] <= to_x) ++last;
  return {table.start[cursor], table.start[last]};
}

/// The coordinates of c and the cells beside it along one axis, up to three, each once.
struct Touching {
  Index at[3];
  int count;
};
PHYXEL_FN Touching touching(Index c, Index periodic_count) {
  if (periodic_count == 0) return {{c - 1, c, c + 1}, 3};
  if (periodic_count == 1) return {{0, 0, 0}, 1};
  if (periodic_count == 2) return {{0, 1, 1}, 2};
  return {{(c + periodic_count - 1) % periodic_count, c, (c + 1) % periodic_count}, 3};
}

/// Rows of cells around a row, each with the cell where its last search ended.
struct TouchingRows {
  Index at[9];
  Index cursor[9];
  int count;
};
PHYXEL_FN TouchingRows touching_rows(const CellTableView& t, Index row, Index x) {
  TouchingRows found;
  found.count = 0;
  const Touching ys = touching(t.yz[row][0], t.grid.count[1]);
  const Touching zs = touching(t.yz[row][1], t.grid.count[2]);
  for (int a = 0; a < zs.count; ++a)
    for (int b = 0; b < ys.count; ++b) {
      const Index r = find_row(t, ys.at[b], zs.at[a]);
      if (r < 0) continue;
      found.at[found.count] = r;
      found.cursor[found.count++] = first_cell(t, r, x - 1);
    }
  return found;
}

/// visit(places) for the runs of places in the cells that touch a cell, in a fixed order.
template <class Visit>
PHYXEL_FN void visit_places(const CellTableView& t, TouchingRows& rows, Index x,
                            const Visit& visit) {
  const Touching xs = touching(x, t.grid.count[0]);
  for (int r = 0; r < rows.count; ++r)
    for (int a = 0; a < xs.count;) {
      int b = a;
      while (b + 1 < xs.count && xs.at[b + 1] == xs.at[b] + 1) ++b;
      visit(find_places(t, rows.at[r], xs.at[a], xs.at[b], rows.cursor[r]));
      a = b + 1;
    }
}

/// True when a particle near this cell may be nearer as a periodic copy across the boundary.
PHYXEL_FN bool at_boundary(const CellGrid& grid, const Int3& cell) {
  for (int k = 0; k < 3; ++k) {
    const Index n = grid.count[k];
    if (n > 0 && (cell[k] == 0 || cell[k] == n - 1)) return true;
  }
  return false;
}

}  // namespace phyxel
