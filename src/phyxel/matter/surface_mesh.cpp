#include "phyxel/matter/surface_mesh.h"

#include "phyxel/geometry/body_mesh.h"

namespace phyxel {

SurfaceMesh surface_of(const FrameSet& mesh, const Vec3d& origin) {
  SurfaceMesh surface;
  surface.origin = origin;
  surface.mesh.triangles = mesh.triangles;
  for (const FrameColumn& column : mesh.columns) {
    const auto number = [&](std::size_t i, int c) {
      return static_cast<Real>(column.number(i, c));
    };
    if (column.name == "position")
      for (std::size_t i = 0; i < mesh.count; ++i)
        surface.mesh.vertices.push_back({number(i, 0), number(i, 1), number(i, 2)});
    else if (column.name == "texture" && column.components == 2)
      for (std::size_t i = 0; i < mesh.count; ++i)
        surface.texture.push_back({number(i, 0), number(i, 1)});
    else
      surface.attributes.push_back(column);
  }
  surface.normals = vertex_normals(surface.mesh);
  return surface;
}

FrameSet set_of(const SurfaceMesh& surface, const std::string& name) {
  FrameSet set;
  set.name = name;
  set.kind = SetKind::mesh;
  set.count = surface.mesh.vertices.size();
  set.columns = {make_frame_column("position", "m", surface.mesh.vertices.data(), set.count)};
  if (surface.texture.size() == set.count && set.count > 0)
    set.columns.push_back(make_frame_column("texture", "", surface.texture.data(), set.count));
  set.columns.insert(set.columns.end(), surface.attributes.begin(), surface.attributes.end());
  set.triangles = surface.mesh.triangles;
  return set;
}

std::vector<Vec3d> world_vertices(const SurfaceMesh& surface) {
  std::vector<Vec3d> vertices;
  vertices.reserve(surface.mesh.vertices.size());
  for (const Vec3& v : surface.mesh.vertices) vertices.push_back(surface.origin + cast<double>(v));
  return vertices;
}

SurfaceMesh rebased(SurfaceMesh surface, const Vec3d& origin) {
  if (surface.origin == origin) return surface;
  const Vec3d by = surface.origin - origin;
  for (Vec3& v : surface.mesh.vertices) v = cast<Real>(by + cast<double>(v));
  surface.origin = origin;
  return surface;
}

}  // namespace phyxel
