#include "phyxel/geometry/triangle_bvh.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace phyxel {
namespace {

constexpr int width = TriangleBvh::width;
using Lanes = TriangleBvh::Lanes;

struct Range {
  Index first, last;
  Index size() const { return last - first; }
};

/// Decides which triangles lie together; refit() does the rest.
struct Builder {
  std::vector<Vec3> centres;
  TriangleBvh bvh;

  explicit Builder(const TriangleMesh& mesh) {
    for (const Int3& t : mesh.triangles) {
      Bounds box;
      for (int k = 0; k < 3; ++k) box.include(mesh.vertices[t[k]]);
      centres.push_back(box.centre());
    }
    bvh.order.resize(mesh.triangles.size());
    std::iota(bvh.order.begin(), bvh.order.end(), 0);
  }

  /// Sorts the triangles about the median of the longest axis, rounded so that leaves come out
  /// full.
  Index split(const Range& range) {
    Bounds spread;
    for (Index k = range.first; k < range.last; ++k) spread.include(centres[bvh.order[k]]);
    const Vec3 size = spread.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const Index middle = range.first + (range.size() / 2 + width - 1) / width * width;
    const auto begin = bvh.order.begin();
    std::nth_element(begin + range.first, begin + middle, begin + range.last,
                     [&](Index a, Index b) {
                       return std::pair(centres[a][axis], a) < std::pair(centres[b][axis], b);
                     });
    return middle;
  }

  /// Up to `width` parts, by cutting the largest again and again.
  std::vector<Range> parts(const Range& range) {
    std::vector<Range> all = {range};
    while (static_cast<int>(all.size()) < width) {
      const auto largest =
          std::max_element(all.begin(), all.end(),
                           [](const Range& a, const Range& b) { return a.size() < b.size(); });
      if (largest->size() <= width) break;
      const Index middle = split(*largest), last = largest->last;
      largest->last = middle;
      all.push_back({middle, last});
    }
    return all;
  }

  Index add_leaf(const Range& range) {
    TriangleBvh::Leaf& leaf = bvh.leaves.emplace_back();
    leaf.first = range.first;
    leaf.count = range.size();
    return static_cast<Index>(bvh.leaves.size()) - 1;
  }

  Index add_node(const Range& range) {
    const Index index = static_cast<Index>(bvh.nodes.size());
    bvh.nodes.emplace_back();
    int lane = 0;
    for (const Range& part : parts(range)) {
      const Index child = part.size() <= width ? ~add_leaf(part) : add_node(part);
      bvh.nodes[index].child[lane++] = child;
    }
    return index;
  }
};

Real inverse_or_zero(Real x) {
  return x > 0 ? 1 / x : Real(0);
}

void set_lane(TriangleBvh::Leaf& leaf, int lane, const TriangleBvh::Triangle& t) {
  const Vec3 ab = t.b - t.a, ac = t.c - t.a;
  for (int k = 0; k < 3; ++k) {
    leaf.a[k][lane] = t.a[k];
    leaf.ab[k][lane] = ab[k];
    leaf.ac[k][lane] = ac[k];
  }
  leaf.of_ab[lane] = inverse_or_zero(length_squared(ab));
  leaf.of_ac[lane] = inverse_or_zero(length_squared(ac));
  leaf.of_bc[lane] = inverse_or_zero(length_squared(ac - ab));
  const Real of_area = inverse_or_zero(length_squared(cross(ab, ac)));
  leaf.g00[lane] = dot(ab, ab) * of_area;
  leaf.g01[lane] = dot(ab, ac) * of_area;
  leaf.g11[lane] = dot(ac, ac) * of_area;
}

Bounds refit_leaf(const TriangleBvh& bvh, TriangleBvh::Leaf& leaf) {
  Bounds box;
  for (int lane = 0; lane < width; ++lane) {
    TriangleBvh::Triangle t = bvh.triangles[leaf.first + std::min(lane, leaf.count - 1)];
    if (lane >= leaf.count) t.b = t.c = t.a;
    set_lane(leaf, lane, t);
    for (const Vec3& corner : {t.a, t.b, t.c}) box.include(corner);
  }
  return box;
}

void set_box(TriangleBvh::Node& node, int lane, const Bounds& box) {
  for (int k = 0; k < 3; ++k) {
    node.min[k][lane] = box.min[k];
    node.max[k][lane] = box.max[k];
  }
}

/// Squared distances to the boxes of the children.
void distances(const TriangleBvh::Node& node, const Vec3& p, Lanes& squared) {
  for (int lane = 0; lane < width; ++lane) {
    Real sum = 0;
    for (int k = 0; k < 3; ++k) {
      const Real below = node.min[k][lane] - p[k], above = p[k] - node.max[k][lane];
      const Real out = below > above ? below : above;
      sum += out > 0 ? out * out : Real(0);
    }
    squared[lane] = sum;
  }
}

Real clamped(Real x) {
  const Real low = x > 0 ? x : Real(0);
  return low < 1 ? low : Real(1);
}

/// Squared distances to the triangles: the smallest of those to the edges and, above the face, that
/// to the face. Each is taken to a point of the triangle, so slivers can make it large, never
/// small.
void distances(const TriangleBvh::Leaf& l, const Vec3& p, Lanes& squared) {
  for (int i = 0; i < width; ++i) {
    const Vec3 ab = {l.ab[0][i], l.ab[1][i], l.ab[2][i]}, ac = {l.ac[0][i], l.ac[1][i], l.ac[2][i]};
    const Vec3 ap = {p[0] - l.a[0][i], p[1] - l.a[1][i], p[2] - l.a[2][i]};
    const Vec3 bc = ac - ab, bp = ap - ab;
    const Real d1 = dot(ab, ap), d2 = dot(ac, ap);
    const Real to_ab = length_squared(ap - ab * clamped(d1 * l.of_ab[i]));
    const Real to_ac = length_squared(ap - ac * clamped(d2 * l.of_ac[i]));
    const Real to_bc = length_squared(bp - bc * clamped(dot(bc, bp) * l.of_bc[i]));
    const Real s = l.g11[i] * d1 - l.g01[i] * d2, t = l.g00[i] * d2 - l.g01[i] * d1;
    const Real to_face = length_squared(ap - ab * clamped(s) - ac * clamped(t));
    const Real edges = to_ab < to_ac ? to_ab : to_ac;
    const Real border = edges < to_bc ? edges : to_bc;
    const Real lowest = s < t ? s : t, within = lowest < 1 - s - t ? lowest : 1 - s - t;
    const Real least = border < to_face ? border : to_face;
    squared[i] = within >= 0 ? least : border;
  }
}

struct Entry {
  Index child;
  Real squared;
};

/// Children still to be looked at, the nearest on top.
struct Stack {
  std::array<Entry, 32 * width> entries;  // splits halve: 2^32 triangles need fewer than 32 levels
  int top = 0;

  void push_sorted(const Entry* begin, int n) {
    for (int k = 0; k < n; ++k) {
      int at = top + k;
      for (; at > top && entries[at - 1].squared < begin[k].squared; --at)
        entries[at] = entries[at - 1];
      entries[at] = begin[k];
    }
    top += n;
  }
};

struct Best {
  Real squared = Real(1e37);
  Index triangle = 0;
};

void search_leaf(const TriangleBvh& bvh, Index leaf, const Vec3& p, Best& best) {
  Lanes squared;
  distances(bvh.leaves[leaf], p, squared);
  const Index first = bvh.leaves[leaf].first, last = bvh.leaves[leaf].count - 1;
  for (int lane = 0; lane < width; ++lane)
    if (squared[lane] < best.squared) best = {squared[lane], first + std::min(lane, last)};
}

void push_children(const TriangleBvh::Node& node, const Vec3& p, Real below, Stack& stack) {
  Lanes squared;
  distances(node, p, squared);
  Entry near[width];
  int n = 0;
  for (int lane = 0; lane < width; ++lane)
    if (squared[lane] < below && node.child[lane] != 0)
      near[n++] = {node.child[lane], squared[lane]};
  stack.push_sorted(near, n);
}

}  // namespace

TriangleBvh make_triangle_bvh(const TriangleMesh& mesh) {
  Builder builder(mesh);
  builder.add_node({0, static_cast<Index>(mesh.triangles.size())});
  builder.bvh.triangles.resize(mesh.triangles.size());
  refit(mesh, builder.bvh);
  return std::move(builder.bvh);
}

void refit(const TriangleMesh& mesh, TriangleBvh& bvh) {
  for (std::size_t k = 0; k < bvh.order.size(); ++k) {
    const Int3& t = mesh.triangles[bvh.order[k]];
    bvh.triangles[k] = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
  }
  std::vector<Bounds> boxes(bvh.nodes.size());
  for (std::size_t n = bvh.nodes.size(); n-- > 0;)  // children come after their parent
    for (int lane = 0; lane < width; ++lane) {
      const Index child = bvh.nodes[n].child[lane];
      Bounds box;
      if (child < 0) box = refit_leaf(bvh, bvh.leaves[~child]);
      if (child > 0) box = boxes[child];
      set_box(bvh.nodes[n], lane, box);
      boxes[n].include(box);
    }
}

NearestPoint nearest_point(const TriangleBvh& bvh, const Vec3& p) {
  Stack stack;
  Best best;
  push_children(bvh.nodes[0], p, best.squared, stack);
  while (stack.top > 0) {
    const Entry entry = stack.entries[--stack.top];
    if (entry.squared >= best.squared) continue;
    if (entry.child < 0)
      search_leaf(bvh, ~entry.child, p, best);
    else
      push_children(bvh.nodes[entry.child], p, best.squared, stack);
  }
  const Vec3 q = nearest_point(bvh.triangles[best.triangle], p);
  return {q, length(p - q), best.triangle};
}

Vec3 nearest_point(const TriangleBvh::Triangle& t, const Vec3& p) {
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

Vec3 face_normal(const TriangleBvh::Triangle& t) {
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  const Real l = length(n);
  return l > 0 ? n / l : Vec3{0, 1, 0};
}

}  // namespace phyxel
