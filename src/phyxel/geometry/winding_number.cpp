#include <algorithm>

#include "phyxel/geometry/winding_view.h"

namespace phyxel {
namespace {

struct Moments {
  Vec3 area = Vec3::zero();
  Vec3 weighted_centre = Vec3::zero();
  Real weight = 0;

  void include(const Moments& m) {
    area += m.area;
    weighted_centre += m.weighted_centre;
    weight += m.weight;
  }
};

Moments moments_of(const TriangleBvh::Triangle& t) {
  const Vec3 area = cross(t.b - t.a, t.c - t.a) * Real(0.5);
  const Real weight = length(area);
  return {area, (t.a + t.b + t.c) * (weight / 3), weight};
}

Moments moments_of(const TriangleBvh& bvh, const TriangleBvh::Leaf& leaf) {
  Moments sum;
  for (Index k = leaf.first; k < leaf.first + leaf.count; ++k)
    sum.include(moments_of(bvh.triangles[k]));
  return sum;
}

void set_lane(WindingTree::Dipoles& dipoles, const TriangleBvh::Node& node, int lane,
              const Moments& m) {
  Real squared = 0;
  for (int k = 0; k < 3; ++k) {
    const Real low = node.min[k][lane], high = node.max[k][lane];
    const Real centre = m.weight > 0 ? m.weighted_centre[k] / m.weight : (low + high) / 2;
    const Real reach = std::max(high - centre, centre - low);
    dipoles.centre[k][lane] = centre;
    dipoles.area[k][lane] = m.area[k];
    squared += reach * reach;
  }
  dipoles.radius_squared[lane] = squared;
}

}  // namespace

WindingTree make_winding_tree(const TriangleBvh& bvh) {
  WindingTree tree;
  tree.nodes.resize(bvh.nodes.size());
  for_each_child<Moments>(
      bvh, [&](Index leaf) { return moments_of(bvh, bvh.leaves[leaf]); },
      [&](std::size_t node, int lane, const Moments& m) {
        set_lane(tree.nodes[node], bvh.nodes[node], lane, m);
      });
  return tree;
}

Real winding_number(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p,
                    Real far_factor) {
  return winding_number(view_of(bvh), tree.nodes.data(), p, far_factor);
}

}  // namespace phyxel
