#include "phyxel/geometry/box_tree.h"

#include <algorithm>
#include <numeric>

namespace phyxel {
namespace {

constexpr Index leaf_size = 4;

/// Adds the node of order[first] up to order[last - 1] and all nodes below it.
void add_node(BoxTree& tree, Index first, Index last) {
  const std::size_t at = tree.nodes.size();
  BoxTree::Node node{{}, first, last, 0};
  Bounds centres;
  for (Index k = first; k < last; ++k) {
    const Bounds& box = tree.boxes[tree.order[k]];
    if (box.empty()) continue;
    node.box.include(box);
    centres.include(box.centre());
  }
  tree.nodes.push_back(node);
  if (last - first <= leaf_size) return;
  const Vec3 size = centres.size();
  const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const auto key = [&](Index k) { return std::pair(tree.boxes[k].centre()[axis], k); };
  const Index middle = first + (last - first) / 2;
  const auto begin = tree.order.begin();
  std::nth_element(begin + first, begin + middle, begin + last,
                   [&](Index a, Index b) { return key(a) < key(b); });
  add_node(tree, first, middle);
  tree.nodes[at].second = static_cast<Index>(tree.nodes.size());
  add_node(tree, middle, last);
}

}  // namespace

BoxTree make_box_tree(std::vector<Bounds> boxes) {
  BoxTree tree;
  tree.boxes = std::move(boxes);
  tree.order.resize(tree.boxes.size());
  std::iota(tree.order.begin(), tree.order.end(), 0);
  if (!tree.boxes.empty()) add_node(tree, 0, static_cast<Index>(tree.boxes.size()));
  return tree;
}

std::vector<Index> boxes_meeting(const BoxTree& tree, const Bounds& box) {
  std::vector<Index> found, waiting;
  if (!tree.nodes.empty()) waiting.push_back(0);
  while (!waiting.empty()) {
    const Index at = waiting.back();
    waiting.pop_back();
    const BoxTree::Node& node = tree.nodes[at];
    if (!boxes_meet(node.box, box)) continue;
    if (node.second > 0) {
      waiting.push_back(node.second);
      waiting.push_back(at + 1);
      continue;
    }
    for (Index k = node.first; k < node.last; ++k)
      if (boxes_meet(tree.boxes[tree.order[k]], box)) found.push_back(tree.order[k]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace phyxel
