#pragma once

#include <cstdint>

#include "phyxel/neighbours/cell_sort.h"

namespace phyxel {

/// The occupied cells in row-major order, so that memory follows the number of particles and not
/// the extent of the domain: rows of equal (y, z), in each the cells, in each the particles.
struct CellTable {
  CellGrid grid;
  Column<Index> order;       // particle of each sorted place
  Column<Index> start;       // first place of each cell, and one past the last
  Column<Index> x;           // coordinate of each cell
  Column<Index> row_start;   // first cell of each row, and one past the last
  Column<Vec<Index, 2>> yz;  // coordinates of each row

  CellSort sort;  // kept: a rebuild of the same size allocates nothing
  Column<Index> number;

  Index cells() const { return static_cast<Index>(x.size()); }
  Index rows() const { return static_cast<Index>(yz.size()); }
};

void build_cells(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                 CellTable& table);

/// The row at (y, z), or -1 when it holds no particle.
Index find_row(const CellTable& table, Index y, Index z);

/// First cell of a row with a coordinate of at least x.
Index first_cell(const CellTable& table, Index row, Index x);

/// Places [first, last) of the particles in cells from_x to to_x of a row. `cursor` is a cell of
/// the row to look from, and moves to the first one found: neighbouring questions are answered at
/// once.
struct PlaceRange {
  Index first, last;
};
PlaceRange find_places(const CellTable& table, Index row, Index from_x, Index to_x, Index& cursor);

}  // namespace phyxel
