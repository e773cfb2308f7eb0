#pragma once

#include "phyxel/methods/mpm/kernels.h"

// What particles are to the solve of an implicit step: springs between the nodes of their tile.

namespace phyxel::mpm {

/// Particles by chunks, in the order of their cells: where they are in their tile, in cells, and
/// the numbers of their stiffness times beta dt^2, volume and the scale of two slopes. Each number
/// of all particles of a chunk lies side by side.
struct Springs {
  Column<Real> number;
  std::vector<std::size_t> start;  // of each chunk
  static constexpr int numbers = 3 + 24;
};

/// Springs of the rows as they are now; `share` is beta, dt that of the step.
void make_springs(const Exec& exec, const StepNumbers& in, Real share,
                  const std::vector<AnyLaw>& laws, const Blocks& blocks, const Rows& rows,
                  Springs& springs);

/// beta dt^2 K v: what each chunk has of it goes to a tile, one for each chunk, in the room of
/// those that update_grid has read.
void pull_springs(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                  const Springs& springs, const Column<Quad>& v, Rows& rows);

/// The impulses of elastic stresses in the step: to the same tiles.
void spread_stresses(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                     const Blocks& blocks, Rows& rows);

}  // namespace phyxel::mpm
