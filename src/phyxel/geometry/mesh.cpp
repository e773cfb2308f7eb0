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
  Real tolerance;
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
    const Real r = tolerance;
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

namespace {

Welder make_welder(Real tolerance) {
  // A cell a little wider than twice the tolerance: everything near lies in the eight cells about a
  // point, its own among them however it is rounded.
  const Real least = std::max(tolerance, Real(1e-30));
  return {Real(2.5) * least, least, tolerance * tolerance, {}, {}};
}

std::vector<Index> add_all(const TriangleMesh& mesh, Welder& welder) {
  std::vector<Index> index;
  for (const Vec3& v : mesh.vertices) index.push_back(welder.add(v));
  return index;
}

}  // namespace

std::vector<Index> weld_numbers(const TriangleMesh& mesh, Real tolerance) {
  Welder welder = make_welder(tolerance);
  return add_all(mesh, welder);
}

TriangleMesh welded(const TriangleMesh& mesh, Real tolerance) {
  Welder welder = make_welder(tolerance);
  const std::vector<Index> index = add_all(mesh, welder);
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
