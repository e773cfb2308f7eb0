#include <algorithm>
#include <numeric>

#include "phyxel/geometry/triangle_bvh_view.h"

namespace phyxel {
namespace {

constexpr int width = TriangleBvh::width;

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
  for_each_child<Bounds>(
      bvh, [&](Index leaf) { return refit_leaf(bvh, bvh.leaves[leaf]); },
      [&](std::size_t node, int lane, const Bounds& box) {
        for (int k = 0; k < 3; ++k) {
          bvh.nodes[node].min[k][lane] = box.min[k];
          bvh.nodes[node].max[k][lane] = box.max[k];
        }
      });
}

}  // namespace phyxel
