#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>

#include "phyxel/core/error.h"
#include "phyxel/geometry/heightfield_view.h"

namespace phyxel {
namespace {

Vec3 grid_point(const Heightfield& f, Index x, Index z) {
  return {f.size[0] * (Real(x) / (f.nx - 1) - Real(0.5)), f.heights[x + f.nx * z],
          f.size[1] * (Real(z) / (f.nz - 1) - Real(0.5))};
}

void add_top(const Heightfield& f, TriangleMesh& mesh) {
  for (Index z = 0; z < f.nz; ++z)
    for (Index x = 0; x < f.nx; ++x) mesh.vertices.push_back(grid_point(f, x, z));
  for (Index z = 0; z + 1 < f.nz; ++z)
    for (Index x = 0; x + 1 < f.nx; ++x) {
      const Index k = x + f.nx * z, ring[5] = {k, k + f.nx, k + f.nx + 1, k + 1, k};
      const Index middle = static_cast<Index>(mesh.vertices.size());
      Vec3 sum = Vec3::zero();
      for (int side = 0; side < 4; ++side) {
        sum += mesh.vertices[ring[side]];
        mesh.triangles.push_back({ring[side], ring[side + 1], middle});
      }
      mesh.vertices.push_back(sum * Real(0.25));
    }
}

void add_wall(const Heightfield& f, Index a, Index b, TriangleMesh& mesh) {
  const Index foot = static_cast<Index>(mesh.vertices.size());
  for (const Index k : {a, b}) {
    Vec3 v = mesh.vertices[k];
    v[1] = f.floor;
    mesh.vertices.push_back(v);
  }
  mesh.triangles.push_back({a, foot, foot + 1});
  mesh.triangles.push_back({a, foot + 1, b});
}

void add_walls(const Heightfield& f, TriangleMesh& mesh) {
  const Index last_row = f.nx * (f.nz - 1);
  for (Index x = 0; x + 1 < f.nx; ++x) {
    add_wall(f, x + 1, x, mesh);
    add_wall(f, last_row + x, last_row + x + 1, mesh);
  }
  for (Index z = 0; z + 1 < f.nz; ++z) {
    add_wall(f, f.nx * z, f.nx * (z + 1), mesh);
    add_wall(f, f.nx * (z + 2) - 1, f.nx * (z + 1) - 1, mesh);
  }
}

void add_floor(const Heightfield& f, TriangleMesh& mesh) {
  const Index first = static_cast<Index>(mesh.vertices.size());
  for (int k = 0; k < 4; ++k)
    mesh.vertices.push_back({f.size[0] * (k & 1 ? Real(0.5) : Real(-0.5)), f.floor,
                             f.size[1] * (k & 2 ? Real(0.5) : Real(-0.5))});
  mesh.triangles.push_back({first, first + 1, first + 3});
  mesh.triangles.push_back({first, first + 3, first + 2});
}

void check(const Heightfield& f, Real depth) {
  if (f.nx < 2 || f.nz < 2)
    throw InputError(
        fmt::format("heightfield: {} x {} heights, at least 2 x 2 are needed", f.nx, f.nz));
  if (f.heights.size() != static_cast<std::size_t>(f.nx) * f.nz)
    throw InputError(fmt::format("heightfield: {} heights given, {} x {} = {} needed",
                                 f.heights.size(), f.nx, f.nz,
                                 static_cast<std::size_t>(f.nx) * f.nz));
  if (!(f.size[0] > 0 && f.size[1] > 0 && depth > 0))
    throw InputError(fmt::format("heightfield: size = [{}, {}] and depth = {} must be above 0",
                                 f.size[0], f.size[1], depth));
  for (std::size_t k = 0; k < f.heights.size(); ++k)
    if (!std::isfinite(f.heights[k]))
      throw InputError(
          fmt::format("heightfield: height {} is {}, not a finite number", k, f.heights[k]));
}

/// Numbers of one line of text; anything else is an error at `place`.
std::vector<Real> parse_row(std::string line, const Place& place) {
  line.resize(std::min(line.find('#'), line.size()));
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream words(line);
  std::vector<Real> row;
  for (std::string word; words >> word;) {
    Real value = 0;
    const char* end = word.data() + word.size();
    if (const auto r = std::from_chars(word.data(), end, value);
        r.ec != std::errc{} || r.ptr != end)
      throw InputError(place, fmt::format("'{}' is not a height; write numbers split by spaces or "
                                          "commas",
                                          word));
    row.push_back(value);
  }
  return row;
}

}  // namespace

std::shared_ptr<const Heightfield> make_heightfield(const Vec2& size, Index nx, Index nz,
                                                    std::vector<Real> heights, Real depth) {
  auto f = std::make_shared<Heightfield>();
  f->size = size;
  f->nx = nx;
  f->nz = nz;
  f->heights = std::move(heights);
  check(*f, depth);
  f->floor = *std::min_element(f->heights.begin(), f->heights.end()) - depth;
  TriangleMesh mesh;
  add_top(*f, mesh);
  add_walls(*f, mesh);
  add_floor(*f, mesh);
  f->bounds = bounds_of(mesh);
  f->bvh = make_triangle_bvh(mesh);
  return f;
}

std::shared_ptr<const Heightfield> parse_heightfield(const std::string& text,
                                                     const std::string& name, const Vec2& size,
                                                     Real depth) {
  std::istringstream lines(text);
  std::vector<Real> heights;
  std::size_t columns = 0, rows = 0;
  Place place{name, 0, 0};
  for (std::string line; std::getline(lines, line);) {
    ++place.line;
    const std::vector<Real> row = parse_row(line, place);
    if (row.empty()) continue;
    if (rows++ == 0) columns = row.size();
    if (row.size() != columns)
      throw InputError(place, fmt::format("{} heights, the first line has {}; give every line the "
                                          "same number",
                                          row.size(), columns));
    heights.insert(heights.end(), row.begin(), row.end());
  }
  if (rows < 2 || columns < 2)
    throw InputError(Place{name, 0, 0}, fmt::format("{} lines of {} heights, at least 2 x 2 are "
                                                    "needed",
                                                    rows, columns));
  return make_heightfield(size, static_cast<Index>(columns), static_cast<Index>(rows),
                          std::move(heights), depth);
}

SignedDistance signed_distance(const Heightfield& field, const Vec3& p) {
  return signed_distance(view_of(field), p);
}

}  // namespace phyxel
