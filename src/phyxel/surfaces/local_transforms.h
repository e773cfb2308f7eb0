#pragma once

#include "phyxel/core/exec.h"

namespace phyxel {

/// Neighbourhoods of particles at rest, from which their local transformations are estimated where
/// the method that moves them has no such column.
struct RestShape {
  Column<Vec3> x;       // m
  Real radius = 0;      // m, of the neighbourhoods
  Column<Index> start;  // first neighbour of each particle, and one past the last
  Column<Index> neighbour;
  Column<Mat3> inverse;       // of sum w X X^T, in the directions in which neighbours lie; 1/m^2
  Column<Mat3> directions;    // its eigenvectors as rows: first those in which neighbours lie
  Column<std::uint8_t> rank;  // how many: 3 in a body, 2 in a sheet, 1 in a thread, 0 alone
};

/// `radius`: 0 for 2.5 spacings.
RestShape make_rest_shape(const Exec& exec, const Column<Vec3>& rest_positions, Real radius = 0);

/// The linear map nearest to the displacements of the neighbours of each particle, by moving least
/// squares (Mueller et al. 2004, eq. 15). In directions without neighbours it rotates with the
/// others and keeps lengths.
void estimate_transforms(const Exec& exec, const RestShape& rest, const Column<Vec3>& positions,
                         Column<Mat3>& transforms);

}  // namespace phyxel
