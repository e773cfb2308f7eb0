#pragma once

#include <vector>

#include "phyxel/core/column.h"

// Nodes of a coarse grid over the reference shape, for the preconditioner of implicit steps
// (coarse_space.h).

namespace phyxel::mls {

/// The nodes at the corners of the cube that a phyxel is in, and its shares of them: linear between
/// them, and 1 together.
struct Corners {
  Index node[8];
  Real share[8];
};

/// Entries of a node that are added up together.
constexpr Index entries_of_piece = 64;

struct CoarseNodes {
  Index count = 0;               // 0: the phyxels are too few for any
  std::vector<Corners> corners;  // of each phyxel
  // What each node moves: its entries, 8 i + k for corner k of phyxel i, in pieces.
  std::vector<Index> entry;
  std::vector<Index> piece_start;  // of each piece the first entry, and one past the last
  std::vector<Index> node_start;   // of each node the first piece, and one past the last
};

/// Every object has a grid of its own, which fits its bounding box. There are `most` nodes at most,
/// as many as that allows, and at least a dozen phyxels for each.
CoarseNodes make_coarse_nodes(const HostColumn<Vec3>& reference, const HostColumn<Index>& object,
                              Real spacing, Index most);

}  // namespace phyxel::mls
