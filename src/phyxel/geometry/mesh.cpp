#include "phyxel/geometry/mesh.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace phyxel {
namespace {

struct Corners {
  Vec3d a, b, c;
};
Corners corners(const TriangleMesh& mesh, const Int3& t) {
  return {cast<double>(mesh.vertices[t[0]]), cast<double>(mesh.vertices[t[1]]),
          cast<double>(mesh.vertices[t[2]])};
}

/// Groups of vertices joined by edges.
struct Groups {
  std::vector<Index> parent;

  explicit Groups(std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
  Index root(Index k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  }
  void join(Index a, Index b) { parent[root(a)] = root(b); }
};

using Edge = std::pair<Index, Index>;

/// For each edge (smaller vertex first) how often it is passed forwards minus backwards, where not
/// 0.
std::vector<Edge> unpaired_edges(const TriangleMesh& mesh) {
  std::vector<std::pair<Edge, int>> passes;
  passes.reserve(3 * mesh.triangles.size());
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      if (a != b) passes.push_back({std::minmax(a, b), a < b ? 1 : -1});
    }
  std::sort(passes.begin(), passes.end());
  std::vector<Edge> open;
  for (std::size_t k = 0; k < passes.size();) {
    const Edge edge = passes[k].first;
    int balance = 0;
    for (; k < passes.size() && passes[k].first == edge; ++k) balance += passes[k].second;
    if (balance != 0) open.push_back(edge);
  }
  return open;
}

/// Vertices by the cell of a grid they lie in, to find near ones.
struct Welder {
  Real cell;
  Real tolerance_squared;
  std::unordered_multimap<std::uint64_t, Index> seen;
  std::vector<Vec3> vertices;

  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u ^
           static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4Fu ^
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9u;
  }
  /// Beyond the clamp, where neighbours differ by more than any cell, all share one.
  std::int64_t coordinate(Real x) const {
    return static_cast<std::int64_t>(
        std::clamp(std::floor(static_cast<double>(x) / cell), -9e18, 9e18));
  }
  Index find(const Vec3& p) const {
    const Real r = cell / 2;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 q = p + Vec3{corner & 1 ? r : -r, corner & 2 ? r : -r, corner & 4 ? r : -r};
      const auto [first, last] =
          seen.equal_range(key(coordinate(q[0]), coordinate(q[1]), coordinate(q[2])));
      for (auto it = first; it != last; ++it)
        if (length_squared(vertices[it->second] - p) <= tolerance_squared) return it->second;
    }
    return -1;
  }
  Index add(const Vec3& p) {
    const Index known = find(p);
    if (known >= 0) return known;
    const Index index = static_cast<Index>(vertices.size());
    vertices.push_back(p);
    seen.emplace(key(coordinate(p[0]), coordinate(p[1]), coordinate(p[2])), index);
    return index;
  }
};

}  // namespace

Bounds bounds_of(const TriangleMesh& mesh) {
  Bounds b;
  for (const Vec3& v : mesh.vertices) b.include(v);
  return b;
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Int3& t : mesh.triangles) {
    const Corners k = corners(mesh, t);
    sum += length(cross(k.b - k.a, k.c - k.a)) / 2;
  }
  return sum;
}

double volume(const TriangleMesh& mesh) {
  // About the middle, so that a small hole changes it little.
  const Vec3d middle = cast<double>(bounds_of(mesh).centre());
  double sum = 0;
  for (const Int3& t : mesh.triangles) {
    const Corners k = corners(mesh, t);
    sum += dot(k.a - middle, cross(k.b - middle, k.c - middle)) / 6;
  }
  return sum;
}

OpenEdges open_edges(const TriangleMesh& mesh) {
  const std::vector<Edge> edges = unpaired_edges(mesh);
  Groups groups(mesh.vertices.size());
  for (const Edge& e : edges) groups.join(e.first, e.second);
  std::map<Index, Bounds> holes;
  for (const Edge& e : edges) {
    Bounds& hole = holes[groups.root(e.first)];
    hole.include(mesh.vertices[e.first]);
    hole.include(mesh.vertices[e.second]);
  }
  OpenEdges open{edges.size(), holes.size(), 0};
  for (const auto& [root, box] : holes)
    open.widest_hole = std::max(open.widest_hole, length(box.size()));
  return open;
}

TriangleMesh welded(const TriangleMesh& mesh, Real tolerance) {
  // A cell twice the tolerance: everything near lies in the eight cells about a point.
  Welder welder{2 * std::max(tolerance, Real(1e-30)), tolerance * tolerance, {}, {}};
  std::vector<Index> index;
  for (const Vec3& v : mesh.vertices) index.push_back(welder.add(v));
  TriangleMesh result;
  for (const Int3& t : mesh.triangles) {
    const Int3 u = {index[t[0]], index[t[1]], index[t[2]]};
    if (u[0] != u[1] && u[1] != u[2] && u[2] != u[0]) result.triangles.push_back(u);
  }
  result.vertices = std::move(welder.vertices);
  return result;
}

std::size_t PlaceHash::operator()(const Vec3& p) const {
  std::size_t h = 0;
  for (int k = 0; k < 3; ++k) h = (h ^ std::hash<Real>{}(p[k])) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 32);
}

void append(TriangleMesh& mesh, const TriangleMesh& part) {
  const auto first = static_cast<Index>(mesh.vertices.size());
  for (const Int3& t : part.triangles) mesh.triangles.push_back(t + Int3{first, first, first});
  mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (Int3& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

TriangleMesh mesh_box(const Vec3& size) {
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

namespace {

TriangleMesh icosahedron() {
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
TriangleMesh split(const TriangleMesh& mesh) {
  TriangleMesh finer;
  finer.vertices = mesh.vertices;
  std::map<Edge, Index> middles;
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

}  // namespace

TriangleMesh mesh_icosphere(Real radius, int level) {
  TriangleMesh mesh = icosahedron();
  for (int k = 0; k < level; ++k) mesh = split(mesh);
  for (Vec3& v : mesh.vertices) v = normalized(v) * radius;
  return mesh;
}

TriangleMesh mesh_uv_sphere(Real radius, int rings, int sectors) {
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
