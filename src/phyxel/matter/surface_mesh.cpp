#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

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
