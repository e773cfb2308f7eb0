#pragma once

#include "phyxel/surfaces/flow.h"
#include "phyxel/surfaces/point_runs.h"

// Sums and maxima over all points within a radius of each point, of which there may be thousands.
// Cells that lie within the radius of a whole cell contribute their sums; only the points of cells
// that the sphere cuts are visited one by one. The result is the same as from all pairs.

namespace phyxel {

/// How far a row of cells that is (y, z) rows away from a cell lies within the radius.
struct RowReach {
  Index y, z;
  Index some;  // cells to both sides that may hold a point within the radius of one in the cell
  Index all;   // cells to both sides that lie within the radius of the whole cell; -1: none
};

/// Sums over positions.
struct PositionSums {
  Vec3d first = Vec3d::zero();  // m
  double squares = 0;           // m^2
};

/// Points in the order of cells, with sums and maxima of whole cells. Memory is reused.
struct FlowCells : SortedPoints {
  Real radius = 0;  // m
  std::vector<RowReach> reach;
  Column<PositionSums> before;  // at cell + row: those of earlier cells of the row
  Column<Real> value;           // of each point, what the maximum is of; as many as x
  Column<Real> largest;         // value in each cell
};

/// Sorts the points. The width of cells follows from the radius and how many points there are in
/// it. A position that is not finite is an Error.
void sort_flow(const Exec& exec, const Column<Vec3>& x, Real radius, FlowCells& f);

/// In the order of the points as given to sort_flow.
void mean_vectors(const Exec& exec, const FlowCells& f, MeanVectors& vectors);

/// For each point: 1 where its value is above 0 and at least share * the largest of the points
/// nearer than the radius; else 0. `value`: as given to sort_flow, not negative.
void mark_largest(const Exec& exec, const Column<Real>& value, Real share, FlowCells& f,
                  Column<std::uint8_t>& mark);

/// Memory that is reused from frame to frame.
struct FlowScratch {
  FlowCells cells;
  Column<Real> length;
};

}  // namespace phyxel
