#pragma once

#include "phyxel/geometry/shape.h"
#include "phyxel/geometry/triangle_bvh.h"

namespace phyxel {

/// Non-owning view of a TriangleBvh, on the host or on a device.
struct TriangleBvhView {
  const TriangleBvh::Node* nodes = nullptr;
  const TriangleBvh::Leaf* leaves = nullptr;
  const TriangleBvh::Triangle* triangles = nullptr;
  std::size_t node_count = 0, leaf_count = 0, triangle_count = 0;
};

inline TriangleBvhView view_of(const TriangleBvh& bvh) {
  return {bvh.nodes.data(), bvh.leaves.data(), bvh.triangles.data(),
          bvh.nodes.size(), bvh.leaves.size(), bvh.triangles.size()};
}

inline namespace PHYXEL_BACKEND {

/// Squared distances to the boxes of the children.
PHYXEL_FN void squared_distances(const TriangleBvh::Node& node, const Vec3& p,
                                 TriangleBvh::Lanes& squared) {
  for (int lane = 0; lane < TriangleBvh::width; ++lane) {
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real below = node.min[k][lane] - p[k], above = p[k] - node.max[k][lane];
      const Real out = below > above ? below : above;
      sum += out > 0 ? out * out : Real(0);
    }
    squared[lane] = sum;
  }
}

PHYXEL_FN Real clamped_to_unit(Real x) {
  const Real low = x > 0 ? x : Real(0);
  return low < 1 ? low : Real(1);
}

/// Squared distances to the triangles: the smallest of those to the edges and, above the face, that
/// to the face. Each is taken to a point of the triangle, so slivers can make it large, never
/// small.
PHYXEL_FN void squared_distances(const TriangleBvh::Leaf& l, const Vec3& p,
                                 TriangleBvh::Lanes& squared) {
  for (int i = 0; i < TriangleBvh::width; ++i) {
    const Vec3 ab = {l.ab[0][i], l.ab[1][i], l.ab[2][i]}, ac = {l.ac[0][i], l.ac[1][i], l.ac[2][i]};
    const Vec3 ap = {p[0] - l.a[0][i], p[1] - l.a[1][i], p[2] - l.a[2][i]};
    const Vec3 bc = ac - ab, bp = ap - ab;
    const Real d1 = dot(ab, ap), d2 = dot(ac, ap);
    const Real to_ab = length_squared(ap - ab * clamped_to_unit(d1 * l.of_ab[i]));
    const Real to_ac = length_squared(ap - ac * clamped_to_unit(d2 * l.of_ac[i]));
    const Real to_bc = length_squared(bp - bc * clamped_to_unit(dot(bc, bp) * l.of_bc[i]));
    const Real s = l.g11[i] * d1 - l.g01[i] * d2, t = l.g00[i] * d2 - l.g01[i] * d1;
    const Real to_face = length_squared(ap - ab * clamped_to_unit(s) - ac * clamped_to_unit(t));
    const Real edges = to_ab < to_ac ? to_ab : to_ac;
    const Real border = edges < to_bc ? edges : to_bc;
    const Real lowest = s < t ? s : t, within = lowest < 1 - s - t ? lowest : 1 - s - t;
    const Real least = border < to_face ? border : to_face;
    squared[i] = within >= 0 ? least : border;
  }
}

struct BvhEntry {
  Index child;
  Real squared;
};

/// Children still to be looked at, the nearest on top.
struct BvhStack {
  BvhEntry entries[TriangleBvh::max_open];
  int top = 0;

  PHYXEL_FN void push_sorted(const BvhEntry* begin, int n) {
    for (int k = 0; k < n; ++k) {
      int at = top + k;
      for (; at > top && entries[at - 1].squared < begin[k].squared; --at)
        entries[at] = entries[at - 1];
      entries[at] = begin[k];
    }
    top += n;
  }
};

struct NearestTriangle {
  Real squared = Real(1e37);
  Index triangle = 0;
};

PHYXEL_FN void search_leaf(const TriangleBvhView& bvh, Index leaf, const Vec3& p,
                           NearestTriangle& best) {
  TriangleBvh::Lanes squared;
  squared_distances(bvh.leaves[leaf], p, squared);
  const Index first = bvh.leaves[leaf].first, last = bvh.leaves[leaf].count - 1;
  for (int lane = 0; lane < TriangleBvh::width; ++lane)
    if (squared[lane] < best.squared) best = {squared[lane], first + min(lane, last)};
}

PHYXEL_FN void push_children(const TriangleBvh::Node& node, const Vec3& p, Real below,
                             BvhStack& stack) {
  TriangleBvh::Lanes squared;
  squared_distances(node, p, squared);
  BvhEntry near[TriangleBvh::width];
  int n = 0;
  for (int lane = 0; lane < TriangleBvh::width; ++lane)
    if (squared[lane] < below && node.child[lane] != 0)
      near[n++] = {node.child[lane], squared[lane]};
  stack.push_sorted(near, n);
}

/// Nearest point of one triangle. Ericson 2005, section 5.1.5.
PHYXEL_FN Vec3 nearest_point(const TriangleBvh::Triangle& t, const Vec3& p) {
  const Vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const Real d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t.a;
  const Vec3 bp = p - t.b;
  const Real d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t.b;
  const Real vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return t.a + ab * (d1 / (d1 - d3));
  const Vec3 cp = p - t.c;
  const Real d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t.c;
  const Real vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return t.a + ac * (d2 / (d2 - d6));
  const Real va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return t.b + (t.c - t.b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const Real scale = Real(1) / (va + vb + vc);
  return t.a + ab * (vb * scale) + ac * (vc * scale);
}

/// Unit normal of a triangle, counter-clockwise seen from its tip; y for one without area.
PHYXEL_FN Vec3 face_normal(const TriangleBvh::Triangle& t) {
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  const Real l = length(n);
  return l > 0 ? n / l : Vec3{0, 1, 0};
}

/// The nearest triangle, or `best` where none is nearer than that.
PHYXEL_FN NearestTriangle nearest_triangle(const TriangleBvhView& bvh, const Vec3& p,
                                           NearestTriangle best = {}) {
  BvhStack stack;
  push_children(bvh.nodes[0], p, best.squared, stack);
  while (stack.top > 0) {
    const BvhEntry entry = stack.entries[--stack.top];
    if (entry.squared >= best.squared) continue;
    if (entry.child < 0)
      search_leaf(bvh, ~entry.child, p, best);
    else
      push_children(bvh.nodes[entry.child], p, best.squared, stack);
  }
  return best;
}

PHYXEL_FN NearestPoint nearest_point_of(const TriangleBvhView& bvh, Index triangle, const Vec3& p) {
  const Vec3 q = nearest_point(bvh.triangles[triangle], p);
  return {q, length(p - q), triangle};
}

PHYXEL_FN_APART NearestPoint nearest_point(const TriangleBvhView& bvh, const Vec3& p) {
  return nearest_point_of(bvh, nearest_triangle(bvh, p).triangle, p);
}

/// Signed distance of a solid that the triangles bound, from its nearest point.
PHYXEL_FN SignedDistance signed_distance(const TriangleBvhView& bvh, const Bounds& bounds,
                                         const NearestPoint& nearest, bool within, const Vec3& p) {
  const Real sign = within ? Real(-1) : Real(1);
  const Real distance = nearest.distance;
  // So near that the direction to the surface is lost in rounding.
  const Real touching = Real(1e-6) * length(bounds.size());
  const Vec3 normal = distance > touching ? (p - nearest.point) * (sign / distance)
                                          : face_normal(bvh.triangles[nearest.triangle]);
  return {sign * distance, normal};
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
