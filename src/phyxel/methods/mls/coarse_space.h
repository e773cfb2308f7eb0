#pragma once

#include "phyxel/methods/mls/coarse_nodes.h"
#include "phyxel/methods/mls/step_view.h"

// The coarse part of the preconditioner of implicit steps. A diagonal levels what differs between
// neighbours, but what bends a whole beam takes as many iterations as there are phyxels along it.
// Displacements that are linear between the nodes of a coarse grid are solved for exactly beside
// it: M^-1 = D^-1 + Z A_c^-1 Z^T with A_c = Z^T A Z (two-level additive Schwarz: Smith, Bjorstad
// and Gropp 1996, chapter 2).

namespace phyxel::mls {

inline namespace PHYXEL_BACKEND {

struct CoarseSpace {
  Index nodes = 0;
  Column<Corners> corners;  // of each phyxel; see CoarseNodes
  Column<Index> entry, piece_start, node_start;
  std::vector<Real> made_for;  // what the matrix depends on; empty: there is none yet
  Column<Real> inverse;        // of A_c, (3 nodes)^2 numbers
  Column<Vec3> piece;          // sums over pieces
  Column<Vec3> pulled, moved;  // of each node: Z^T r, and A_c^-1 of it
};

void assign_nodes(const CoarseNodes& nodes, CoarseSpace& space);

/// What turns with a phyxel: nodes move what is at rest, and the stiffness of matter that has
/// turned is that at rest, turned. Matter that is far out of shape is left as it was.
PHYXEL_FN Mat3 turned_by(const Mat3& f) {
  return determinant(f) > Real(0.2) && norm_squared(f) < 6 ? f : Mat3::identity();
}

/// pulled = Z^T r. `scratch` has an element for each phyxel.
void restrict_to_nodes(const Exec& exec, const StepView& view, const Vec3* r, Vec3* scratch,
                       CoarseSpace& space);

/// moved = A_c^-1 pulled.
void solve_for_nodes(const Exec& exec, CoarseSpace& space);

/// A phyxel as its nodes have moved.
PHYXEL_FN Vec3 moved_by_nodes(const Corners& corners, const Vec3* moved, const Mat3& f) {
  Vec3 sum = Vec3::zero();
  for (int c = 0; c < 8; ++c) sum += moved[corners.node[c]] * corners.share[c];
  return turned_by(f) * sum;
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel::mls
