#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/matter/frame.h"

namespace phyxel {

/// Particles that carry something: `most` for each of `count` things, the heaviest first; weights
/// of one add up to 1, and 0 means no more.
struct Carriers {
  std::size_t count;
  Index most;
  const Index* particle;
  const Real* weight;
};

/// What things get of a column of particles: a mean of numbers, or for whole numbers that of the
/// heaviest particle.
FrameColumn carried(const FrameColumn& particles, const Carriers& by);

}  // namespace phyxel
