#pragma once

#include "phyxel/colliders/collider_view.h"

// Scenes with many colliders: those that may touch a place are found by a tree of boxes instead of
// one by one.

namespace phyxel {

/// The colliders whose boxes meet a box, in the order of all colliders: a range for loops in
/// kernels. Without a tree it is all of them.
struct NearColliders {
  ColliderViews all;
  Vec3 low, high;  // m

  struct End {};
  struct Iterator {
    const NearColliders* near;
    Index number;

    PHYXEL_FN const ColliderView& operator*() const { return near->all.data[number]; }
    PHYXEL_FN Iterator& operator++() {
      number = near->next(number + 1);
      return *this;
    }
    PHYXEL_FN bool operator!=(const End&) const { return number < near->all.count; }
  };
  PHYXEL_FN Iterator begin() const { return {this, next(0)}; }
  PHYXEL_FN End end() const { return {}; }

  PHYXEL_FN bool meets(const ColliderTreeNode& node) const {
    for (int k = 0; k < 3; ++k)
      if (node.high[k] < low[k] || high[k] < node.low[k]) return false;
    return true;
  }

  /// The first collider from `number` on that may touch the box; all.count: none.
  PHYXEL_FN Index next(Index number) const {
    if (!all.tree || number >= all.count) return number;
    Index found = all.count;
    for (Index node = 1; node > 0;) {
      const ColliderTreeNode& at = all.tree[node];
      const bool enters = at.last >= number && at.first < found && meets(at);
      if (enters && node < all.leaves) {
        node *= 2;
        continue;
      }
      if (enters) found = at.first;
      while (node & 1) node /= 2;  // back from second children; the root ends the walk
      node += node > 0;
    }
    return found;
  }
};

/// Those within `reach` of x, m.
PHYXEL_FN NearColliders colliders_near(const ColliderViews& colliders, const Vec3& x, Real reach) {
  return {colliders, x - Vec3::filled(reach), x + Vec3::filled(reach)};
}
/// Those within `reach` of the path between two points, m.
PHYXEL_FN NearColliders colliders_near_path(const ColliderViews& colliders, const Vec3& from,
                                            const Vec3& to, Real reach) {
  return {colliders, min(from, to) - Vec3::filled(reach), max(from, to) + Vec3::filled(reach)};
}

}  // namespace phyxel
