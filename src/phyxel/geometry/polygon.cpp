#include "phyxel/geometry/polygon.h"

#include <algorithm>

namespace phyxel {

void add_triangle(TriangleMesh& mesh, Index a, Index b, Index c) {
  if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
}

namespace {

// Ear clipping looks at all corners for each corner; beyond this a fan must do, so that no file can
// make reading take for ever.
constexpr std::size_t max_clipped_corners = 256;

/// Twice the area of a polygon times its normal (Newell): also right when it is not quite flat.
Vec3d area_normal(const TriangleMesh& mesh, const std::vector<Index>& corners) {
  Vec3d sum = Vec3d::zero();
  const Vec3d origin = cast<double>(mesh.vertices[corners[0]]);
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3d a = cast<double>(mesh.vertices[corners[k]]) - origin;
    const Vec3d b = cast<double>(mesh.vertices[corners[(k + 1) % corners.size()]]) - origin;
    sum += cross(a, b);
  }
  return sum;
}

struct Corner {
  Index vertex;
  Vec3d point;
  bool ear = false;
};

double turn(const Corner& a, const Corner& b, const Corner& c, const Vec3d& normal) {
  return dot(cross(b.point - a.point, c.point - b.point), normal);
}

bool is_ear(const std::vector<Corner>& ring, std::size_t k, const Vec3d& normal) {
  const std::size_t n = ring.size();
  const Corner &a = ring[(k + n - 1) % n], &b = ring[k], &c = ring[(k + 1) % n];
  if (turn(a, b, c, normal) <= 0) return false;
  for (const Corner& p : ring) {
    if (p.vertex == a.vertex || p.vertex == b.vertex || p.vertex == c.vertex) continue;
    if (turn(a, b, p, normal) >= 0 && turn(b, c, p, normal) >= 0 && turn(c, a, p, normal) >= 0)
      return false;
  }
  return true;
}

/// Cutting an ear off can only make ears of the two corners beside it, or unmake them.
void clip_ears(TriangleMesh& mesh, std::vector<Corner> ring, const Vec3d& normal) {
  for (std::size_t k = 0; k < ring.size(); ++k) ring[k].ear = is_ear(ring, k, normal);
  while (ring.size() > 3) {
    auto ear = std::find_if(ring.begin(), ring.end(), [](const Corner& c) { return c.ear; });
    if (ear == ring.end()) ear = ring.begin();  // not simple: any cut keeps the edges closed
    const std::size_t k = ear - ring.begin(), n = ring.size();
    add_triangle(mesh, ring[(k + n - 1) % n].vertex, ear->vertex, ring[(k + 1) % n].vertex);
    ring.erase(ear);
    for (const std::size_t beside : {(k + n - 2) % (n - 1), k % (n - 1)})
      ring[beside].ear = is_ear(ring, beside, normal);
  }
  add_triangle(mesh, ring[0].vertex, ring[1].vertex, ring[2].vertex);
}

}  // namespace

void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners) {
  if (corners.size() < 3) return;
  if (corners.size() == 3) return add_triangle(mesh, corners[0], corners[1], corners[2]);
  if (corners.size() > max_clipped_corners) {
    for (std::size_t k = 2; k < corners.size(); ++k)
      add_triangle(mesh, corners[0], corners[k - 1], corners[k]);
    return;
  }
  std::vector<Corner> ring;
  for (const Index vertex : corners) ring.push_back({vertex, cast<double>(mesh.vertices[vertex])});
  clip_ears(mesh, std::move(ring), area_normal(mesh, corners));
}

}  // namespace phyxel
