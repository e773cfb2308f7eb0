#pragma once

#include "phyxel/neighbours/cell_table.h"

namespace phyxel {

/// Who is near whom: the neighbours of particle i are neighbour[start[i]] to
/// neighbour[start[i + 1] - 1]. Each pair is listed twice, i in j's row and j in i's.
struct NeighbourRows {
  Column<Index> start;  // n + 1
  Column<Index> neighbour;
  Real radius = 0;  // m, cut-off + skin

  // Kept: a rebuild of about the same size allocates nothing.
  CellTable cells;
  Column<Vec3> sorted;   // wrapped positions in the order of the cells
  Column<Index> filled;  // entries found so far, in the order of the cells
};

/// Lists all j != i with |x_j - x_i| < radius (nearest copies on periodic axes), in the order of
/// their cells. Works for any order of x, fastest when x is in cell order. Memory and time follow
/// the number of particles and pairs, not the extent of the domain.
void build_rows(const Exec& exec, const Column<Vec3>& x, Real radius, const PeriodicBox& box,
                NeighbourRows& rows);

/// Largest distance that any particle moved since x_at_build, nearest copies on periodic axes;
/// infinite when a position is not finite. Rows stay valid while 2 * moved < skin.
Real largest_move(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& x_at_build,
                  const PeriodicBox& box);

}  // namespace phyxel
