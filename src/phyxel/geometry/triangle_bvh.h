#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Tree of boxes over triangles, for nearest-point queries. Nodes have up to eight children and
/// leaves up to eight triangles, side by side, so that one instruction acts on all of them. Plain
/// data: any thread may read it.
struct TriangleBvh {
  static constexpr int width = 8;
  using Lanes = Real[width];
  // A node of n leaves has children of at most n / 8, rounded up: fewer than 2^31 triangles make at
  // most 10 levels. A search that opens a node takes one entry from its stack and adds up to 8.
  static constexpr int max_levels = 10;
  static constexpr int max_open = max_levels * (width - 1) + 1;

  struct Node {
    Lanes min[3], max[3];  // boxes of the children; inside out where there is none
    Index child[width];    // node, or ~leaf; 0 (the root, no node's child) where there is none
  };
  /// Triangles a, a + ab, a + ac with what their nearest points need. Spare lanes hold a corner.
  struct Leaf {
    Index first, count;  // of its triangles, in lanes 0 to count - 1
    Lanes a[3], ab[3], ac[3];
    Lanes of_ab, of_ac, of_bc;  // 1 / squared length
    Lanes g00, g01, g11;        // ab.ab, ab.ac, ac.ac over the determinant: barycentric coordinates
  };
  struct Triangle {
    Vec3 a, b, c;
  };
  std::vector<Node> nodes;  // nodes[0] is the root; children come after their parent
  std::vector<Leaf> leaves;
  std::vector<Triangle> triangles;  // in the order of the leaves
  std::vector<Index> order;         // triangles[k] is triangle order[k] of the mesh
};

TriangleBvh make_triangle_bvh(const TriangleMesh& mesh);

/// Moves the tree to new places of the vertices of the same triangles. It stays exact, and quick
/// while neighbours stay neighbours.
void refit(const TriangleMesh& mesh, TriangleBvh& bvh);

/// visit(node, lane, sum) for the children of all nodes, leaves first: the sum over the triangles
/// of a child, of_leaf(leaf) or what its own children include together; Sum{} where there is none.
template <class Sum, class OfLeaf, class Visit>
void for_each_child(const TriangleBvh& bvh, OfLeaf&& of_leaf, Visit&& visit) {
  std::vector<Sum> sums(bvh.nodes.size());
  for (std::size_t n = bvh.nodes.size(); n-- > 0;)  // children come after their parent
    for (int lane = 0; lane < TriangleBvh::width; ++lane) {
      const Index child = bvh.nodes[n].child[lane];
      const Sum sum = child < 0 ? of_leaf(~child) : child > 0 ? sums[child] : Sum{};
      visit(n, lane, sum);
      sums[n].include(sum);
    }
}

/// Nearest point of all triangles.
struct NearestPoint {
  Vec3 point;
  Real distance;   // m
  Index triangle;  // into TriangleBvh::triangles
};

}  // namespace phyxel
