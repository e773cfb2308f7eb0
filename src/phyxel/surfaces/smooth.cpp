#include "phyxel/surfaces/smooth.h"

namespace phyxel {

namespace {

// Taubin, "A signal processing approach to fair surface design", 1995: a pass band of
// 1/0.5 - 1/0.53 = 0.11.
constexpr Real inwards = Real(0.5), outwards = Real(-0.53);

/// Each edge of a closed mesh is met twice, once in each direction: every neighbour counts once.
void move_towards_neighbours(TriangleMesh& mesh, Real part) {
  std::vector<Vec3> sum(mesh.vertices.size(), Vec3::zero());
  std::vector<int> count(mesh.vertices.size(), 0);
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      sum[t[k]] += mesh.vertices[t[(k + 1) % 3]] - mesh.vertices[t[k]];
      ++count[t[k]];
    }
  for (std::size_t v = 0; v < sum.size(); ++v)
    if (count[v] > 0) mesh.vertices[v] += sum[v] * (part / static_cast<Real>(count[v]));
}

/// Moves every vertex along its normal by the same distance, so that the volume becomes `wanted`.
void restore_volume(TriangleMesh& mesh, double wanted) {
  const double surface = area(mesh);
  if (surface <= 0) return;
  std::vector<Vec3> normal(mesh.vertices.size(), Vec3::zero());
  for (const Int3& t : mesh.triangles) {
    const Vec3 n =
        cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
    for (int k = 0; k < 3; ++k) normal[t[k]] += n;
  }
  const Real distance = static_cast<Real>((wanted - volume(mesh)) / surface);
  for (std::size_t v = 0; v < normal.size(); ++v)
    mesh.vertices[v] += normalized(normal[v]) * distance;
}

}  // namespace

void smooth(TriangleMesh& mesh, int passes) {
  const double before = volume(mesh);
  for (int pass = 0; pass < passes; ++pass) {
    move_towards_neighbours(mesh, inwards);
    move_towards_neighbours(mesh, outwards);
  }
  restore_volume(mesh, before);
}

}  // namespace phyxel
