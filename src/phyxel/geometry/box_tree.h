#pragma once

#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel {

/// Whether two boxes have a volume in common; boxes that only touch have none.
inline bool boxes_meet(const Bounds& a, const Bounds& b) {
  for (int k = 0; k < 3; ++k)
    if (a.max[k] <= b.min[k] || b.max[k] <= a.min[k]) return false;
  return true;
}

/// One of the eight corners.
inline Vec3 corner_of(const Bounds& b, int corner) {
  return {corner & 1 ? b.max[0] : b.min[0], corner & 2 ? b.max[1] : b.min[1],
          corner & 4 ? b.max[2] : b.min[2]};
}

/// Boxes in a binary tree, so that those that meet another box are found without looking at all.
/// Boxes may be infinite (+-1e30) and may be empty, which meet nothing.
struct BoxTree {
  struct Node {
    Bounds box;       // around all boxes below
    Index first = 0;  // the boxes below are order[first] up to order[last - 1]
    Index last = 0;
    Index second = 0;  // the second child; the first one is the next node. 0: a leaf
  };
  std::vector<Bounds> boxes;
  std::vector<Index> order;  // into boxes
  std::vector<Node> nodes;   // the root is the first; empty where there are no boxes
};

BoxTree make_box_tree(std::vector<Bounds> boxes);

/// The boxes of the tree that meet `box`, by their numbers, rising.
std::vector<Index> boxes_meeting(const BoxTree& tree, const Bounds& box);

}  // namespace phyxel
