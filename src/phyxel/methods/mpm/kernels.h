#pragma once

#include "phyxel/methods/mpm/step.h"

// The parts of a step that are written for speed; see chunk.h and tiles.h.

namespace phyxel::mpm {

/// Particles by chunks, and what belongs to a chunk.
struct Rows {
  Column<Row16> row;               // place in the block's tile in cells, memory, F, volume, mass
  Column<Index> particle;          // whose row it is
  Column<std::uint16_t> order;     // rows of a chunk in the order of their cells
  Column<std::uint16_t> start;     // of each cell in that order: `starts` for each chunk
  Column<Quad> tile;               // momentum and mass: tile_stride for each chunk
  Column<ChunkLimits> limits;      // of each chunk
  static constexpr Index starts = 224;
};
/// Numbers of a row.
constexpr int row_memory = 3, row_f = 4, row_volume = 13, row_mass = 14;

/// Velocity and gradient of particles beside the rows, where there is no grid to gather from.
struct ParticleVelocities {
  Vec3* v;
  Mat3* gradient;
};

/// Nodes of the grid: velocity and mass.
struct Nodes {
  Column<Quad> now, before;  // before: of FLIP, without the forces of the step
};

/// All chunks: gathers, moves, deforms, spreads, as `in` says.
void advance_particles(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                       const Blocks& blocks, const Nodes& nodes, const ParticleVelocities& columns,
                       Rows& rows);

/// Order of cells of chunks whose rows have just been made.
void sort_cells(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Rows& rows);

}  // namespace phyxel::mpm
