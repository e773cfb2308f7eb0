#pragma once

#include "phyxel/neighbours/cell_table.h"

namespace phyxel {

/// Rows begin at multiples of this: the lanes of the widest packs, and aligned loads of a GPU.
constexpr Index row_pad = 16;

inline namespace PHYXEL_BACKEND {

/// Memory of the search, kept: a rebuild of about the same size allocates nothing.
struct RowSearch {
  Column<Real> x, y, z;  // wrapped positions
#ifdef __CUDACC__
  Column<Index> cell_of_place, row_of_cell;
  Column<PlaceRange> runs;  // around each cell
#else
  /// Memory of one task.
  struct Task {
    Column<Real> x, y, z;  // candidates of one cell, ready for vector loads
    Column<Index> place;
    Column<Index> rows;        // found
    Column<Index> second_row;  // of the second of two particles that are searched together
    Index entries = 0;
  };
  std::vector<Task> tasks;
#endif
};

/// Verlet lists, one row per particle: the neighbours of particle i are neighbour[start[i]] to
/// neighbour[start[i] + count[i] - 1]. Each pair is listed twice, i in j's row and j in i's. Rows
/// are filled up to a multiple of row_pad with n, the number of particles: where a column has one
/// more element for a particle far away, whole packs of a row can be loaded.
struct NeighbourRows {
  Column<Index> start;  // n + 1
  Column<Index> count;  // n
  Column<Index> neighbour;
  Real radius = 0;  // m, cut-off + skin

  RowSearch search;
};

/// Cells for build_rows; all columns must be put into their order in between.
void build_cells_for_rows(const Exec& exec, const Column<Vec3>& x, Real radius,
                          const PeriodicBox& box, CellTable& cells);

/// Lists all j != i with |x_j - x_i| < radius (nearest copies on periodic axes), in the order of
/// their cells. `x` must be in the order of `cells`, which build_cells_for_rows has made for this
/// radius. Memory and time grow with the number of particles and pairs, not with the domain.
void build_rows(const Exec& exec, const Column<Vec3>& x, const CellTable& cells, Real radius,
                NeighbourRows& rows);

/// Largest distance that any particle moved since x_at_build, nearest copies on periodic axes;
/// infinite when a position is not finite. Rows stay valid while 2 * moved < skin.
Real largest_move(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& x_at_build,
                  const PeriodicBox& box);

}  // namespace PHYXEL_BACKEND

/// Squared distance moved; infinite when a position is not finite.
PHYXEL_FN Real squared_move(const PeriodicBox& box, const Vec3& x, const Vec3& x_at_build) {
  const Real d2 = length_squared(minimum_image(box, x - x_at_build));
  return std::isfinite(d2) ? d2 : std::numeric_limits<Real>::infinity();
}

/// Period along each axis; an open axis has an infinite half, so that nothing is ever shifted.
struct Period {
  Vec3 size = Vec3::zero();
  Vec3 half = Vec3::filled(std::numeric_limits<Real>::infinity());
};
inline Period period_of(const PeriodicBox& box) {
  Period p;
  for (int k = 0; k < 3; ++k) {
    if (!box.periodic[k]) continue;
    p.size[k] = box.size[k];
    p.half[k] = box.size[k] / 2;
  }
  return p;
}

/// Nearest copy of a difference of wrapped positions, or of a pack of them.
template <class T>
PHYXEL_FN T nearest(const T& d, Real size, Real half) {
  return select(d > T(half), d - T(size), select(d < T(-half), d + T(size), d));
}

}  // namespace phyxel
