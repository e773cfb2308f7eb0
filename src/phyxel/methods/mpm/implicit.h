#pragma once

#include "phyxel/linear/conjugate_gradient.h"
#include "phyxel/methods/mpm/grid_update.h"
#include "phyxel/methods/mpm/stiffness_product.h"

// Semi-implicit steps: the velocities that explicit forces have made are smoothed by
//
//     (1 + beta dt^2 M^-1 K) v = v*
//
// (Stomakhin et al. 2013, eq. 9), matrix-free by conjugate gradients. The change of
// v* has no momentum, however early the solve ends.

namespace phyxel::mpm {

/// Memory of a solve, kept between steps.
struct ImplicitSpace {
  ParticleStiffness stiffness;
  linear::SolveVectors<Column<Quad>> vectors;
  std::vector<Index> active;  // blocks of nodes with mass
  std::vector<Index> body;    // of each block of nodes: the first of those that matter joins to it
  std::vector<char> rests;    // of each first block: nodes are held somewhere
  std::vector<Index> held;    // of each block of nodes: where its holds are; -1: all are free
  Column<Quad> holds;         // of each node of such a block: a direction, and how many are held
  Column<double> sums;        // of active blocks
  Column<Index> holder;       // of each node that is held: its reaction; where these are counted
  Column<Quad> before;        // velocities without the solve, where reactions are counted
};

/// Velocities of nodes from those that update_grid has made for the same rows. Nodes that a
/// collider stops keep their velocity along its normal, and all of it where they stick; nodes
/// around pinned particles move with their pin.
linear::SolveReport solve_implicit(const Exec& exec, const StepNumbers& in,
                                   const ImplicitNumbers& numbers, const std::vector<AnyLaw>& laws,
                                   const Boundaries& boundaries, const Blocks& blocks, Rows& rows,
                                   Nodes& nodes, ImplicitSpace& space);

}  // namespace phyxel::mpm
