#include "phyxel/geometry/winding_number.h"

#include <algorithm>
#include <array>

namespace phyxel {
namespace {

constexpr Real quarter_of_pi_inverse = Real(0.07957747154594767);  // 1 / (4 pi)
constexpr Real far_factor = 2;                                     // Barill et al. 2018: beta

struct Moments {
  Vec3 area = Vec3::zero();
  Vec3 weighted_centre = Vec3::zero();
  Real weight = 0;
};

Moments moments_of(const TriangleBvh::Triangle& t) {
  const Vec3 area = cross(t.b - t.a, t.c - t.a) * Real(0.5);
  const Real weight = length(area);
  return {area, (t.a + t.b + t.c) * (weight / 3), weight};
}

Moments sum(const Moments& a, const Moments& b) {
  return {a.area + b.area, a.weighted_centre + b.weighted_centre, a.weight + b.weight};
}

/// Square of far_factor times the distance from `centre` to the farthest corner of the node's box.
Real far_squared(const TriangleBvh::Node& node, const Vec3& centre) {
  const Vec3 reach = max(node.max - centre, centre - node.min);
  return far_factor * far_factor * length_squared(reach);
}

Real winding_of(const WindingTree::Dipole& dipole, const Vec3& offset, Real distance_squared) {
  return dot(offset, dipole.area) * quarter_of_pi_inverse /
         (distance_squared * std::sqrt(distance_squared));
}

}  // namespace

WindingTree make_winding_tree(const TriangleBvh& bvh) {
  std::vector<Moments> moments(bvh.nodes.size());
  WindingTree tree;
  tree.dipoles.resize(bvh.nodes.size());
  for (std::size_t k = bvh.nodes.size(); k-- > 0;) {  // children come after their parent
    const TriangleBvh::Node& node = bvh.nodes[k];
    if (node.count == 0) moments[k] = sum(moments[node.first], moments[node.first + 1]);
    for (Index t = node.first; t < node.first + node.count; ++t)
      moments[k] = sum(moments[k], moments_of(bvh.triangles[t]));
    const Moments& m = moments[k];
    const Vec3 centre =
        m.weight > 0 ? m.weighted_centre / m.weight : (node.min + node.max) * Real(0.5);
    tree.dipoles[k] = {centre, m.area, far_squared(node, centre)};
  }
  return tree;
}

Real winding_of(const TriangleBvh::Triangle& t, const Vec3& p) {
  const Vec3 a = t.a - p, b = t.b - p, c = t.c - p;
  const Real la = length(a), lb = length(b), lc = length(c);
  const Real volume = dot(a, cross(b, c));
  const Real spread = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return std::atan2(volume, spread) * (2 * quarter_of_pi_inverse);
}

Real winding_number(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p) {
  std::array<Index, 64> stack;
  stack[0] = 0;
  int top = 1;
  Real winding = 0;
  while (top > 0) {
    const Index k = stack[--top];
    const WindingTree::Dipole& dipole = tree.dipoles[k];
    const Vec3 offset = dipole.centre - p;
    const Real distance_squared = length_squared(offset);
    if (distance_squared > dipole.far_squared) {
      winding += winding_of(dipole, offset, distance_squared);
      continue;
    }
    const TriangleBvh::Node& node = bvh.nodes[k];
    for (Index t = node.first; t < node.first + node.count; ++t)
      winding += winding_of(bvh.triangles[t], p);
    if (node.count > 0) continue;
    stack[top++] = node.first;
    stack[top++] = node.first + 1;
  }
  return winding;
}

}  // namespace phyxel
