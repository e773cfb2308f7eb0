#include "phyxel/geometry/body_mesh.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <unordered_map>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

using Edge = Vec<Index, 2>;

bool is_triangular(Packing packing) {
  return packing == Packing::closest || packing == Packing::hexagonal;
}

/// Points of a sheet in a row or a column: a length holds so many, `step` apart.
Index count_along(const char* key, Real length, double step, Real spacing) {
  const double parts = std::floor(length / step + 0.5);
  if (parts < 1)
    throw InputError(fmt::format(
        "{} = {:.4g} m holds a single row of points at spacing = {:.4g} m, must be at least {:.4g} "
        "m; enlarge it or lower the spacing",
        key, length, spacing, step));
  if (parts > 1e6)
    throw InputError(fmt::format(
        "{} = {:.4g} m holds more than a million points in a row at spacing = {:.4g} m; raise the "
        "spacing",
        key, length, spacing));
  return static_cast<Index>(parts) + 1;
}

/// The rows of a sheet: how many points each has, and the number of its first.
struct Rows {
  Index width, count;
  bool triangular;

  Index length(Index row) const { return width - (triangular && row % 2 == 1 ? 1 : 0); }
  Index first(Index row) const { return row * width - (triangular ? row / 2 : 0); }
};

void add_points(const Rows& rows, Real spacing, double height_of_row, BodyMesh& mesh) {
  const double half = 0.5 * (rows.count - 1) * height_of_row,
               wide = double(rows.width - 1) * spacing;
  for (Index r = 0; r < rows.count; ++r)
    for (Index c = 0; c < rows.length(r); ++c) {
      const double x = (c - 0.5 * (rows.length(r) - 1)) * spacing, y = r * height_of_row - half;
      mesh.surface.vertices.push_back({Real(x), Real(y), 0});
      mesh.texture.push_back({Real(x / wide + 0.5), Real((y + half) / (2 * half))});
    }
}

/// Between a row and the one above it; counter-clockwise seen from above the plane.
void add_triangles(const Rows& rows, Index r, TriangleMesh& mesh) {
  const Index a = rows.first(r), b = rows.first(r + 1), n = rows.width - 1;
  for (Index c = 0; c < n; ++c) {
    const bool turn = (r + c) % 2 == 1;  // diagonals of squares alternate
    if (!rows.triangular) {
      mesh.triangles.push_back({a + c, a + c + 1, turn ? b + c : b + c + 1});
      mesh.triangles.push_back({turn ? a + c + 1 : a + c, b + c + 1, b + c});
    } else if (r % 2 == 0) {
      mesh.triangles.push_back({a + c, a + c + 1, b + c});
      if (c + 1 < n) mesh.triangles.push_back({b + c, a + c + 1, b + c + 1});
    } else {
      mesh.triangles.push_back({a + c, b + c + 1, b + c});
      if (c + 1 < n) mesh.triangles.push_back({a + c, a + c + 1, b + c + 1});
    }
  }
}

/// Every second row is shorter by one point; triangles beside it make straight sides.
void fill_sides(const Rows& rows, TriangleMesh& mesh) {
  if (!rows.triangular) return;
  for (Index r = 0; r + 2 < rows.count; r += 2) {
    const Index a = rows.first(r), b = rows.first(r + 1), c = rows.first(r + 2), n = rows.width - 1;
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a + n, c + n, b + n - 1});
  }
}

void check_triangles(const TriangleMesh& mesh, const std::vector<Index>& point) {
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const Int3& t = mesh.triangles[k];
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Real longest2 =
        std::max({length_squared(b - a), length_squared(c - b), length_squared(a - c)});
    const bool folded =
        point[t[0]] == point[t[1]] || point[t[1]] == point[t[2]] || point[t[2]] == point[t[0]];
    if (folded || length(cross(b - a, c - a)) < Real(1e-4) * longest2)
      throw InputError(fmt::format(
          "triangle {} at [{:.5g}, {:.5g}, {:.5g}] has no area: a sheet needs triangles with three "
          "corners apart; remove it from the mesh",
          k, a[0], a[1], a[2]));
  }
}

void check_all_used(const BodyMesh& mesh, std::size_t points) {
  std::vector<bool> used(points, false);
  for (const Int3& t : mesh.surface.triangles)
    for (int c = 0; c < 3; ++c) used[mesh.point[t[c]]] = true;
  const auto lone = std::find(used.begin(), used.end(), false);
  if (lone == used.end()) return;
  const auto vertex =
      std::find(mesh.point.begin(), mesh.point.end(), static_cast<Index>(lone - used.begin())) -
      mesh.point.begin();
  throw InputError(fmt::format(
      "vertex {} belongs to no triangle, and nothing would hold it; remove it from the mesh",
      vertex));
}

void check_spacing(const BodyMesh& mesh, const std::vector<Vec3>& points, Real spacing) {
  double sum = 0;
  for (const Edge& e : mesh.edges) sum += length(points[e[1]] - points[e[0]]);
  const double mean = sum / double(mesh.edges.size());
  if (mean >= 0.5 * spacing && mean <= 2 * spacing) return;
  throw InputError(fmt::format(
      "its edges are {:.4g} m long in the mean, must be from half of spacing = {:.4g} m to twice "
      "it, as its vertices are the particles; say spacing = {:.3g}, or give a mesh with other "
      "triangles",
      mean, spacing, mean));
}

/// The corner behind the first part that has no length, or 0.
std::size_t repeated_corner(const std::vector<Vec3>& corners) {
  for (std::size_t k = 1; k < corners.size(); ++k)
    if (corners[k] == corners[k - 1]) return k;
  return 0;
}

void check_line(const std::vector<Vec3>& corners, double length, Real spacing) {
  if (corners.size() < 2)
    throw InputError(fmt::format("points has {} of them, must be at least 2: a line has two ends",
                                 corners.size()));
  if (const std::size_t k = repeated_corner(corners))
    throw InputError(
        fmt::format("points {} and {} are at one place; remove one of them", k - 1, k));
  if (length * (1 + 1e-6) < spacing)
    throw InputError(fmt::format(
        "the line is {:.4g} m long, must be at least spacing = {:.4g} m; lower the spacing or move "
        "its points apart",
        length, spacing));
  if (length / spacing > 1e8)
    throw InputError(
        fmt::format("the line holds {:.2g} points; raise the spacing", length / spacing));
}

}  // namespace

std::vector<Edge> edges_of(const TriangleMesh& mesh, const std::vector<Index>& point) {
  std::vector<std::pair<Index, Index>> pairs;
  pairs.reserve(3 * mesh.triangles.size());
  const auto point_of = [&](Index vertex) { return point.empty() ? vertex : point[vertex]; };
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      pairs.push_back(std::minmax(point_of(t[k]), point_of(t[(k + 1) % 3])));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<Edge> edges;
  for (const auto& [a, b] : pairs) edges.push_back({a, b});
  return edges;
}

BodyMesh make_sheet(Real width, Real height, Packing packing, Real spacing) {
  if (!is_triangular(packing) && packing != Packing::cubic)
    throw InputError(
        "a sheet is regular: packing must be \"closest\" (rows of triangles) or \"cubic\" (a "
        "square grid)");
  const bool triangular = is_triangular(packing);
  const double row = triangular ? std::sqrt(0.75) * spacing : double(spacing);
  const Rows rows{count_along("width", width, spacing, spacing),
                  count_along("height", height, row, spacing), triangular};
  if (double(rows.width) * rows.count > 1e8)
    throw InputError(fmt::format("{:.2g} points are more than a sheet can have; raise the spacing",
                                 double(rows.width) * rows.count));
  BodyMesh mesh;
  add_points(rows, spacing, row, mesh);
  for (Index r = 0; r + 1 < rows.count; ++r) add_triangles(rows, r, mesh.surface);
  fill_sides(rows, mesh.surface);
  mesh.point.resize(mesh.surface.vertices.size());
  std::iota(mesh.point.begin(), mesh.point.end(), 0);
  mesh.edges = edges_of(mesh.surface, mesh.point);
  return mesh;
}

BodyMesh make_line(const std::vector<Vec3>& corners, Real spacing) {
  double total = 0;
  for (std::size_t k = 1; k < corners.size(); ++k)
    total += length(cast<double>(corners[k]) - cast<double>(corners[k - 1]));
  check_line(corners, total, spacing);
  const double parts = std::floor(total / spacing * (1 + 1e-6));
  const double begin = std::max(0.0, (total - parts * spacing) / 2);
  BodyMesh mesh;
  double passed = 0;  // length up to corner k - 1
  std::size_t k = 1;
  Vec3d a = cast<double>(corners[0]), b = cast<double>(corners[1]);
  for (Index i = 0; i <= static_cast<Index>(parts); ++i) {
    const double at = begin + i * double(spacing);
    while (k + 1 < corners.size() && at > passed + length(b - a)) {
      passed += length(b - a);
      a = b;
      b = cast<double>(corners[++k]);
    }
    const double part = std::min(1.0, (at - passed) / length(b - a));
    mesh.surface.vertices.push_back(cast<Real>(a + (b - a) * part));
    mesh.texture.push_back({Real(i / parts), 0});
    mesh.point.push_back(i);
    if (i > 0) mesh.edges.push_back({i - 1, i});
  }
  return mesh;
}

BodyMesh make_shell(const TriangleMesh& surface, const std::vector<Vec<Real, 2>>& texture,
                    Real spacing) {
  if (surface.triangles.empty()) throw InputError("the mesh has no triangle; a sheet needs some");
  BodyMesh mesh{surface, texture, weld_numbers(surface, spacing / 100), {}};
  check_triangles(surface, mesh.point);
  mesh.edges = edges_of(surface, mesh.point);
  const std::vector<Vec3> points = points_of(mesh);
  check_all_used(mesh, points.size());
  check_spacing(mesh, points, spacing);
  return mesh;
}

std::vector<Vec3> points_of(const BodyMesh& mesh) {
  std::vector<Vec3> points;
  for (std::size_t v = 0; v < mesh.point.size(); ++v)
    if (mesh.point[v] == static_cast<Index>(points.size()))
      points.push_back(mesh.surface.vertices[v]);
  return points;
}

std::vector<Vec3> vertex_normals(const TriangleMesh& mesh) {
  std::unordered_map<Vec3, Vec3, PlaceHash> sum;
  for (const Int3& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const Vec3 normal = cross(b - a, c - a);
    for (const Vec3& corner : {a, b, c})
      sum.try_emplace(corner, Vec3::zero()).first->second += normal;
  }
  std::vector<Vec3> normals;
  for (const Vec3& v : mesh.vertices) {
    const auto found = sum.find(v);
    const bool used = found != sum.end() && length(found->second) > 0;
    normals.push_back(used ? normalized(found->second) : Vec3{0, 1, 0});
  }
  return normals;
}

double area_per_point(Packing packing, double spacing) {
  return spacing * spacing * (is_triangular(packing) ? std::sqrt(0.75) : 1.0);
}

}  // namespace phyxel
