#pragma once

#include "phyxel/methods/mpm/step.h"

// The parts of a step that are written for speed; see chunk.h and tiles.h.

namespace phyxel::mpm {

/// Particles by chunks, and what belongs to a chunk.
struct Rows : ChunkCells {
  Column<Row16> row;           // place in the block's tile in cells, memory, F, volume, mass
  Column<Index> particle;      // that the row belongs to
  Column<Quad> velocity;       // m/s, of FLIP
  Column<ChunkLimits> limits;  // of each chunk
};
/// Upper bounds of the |components| of the velocity that a particle gets from the grid, and of its
/// change by the forces of the step, m/s.
struct GridSpeeds {
  Real velocity = 0, change = 0;
};

/// Nodes of the grid: velocity and mass.
struct Nodes {
  Column<Quad> sum;           // momentum and mass; of FLIP: then impulses
  Column<Quad> work;          // sums of pins and of implicit solves
  Column<Quad> now, before;   // before: of FLIP, without the forces of the step
  Column<GridSpeeds> speeds;  // of each block
  Column<Vec3d> impulses;     // of fields in the step, of each block, kg m/s
  Column<char> pinned;        // nodes that move with a pin; of a scene with pins
  Column<Index> pin;          // that moves a node, where there are several: the last one near it
};

/// Of all chunks: grid to particles, move, deform, particles to grid, as `in` says.
void advance_particles(const Exec& exec, const StepNumbers& in, const std::vector<AnyLaw>& laws,
                       const Blocks& blocks, const Boundaries& boundaries, const Points& points,
                       Nodes& nodes, Rows& rows);

/// The longest path of a particle along an axis, in cells.
Real measure_paths(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                   const Nodes& nodes, const Boundaries& boundaries, const Points& points,
                   Rows& rows);

/// Order of cells of chunks whose rows have just been made.
void sort_cells(const Exec& exec, const StepNumbers& in, const Blocks& blocks, Rows& rows);

/// Volumes by the density on the grid, for rows and particles: m / (sum of w m_i / dx^3). Nodes
/// hold masses instead of velocities.
void measure_volumes(const Exec& exec, const StepNumbers& in, const Blocks& blocks,
                     const Nodes& nodes, const Points& points, Rows& rows);

}  // namespace phyxel::mpm
