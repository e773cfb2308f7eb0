#include "phyxel/render/mesh_normals.h"

#include <cstddef>

namespace phyxel::render {
namespace {

constexpr Real crease_cosine = Real(0.766);  // 40 degrees

/// Triangles around each vertex: row v is triangles[first[v]] up to triangles[first[v + 1]].
struct Fans {
  std::vector<std::size_t> first;
  std::vector<std::size_t> triangles;
};

Fans fans_of(const TriangleMesh& mesh) {
  Fans fans{std::vector<std::size_t>(mesh.vertices.size() + 1, 0), {}};
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++fans.first[t[k] + 1];
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) fans.first[v + 1] += fans.first[v];
  fans.triangles.resize(3 * mesh.triangles.size());
  std::vector<std::size_t> next(fans.first.begin(), fans.first.end() - 1);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) fans.triangles[next[mesh.triangles[i][k]]++] = i;
  return fans;
}

/// Twice the area along the normal.
Vec3 area_normal(const TriangleMesh& mesh, const Int3& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
}

}  // namespace

std::vector<Vec3f> corner_normals(const TriangleMesh& mesh) {
  const Fans fans = fans_of(mesh);
  std::vector<Vec3> areas, units;
  for (const Int3& t : mesh.triangles) {
    areas.push_back(area_normal(mesh, t));
    units.push_back(normalized(areas.back()));
  }
  std::vector<Vec3f> normals;
  normals.reserve(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      Vec3 sum = areas[i];
      const Index v = mesh.triangles[i][k];
      for (std::size_t f = fans.first[v]; f < fans.first[v + 1]; ++f) {
        const std::size_t j = fans.triangles[f];
        if (j != i && dot(units[i], units[j]) > crease_cosine) sum += areas[j];
      }
      normals.push_back(cast<float>(normalized(sum)));
    }
  return normals;
}

}  // namespace phyxel::render
