#pragma once

#include "phyxel/methods/mpm/kernels.h"

// The stiffness product of an implicit step, K v, summed over particles without a matrix.

namespace phyxel::mpm {

/// Particles by chunks, in the order of their cells: where they are in their tile, in cells, and
/// the numbers of their stiffness times beta dt^2, volume and the scale of two slopes. Within a
/// chunk the same number of all particles is contiguous.
struct ParticleStiffness {
  Column<Real> number;
  std::vector<std::size_t> start;  // of each chunk
  static constexpr int numbers = 3 + 24;
};

/// Stiffness of the rows as they are now; `share` is beta, dt that of the step.
void make_stiffness(const Exec& exec, const StepNumbers& in, Real share,
                    const std::vector<AnyLaw>& laws, const Blocks& blocks, const Rows& rows,
                    ParticleStiffness& stiffness);

/// The stiffness product: sum = beta dt^2 K v on all nodes.
void apply_stiffness(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                     const ParticleStiffness& stiffness, const Rows& rows, const Column<Quad>& v,
                     Column<Quad>& sum);

/// sum = the impulses of elastic stresses in the step.
void stresses_to_grid(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                      const Blocks& blocks, const Rows& rows, Column<Quad>& sum);

}  // namespace phyxel::mpm
