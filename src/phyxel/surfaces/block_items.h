#pragma once

#include <functional>

#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Nodes of a grid from `low` to `high`, both included.
struct NodeBox {
  Int3 low, high;
};

/// Which items (points, triangles) reach which blocks of a grid.
struct BlockItems {
  Column<Int3> block;   // in the order of SparseField
  Column<Index> first;  // of each block in `item`, and one more for the end
  Column<Index> item;   // of the first block in ascending order, of the second, ...
};

/// `nodes_of(i)` is called from several threads. InputError where the blocks are too many or spread
/// too far; `cell` is named there.
BlockItems items_by_block(const Exec& exec, Index items, Real cell,
                          const std::function<NodeBox(Index)>& nodes_of);

/// Coordinate of a node in cells as a whole number; InputError beyond what can be numbered.
Index checked_node(double node, Real cell);

}  // namespace phyxel
