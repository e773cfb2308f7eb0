#pragma once

#include <vector>

#include "phyxel/matter/body_seed.h"

// The inside of a body as elements between its points.

namespace phyxel::pbd {

/// A cube of eight neighbouring points of a cubic packing: corner k at x, y, z of its bits 0, 1, 2,
/// in the axes of the body.
struct Cell {
  Vec<Index, 8> corner;
  bool odd;  // the sum of its place in the lattice
};

/// All cubes of the lattice whose corners are points of the body. InputError where the packing is
/// not cubic.
std::vector<Cell> cells_of(const BodySeed& seed);

/// Five tetrahedra for each cell, in two ways that take turns like the fields of a chess board, so
/// that neighbours have the same triangle in common. All have a positive volume.
std::vector<Vec<Index, 4>> tetrahedra_of(const std::vector<Cell>& cells);

/// The volume, m^3, that each element stands for: each point shares what it stands for among its
/// elements by their volumes. So the elements of a body have its whole volume, although its
/// outermost points lie inside of its surface.
std::vector<double> shared_volumes(const std::vector<Vec<Index, 4>>& elements,
                                   const std::vector<double>& volumes, std::size_t points,
                                   double volume_of_point);
std::vector<double> shared_volumes(const std::vector<Cell>& cells, std::size_t points,
                                   double volume_of_point);

/// The triangles that one tetrahedron alone has, with their front outside.
std::vector<Int3> surface_of(const std::vector<Vec<Index, 4>>& tetrahedra);

}  // namespace phyxel::pbd
