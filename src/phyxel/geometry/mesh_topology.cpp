#include "phyxel/geometry/mesh_topology.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace phyxel {

namespace {

Index root_of(std::vector<Index>& parent, Index v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

/// For each vertex one of those that triangles connect it with, the same for all of them.
std::vector<Index> connected_vertices(const TriangleMesh& mesh) {
  std::vector<Index> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const Int3& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) parent[root_of(parent, t[k])] = root_of(parent, t[0]);
  for (Index v = 0; v < static_cast<Index>(parent.size()); ++v) parent[v] = root_of(parent, v);
  return parent;
}

int count_edges(const TriangleMesh& mesh) {
  std::vector<std::pair<Index, Index>> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  return static_cast<int>(std::unique(edges.begin(), edges.end()) - edges.begin());
}

/// Of the corner of space between the origin and a triangle, times six.
double corner_volume(const TriangleMesh& mesh, const Int3& t, const Vec3d& origin) {
  const auto at = [&](int k) { return cast<double>(mesh.vertices[t[k]]) - origin; };
  return dot(at(0), cross(at(1), at(2)));
}

}  // namespace

MeshTopology topology_of(const TriangleMesh& mesh) {
  const std::vector<Index> group = connected_vertices(mesh);
  const Vec3d middle = cast<double>(bounds_of(mesh).centre());
  std::vector<double> volume(group.size(), 0);
  std::vector<std::uint8_t> used(group.size(), 0);
  for (const Int3& t : mesh.triangles) {
    volume[group[t[0]]] += corner_volume(mesh, t, middle);
    for (int k = 0; k < 3; ++k) used[t[k]] = 1;
  }
  MeshTopology topology;
  topology.euler_number = -count_edges(mesh) + static_cast<int>(mesh.triangles.size());
  for (Index v = 0; v < static_cast<Index>(group.size()); ++v) {
    topology.euler_number += used[v];
    if (group[v] != v || !used[v]) continue;
    ++(volume[v] < 0 ? topology.cavities : topology.pieces);
  }
  return topology;
}

}  // namespace phyxel
