#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "phyxel/geometry/mesh.h"

// Meshes whose shape is known.

namespace phyxel {

inline TriangleMesh mesh_box(const Vec3& size) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    const Vec3 side = {Real(k & 1 ? 1 : -1), Real(k & 2 ? 1 : -1), Real(k & 4 ? 1 : -1)};
    mesh.vertices.push_back(scaled(side, size) * Real(0.5));
  }
  const Index quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                             {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

inline TriangleMesh icosahedron() {
  const Real g = Real(1.618033988749895);
  TriangleMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  return mesh;
}

/// Every triangle into four.
inline TriangleMesh split(const TriangleMesh& mesh) {
  TriangleMesh finer;
  finer.vertices = mesh.vertices;
  std::map<std::pair<Index, Index>, Index> middles;
  const auto middle = [&](Index a, Index b) {
    const auto [it, added] =
        middles.try_emplace(std::minmax(a, b), static_cast<Index>(finer.vertices.size()));
    if (added) finer.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * Real(0.5));
    return it->second;
  };
  for (const Int3& t : mesh.triangles) {
    const Index ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
    for (const Int3& u :
         {Int3{t[0], ab, ca}, Int3{t[1], bc, ab}, Int3{t[2], ca, bc}, Int3{ab, bc, ca}})
      finer.triangles.push_back(u);
  }
  return finer;
}

/// Sphere from an icosahedron split `level` times: 20 * 4^level nearly equal triangles.
inline TriangleMesh mesh_icosphere(Real radius, int level) {
  TriangleMesh mesh = icosahedron();
  for (int k = 0; k < level; ++k) mesh = split(mesh);
  for (Vec3& v : mesh.vertices) v = normalized(v) * radius;
  return mesh;
}

/// Sphere of `rings` bands along y with `sectors` quads each.
inline TriangleMesh mesh_uv_sphere(Real radius, int rings, int sectors) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, radius, 0});
  for (int r = 1; r < rings; ++r)
    for (int s = 0; s < sectors; ++s) {
      const double down = M_PI * r / rings, round = 2 * M_PI * s / sectors;
      const Vec3d v = {std::sin(down) * std::cos(round), std::cos(down),
                       -std::sin(down) * std::sin(round)};
      mesh.vertices.push_back(cast<Real>(v) * radius);
    }
  mesh.vertices.push_back({0, -radius, 0});
  const Index last = static_cast<Index>(mesh.vertices.size()) - 1;
  const auto at = [&](int r, int s) { return 1 + (r - 1) * sectors + s % sectors; };
  for (int s = 0; s < sectors; ++s) {
    mesh.triangles.push_back({0, at(1, s), at(1, s + 1)});
    for (int r = 1; r + 1 < rings; ++r) {
      mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r + 1, s + 1)});
      mesh.triangles.push_back({at(r, s), at(r + 1, s + 1), at(r, s + 1)});
    }
    mesh.triangles.push_back({at(rings - 1, s), last, at(rings - 1, s + 1)});
  }
  return mesh;
}

}  // namespace phyxel
