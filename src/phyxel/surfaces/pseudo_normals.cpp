#include "phyxel/surfaces/pseudo_normals.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace phyxel {

namespace {

Vec3d corner(const TriangleMesh& mesh, Index t, int k) {
  return cast<double>(mesh.vertices[mesh.triangles[t][k % 3]]);
}

/// Zero where the height of the triangle is less than 1e-4 of its longest side: positions are
/// single precision, and what they are rounded by turns it any way.
Vec3 face_normal(const TriangleMesh& mesh, Index t) {
  double longest2 = 0;
  for (int k = 0; k < 3; ++k)
    longest2 = std::max(longest2, length_squared(corner(mesh, t, k + 1) - corner(mesh, t, k)));
  const Vec3d n =
      cross(corner(mesh, t, 1) - corner(mesh, t, 0), corner(mesh, t, 2) - corner(mesh, t, 0));
  if (!(length(n) > 1e-4 * longest2)) return Vec3::zero();
  return cast<Real>(normalized(n));
}

double angle_at(const TriangleMesh& mesh, Index t, int k) {
  const Vec3d a = normalized(corner(mesh, t, k + 1) - corner(mesh, t, k));
  const Vec3d b = normalized(corner(mesh, t, k + 2) - corner(mesh, t, k));
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0));
}

std::vector<Vec3> vertex_normals(const Exec& exec, const TriangleMesh& mesh,
                                 const std::vector<Vec3>& face) {
  std::vector<Vec3> weight(face.size()), normal(mesh.vertices.size(), Vec3::zero());
  for_each(exec, "volume.angles", static_cast<Index>(face.size()), [&](Index t) {
    for (int k = 0; k < 3; ++k) weight[t][k] = static_cast<Real>(angle_at(mesh, t, k));
  });
  for (std::size_t t = 0; t < face.size(); ++t)
    for (int k = 0; k < 3; ++k) normal[mesh.triangles[t][k]] += weight[t][k] * face[t];
  return normal;
}

/// Sides that join the same two vertices follow each other in the order of their keys.
std::vector<Vec3> edge_normals(const Exec& exec, const TriangleMesh& mesh,
                               const std::vector<Vec3>& face) {
  const auto sides = static_cast<Index>(3 * face.size());
  const int bits = std::bit_width(mesh.vertices.size());
  Column<std::uint64_t> keys(sides);
  Column<Index> side(sides);
  for_each(exec, "volume.edges", sides, [&](Index s) {
    const Int3& t = mesh.triangles[s / 3];
    const auto [low, high] = std::minmax(t[s % 3], t[(s + 1) % 3]);
    keys[s] = std::uint64_t(low) << bits | std::uint64_t(high);
    side[s] = s;
  });
  SortScratch scratch;
  sort_pairs(exec, "volume.edges", keys, side, 2 * bits, scratch);
  std::vector<Vec3> normal(sides);
  for (Index first = 0, last = 0; first < sides; first = last) {
    Vec3 sum = Vec3::zero();
    for (; last < sides && keys[last] == keys[first]; ++last) sum += face[side[last] / 3];
    for (Index k = first; k < last; ++k) normal[side[k]] = sum;
  }
  return normal;
}

/// Share of the way along the side from corner k at which `p` is nearest to it.
double along(const Vec3d& from, const Vec3d& to, const Vec3d& p) {
  const Vec3d side = to - from;
  const double size2 = length_squared(side);
  return size2 > 0 ? std::clamp(dot(p - from, side) / size2, 0.0, 1.0) : 0.0;
}

bool is_above_face(const TriangleMesh& mesh, Index t, const Vec3d& normal, const Vec3d& p) {
  for (int k = 0; k < 3; ++k) {
    const Vec3d a = corner(mesh, t, k), side = corner(mesh, t, k + 1) - a;
    if (!(dot(cross(normal, side), p - a) > 0)) return false;
  }
  return true;
}

NearestOnTriangle nearest_on_side(const TriangleMesh& mesh, const PseudoNormals& normals, Index t,
                                  int k, const Vec3d& p) {
  const Vec3d a = corner(mesh, t, k), b = corner(mesh, t, k + 1);
  const double s = along(a, b, p);
  const Vec3 &at_a = normals.vertex[mesh.triangles[t][k]],
             &at_b = normals.vertex[mesh.triangles[t][(k + 1) % 3]];
  if (s <= 0) return {a, at_a};
  if (s >= 1) return {b, at_b};
  const Vec3& at_edge = normals.edge[3 * t + k];
  return {a + s * (b - a), at_edge == Vec3::zero() ? at_a + at_b : at_edge};
}

}  // namespace

PseudoNormals pseudo_normals(const Exec& exec, const TriangleMesh& mesh) {
  PseudoNormals normals;
  normals.face.resize(mesh.triangles.size());
  for_each(exec, "volume.normals", static_cast<Index>(mesh.triangles.size()),
           [&](Index t) { normals.face[t] = face_normal(mesh, t); });
  normals.vertex = vertex_normals(exec, mesh, normals.face);
  normals.edge = edge_normals(exec, mesh, normals.face);
  return normals;
}

NearestOnTriangle nearest_on_triangle(const TriangleMesh& mesh, const PseudoNormals& normals,
                                      Index t, const Vec3d& p) {
  const Vec3d n = cast<double>(normals.face[t]);
  if (is_above_face(mesh, t, n, p))
    return {p - dot(n, p - corner(mesh, t, 0)) * n, normals.face[t]};
  NearestOnTriangle best = nearest_on_side(mesh, normals, t, 0, p);
  for (int k = 1; k < 3; ++k) {
    const NearestOnTriangle other = nearest_on_side(mesh, normals, t, k, p);
    if (length_squared(p - other.point) < length_squared(p - best.point)) best = other;
  }
  return best;
}

}  // namespace phyxel
