#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Tree of boxes over triangles, for nearest-point queries. Plain data: read on any thread.
struct TriangleBvh {
  struct Node {
    Vec3 min, max;
    Index first = 0;  // first triangle of a leaf, or the left child (the right one follows it)
    Index count = 0;  // triangles of a leaf; 0 for an inner node
  };
  struct Triangle {
    Vec3 a, b, c;
  };
  std::vector<Node> nodes;          // nodes[0] is the root; children come after their parent
  std::vector<Triangle> triangles;  // in the order of the leaves
  std::vector<Index> order;         // triangles[k] is triangle order[k] of the mesh
};

TriangleBvh make_triangle_bvh(const TriangleMesh& mesh);

/// Nearest point of all triangles.
struct NearestPoint {
  Vec3 point;
  Real distance_squared;
  Index triangle;  // into TriangleBvh::triangles
};
NearestPoint nearest_point(const TriangleBvh& bvh, const Vec3& p);

/// Nearest point of one triangle. Ericson 2005, section 5.1.5.
Vec3 nearest_point(const TriangleBvh::Triangle& t, const Vec3& p);

/// Unit normal of a triangle, counter-clockwise seen from its tip; y for one without area.
Vec3 face_normal(const TriangleBvh::Triangle& t);

}  // namespace phyxel
