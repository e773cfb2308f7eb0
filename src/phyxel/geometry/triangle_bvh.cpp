#include "phyxel/geometry/triangle_bvh.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace phyxel {
namespace {

constexpr Index leaf_size = 4;

struct Builder {
  const TriangleMesh& mesh;
  std::vector<Bounds> boxes;
  std::vector<Vec3> centres;
  TriangleBvh bvh;

  explicit Builder(const TriangleMesh& m) : mesh(m) {
    for (const Int3& t : mesh.triangles) {
      Bounds box;
      for (int k = 0; k < 3; ++k) box.include(mesh.vertices[t[k]]);
      boxes.push_back(box);
      centres.push_back(box.centre());
    }
    bvh.order.resize(mesh.triangles.size());
    std::iota(bvh.order.begin(), bvh.order.end(), 0);
  }

  Bounds bounds(Index first, Index last) const {
    Bounds b;
    for (Index k = first; k < last; ++k) b.include(boxes[bvh.order[k]]);
    return b;
  }

  /// Sorts the triangles about the median of the longest axis.
  Index split(Index first, Index last) {
    Bounds spread;
    for (Index k = first; k < last; ++k) spread.include(centres[bvh.order[k]]);
    const Vec3 size = spread.size();
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const Index middle = (first + last) / 2;
    const auto begin = bvh.order.begin();
    std::nth_element(begin + first, begin + middle, begin + last, [&](Index a, Index b) {
      return std::pair(centres[a][axis], a) < std::pair(centres[b][axis], b);
    });
    return middle;
  }

  void build(Index node, Index first, Index last) {
    const Bounds b = bounds(first, last);
    bvh.nodes[node] = {b.min, b.max, first, last - first};
    if (last - first <= leaf_size) return;
    const Index middle = split(first, last);
    const Index left = static_cast<Index>(bvh.nodes.size());
    bvh.nodes.resize(bvh.nodes.size() + 2);
    bvh.nodes[node].first = left;
    bvh.nodes[node].count = 0;
    build(left, first, middle);
    build(left + 1, middle, last);
  }
};

Real distance_squared(const TriangleBvh::Node& node, const Vec3& p) {
  Real sum = 0;
  for (int k = 0; k < 3; ++k) {
    const Real out = std::max(std::max(node.min[k] - p[k], p[k] - node.max[k]), Real(0));
    sum += out * out;
  }
  return sum;
}

void search_leaf(const TriangleBvh& bvh, const TriangleBvh::Node& leaf, const Vec3& p,
                 NearestPoint& best) {
  for (Index k = leaf.first; k < leaf.first + leaf.count; ++k) {
    const Vec3 q = nearest_point(bvh.triangles[k], p);
    const Real d = length_squared(p - q);
    if (d < best.distance_squared) best = {q, d, k};
  }
}

}  // namespace

TriangleBvh make_triangle_bvh(const TriangleMesh& mesh) {
  Builder builder(mesh);
  builder.bvh.nodes.resize(1);
  builder.build(0, 0, static_cast<Index>(mesh.triangles.size()));
  TriangleBvh bvh = std::move(builder.bvh);
  for (const Index k : bvh.order) {
    const Int3& t = mesh.triangles[k];
    bvh.triangles.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]});
  }
  return bvh;
}

NearestPoint nearest_point(const TriangleBvh& bvh, const Vec3& p) {
  struct Entry {
    Index node;
    Real distance_squared;
  };
  std::array<Entry, 64> stack;  // halving splits: 2^31 triangles need 32
  stack[0] = {0, 0};
  int top = 1;
  NearestPoint best = {p, Real(1e37), 0};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.distance_squared >= best.distance_squared) continue;
    const TriangleBvh::Node& node = bvh.nodes[entry.node];
    if (node.count > 0) {
      search_leaf(bvh, node, p, best);
      continue;
    }
    Entry near = {node.first, distance_squared(bvh.nodes[node.first], p)};
    Entry far = {node.first + 1, distance_squared(bvh.nodes[node.first + 1], p)};
    if (far.distance_squared < near.distance_squared) std::swap(near, far);
    stack[top++] = far;
    stack[top++] = near;
  }
  return best;
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
