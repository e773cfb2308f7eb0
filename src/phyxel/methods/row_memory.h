#pragma once

#include <cmath>

#include "phyxel/matter/heat.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

/// Entries in the row of a particle with a reach of `reach` spacings, within closest packing.
inline double row_places(double reach, int dimensions) {
  const double near = dimensions == 2 ? 3.63 * reach * reach : 5.92 * reach * reach * reach;
  return row_pad * std::ceil(near / row_pad);
}

/// Memory of such a row, bytes. As measured, the search that makes rows takes two thirds as much
/// again.
inline double row_bytes(double reach, int dimensions) {
  return row_places(reach, dimensions) * sizeof(Index) * 5 / 3;
}

/// Memory of the columns that every method has while a frame is taken and a checkpoint written,
/// bytes: in the frame with its order, in the checkpoint and in the image of its file. `own`: bytes
/// of the method's own columns.
inline double saved_bytes(double own) {
  return 2 * (8 * sizeof(Real) + 4 * sizeof(Index) + own) + 2 * sizeof(void*);
}

/// Memory of the heat of a particle: enthalpy and power with their scratch, in the checkpoint and
/// in the image of its file; conductance, volume and a flag.
inline double heat_bytes(const Thermal& thermal) {
  if (!takes_heat(thermal)) return 0;
  return 4 * (sizeof(double) + sizeof(Real)) + 2 * sizeof(Real) + sizeof(std::uint8_t);
}

}  // namespace phyxel
