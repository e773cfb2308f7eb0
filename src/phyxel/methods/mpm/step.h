#pragma once

#include "phyxel/methods/mpm/blocks.h"
#include "phyxel/methods/mpm/laws.h"

namespace phyxel::mpm {

/// The numbers of a step.
struct StepNumbers {
  Real dt = 0;          // s
  Real next_dt = 0;     // s, of the step that follows
  Real dx = 1;          // m, edge of a cell
  Real flip = 0;
  bool gathers = true;  // particles follow the grid
  bool spreads = true;  // and tell it what comes next
};

/// What limits the next step, over the particles of a chunk.
struct ChunkLimits {
  Real speed_squared = 0;
  Real wave_speed_squared = 0;
  Real margin = 16;  // cells that a particle has left before it leaves its tile
};

}  // namespace phyxel::mpm
