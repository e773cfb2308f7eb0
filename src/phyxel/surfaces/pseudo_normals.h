#pragma once

#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Normals that distinguish inside from outside at the vertices and edges of a closed mesh, where
/// those of single triangles do not. Baerentzen and Aanaes 2005.
struct PseudoNormals {
  std::vector<Vec3> face;    // of length 1; zero for slivers, where normals are rounding errors
  std::vector<Vec3> edge;    // 3 t + k: of the edge from corner k of triangle t
  std::vector<Vec3> vertex;  // weighted by angles
};
PseudoNormals pseudo_normals(const Exec& exec, const TriangleMesh& mesh);

/// The point of triangle `t` that is nearest to `p`, both in m, and the normal there.
struct NearestOnTriangle {
  Vec3d point;
  Vec3 normal;
};
NearestOnTriangle nearest_on_triangle(const TriangleMesh& mesh, const PseudoNormals& normals,
                                      Index t, const Vec3d& p);

}  // namespace phyxel
