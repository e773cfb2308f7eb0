#include "phyxel/geometry/box_tree.h"

#include <doctest/doctest.h>

#include "phyxel/core/random.h"

using namespace phyxel;

namespace {

std::vector<Bounds> random_boxes(Index n, std::uint32_t seed) {
  const Random random{seed, 3};
  std::vector<Bounds> boxes;
  for (Index k = 0; k < n; ++k) {
    const Vec3 centre = random.uniform3(k, 0) * Real(10), half = random.uniform3(k, 1) * Real(0.4);
    boxes.push_back({centre - half, centre + half});
  }
  return boxes;
}

std::vector<Index> one_by_one(const std::vector<Bounds>& boxes, const Bounds& box) {
  std::vector<Index> found;
  for (std::size_t k = 0; k < boxes.size(); ++k)
    if (boxes_meet(boxes[k], box)) found.push_back(static_cast<Index>(k));
  return found;
}

}  // namespace

TEST_CASE("a_box_tree_finds_what_a_search_one_by_one_finds") {
  for (const Index n : {0, 1, 4, 5, 37, 1000}) {
    std::vector<Bounds> boxes = random_boxes(n, 1);
    if (n > 30) {
      boxes[3] = {};                                                        // empty
      boxes[7] = {Vec3::filled(Real(-1e30)), {Real(1e30), 2, Real(1e30)}};  // half a space
      boxes[9] = {Vec3::filled(Real(-1e30)), Vec3::filled(Real(1e30))};     // all of it
      for (int k = 10; k < 30; ++k) boxes[k] = boxes[10];                   // all alike
    }
    const BoxTree tree = make_box_tree(boxes);
    for (const Bounds& box : random_boxes(200, 2))
      CHECK(boxes_meeting(tree, box) == one_by_one(boxes, box));
    CHECK(boxes_meeting(tree, {}).empty());
  }
}

TEST_CASE("boxes_that_touch_do_not_meet") {
  const BoxTree tree = make_box_tree({{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}});
  CHECK(boxes_meeting(tree, {{0, 0, 0}, {1, 1, 1}}) == std::vector<Index>{0});
  CHECK(boxes_meeting(tree, {{Real(0.9), 0, 0}, {Real(1.1), 1, 1}}) == std::vector<Index>{0, 1});
}
