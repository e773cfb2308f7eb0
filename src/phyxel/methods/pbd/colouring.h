#pragma once

#include <vector>

#include "phyxel/core/backend.h"

namespace phyxel::pbd {

/// Colours of constraints, so that those of one colour have no vertex in common.
struct Colouring {
  std::vector<Index> colour;  // of each constraint
  Index count = 0;
};

/// Each constraint in turn gets the lowest colour that none before it has at its vertices.
/// `vertices`: `points` for each constraint, of `vertex_count`. Error where a vertex would need
/// more than 256 colours.
Colouring colour_greedily(const std::vector<Index>& vertices, int points, Index vertex_count);

}  // namespace phyxel::pbd
