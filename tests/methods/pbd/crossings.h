#pragma once

#include <vector>

#include "phyxel/geometry/box_tree.h"
#include "phyxel/geometry/mesh.h"

// Triangles of a mesh that pass through each other, counted exactly.

namespace phyxel::pbd {

/// Numbers with which the sign of orientation() is exact for coordinates in float: differences have
/// at most 50 bits where sizes differ by 2^26 or less, sums of their products three times as many.
/// A product of two differences is exact in long double or __float128 (113 bits); what the third
/// factor rounds is below any sum that is not zero.
using Exact = __float128;

/// +1, -1 or 0: on which side of the plane a b c the point d is.
inline int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto determinant = [&]<class T>(T) {
    T u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = T(a[k]) - T(d[k]);
      v[k] = T(b[k]) - T(d[k]);
      w[k] = T(c[k]) - T(d[k]);
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
  };
  double size = 1;
  for (const Vec3& p : {a, b, c}) {
    double largest = 0;
    for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(double(p[k]) - double(d[k])));
    size *= largest;
  }
  // Shewchuk 1997: 7 units in the last place, times six products, is less than this.
  const double quick = determinant(0.0);
  if (std::abs(quick) > 1e-14 * size) return quick > 0 ? 1 : -1;
  const Exact sure = determinant(Exact(0));
  return sure > 0 ? 1 : sure < 0 ? -1 : 0;
}

/// Whether the edge p q passes through the triangle a b c; ends or borders that only touch do not.
inline bool edge_passes(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int above = orientation(a, b, c, p), below = orientation(a, b, c, q);
  if (above * below >= 0) return false;
  const int u = orientation(p, q, a, b), v = orientation(p, q, b, c), w = orientation(p, q, c, a);
  return u != 0 && u == v && v == w;
}

/// Whether an edge of one triangle passes through the other. Corners that both have do not count.
inline bool triangles_cross(const TriangleMesh& mesh, const Int3& s, const Int3& t) {
  const auto pass = [&](const Int3& edges, const Int3& face) {
    for (int k = 0; k < 3; ++k) {
      const Index p = edges[k], q = edges[(k + 1) % 3];
      bool apart = true;
      for (int m = 0; m < 3; ++m) apart &= face[m] != p && face[m] != q;
      if (apart && edge_passes(mesh.vertices[p], mesh.vertices[q], mesh.vertices[face[0]],
                               mesh.vertices[face[1]], mesh.vertices[face[2]]))
        return true;
    }
    return false;
  };
  return pass(s, t) || pass(t, s);
}

/// How many pairs of triangles of a mesh pass through each other.
inline int count_crossings(const TriangleMesh& mesh) {
  std::vector<Bounds> boxes;
  for (const Int3& t : mesh.triangles) {
    Bounds box;
    for (int k = 0; k < 3; ++k) box.include(mesh.vertices[t[k]]);
    for (int k = 0; k < 3; ++k) {  // flat boxes meet as well
      box.min[k] -= Real(1e-6);
      box.max[k] += Real(1e-6);
    }
    boxes.push_back(box);
  }
  const BoxTree tree = make_box_tree(boxes);
  int crossings = 0;
  for (Index i = 0; i < static_cast<Index>(mesh.triangles.size()); ++i)
    for (const Index j : boxes_meeting(tree, boxes[i]))
      if (j > i) crossings += triangles_cross(mesh, mesh.triangles[i], mesh.triangles[j]);
  return crossings;
}

}  // namespace phyxel::pbd
