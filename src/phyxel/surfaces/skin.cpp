#include "phyxel/surfaces/skin.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/field.h"

namespace phyxel {

namespace {

struct Candidate {
  Real squared;  // distance from the vertex, m^2
  Index particle;
  bool operator<(const Candidate& b) const {
    return squared != b.squared ? squared < b.squared : particle < b.particle;
  }
};

/// Particles at rest, to be asked for the nearest ones.
struct RestPoints {
  const Column<Vec3>& x;
  IndexedCells indexed;
};

void add_near(const RestPoints& points, const Vec3& v, Index width, std::vector<Candidate>& found) {
  const CellTable& cells = points.indexed.cells;
  const Real reach = cells.edge * static_cast<Real>(width);
  visit_runs(points.indexed, v, reach, width, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const Index i = cells.order[k];
      const Real squared = length_squared(points.x[i] - v);
      if (squared < reach * reach) found.push_back({squared, i});
    }
  });
}

/// The `count` nearest particles, or all where there are fewer, nearest first.
void find_nearest(const RestPoints& points, const Vec3& v, Index count,
                  std::vector<Candidate>& found) {
  const auto wanted = std::min(static_cast<std::size_t>(count), points.x.size());
  for (Index width = 1; width <= 4; width *= 2) {
    found.clear();
    add_near(points, v, width, found);
    if (found.size() >= wanted) break;
  }
  if (found.size() < wanted) {  // far away from all
    found.clear();
    for (std::size_t i = 0; i < points.x.size(); ++i)
      found.push_back({length_squared(points.x[i] - v), static_cast<Index>(i)});
  }
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(wanted),
                    found.end());
  found.resize(wanted);
}

/// Fills the entries of a vertex from its nearest particles. The kernel ends at the first particle
/// that does not count any more, so that weights have no jump from vertex to vertex.
void weigh(const std::vector<Candidate>& nearest, const SkinOptions& o, Index* particle,
           Real* weight) {
  const auto squared_at = [&](Index k) {
    return k < static_cast<Index>(nearest.size()) ? nearest[k].squared : 4 * nearest.back().squared;
  };
  const Real radius2 = std::clamp(o.radius * o.radius, squared_at(o.least), squared_at(o.most));
  const Index count = std::min(o.most, static_cast<Index>(nearest.size()));
  Real sum = 0;
  for (Index k = 0; k < count; ++k) {
    const Real t = radius2 > 0 ? std::max(Real(0), 1 - nearest[k].squared / radius2) : Real(1);
    particle[k] = nearest[k].particle;
    weight[k] = t * t * t;
    sum += weight[k];
  }
  // Where all are equally far, the kernel ends at each of them.
  for (Index k = 0; k < count; ++k)
    weight[k] = sum > 0 ? weight[k] / sum : 1 / static_cast<Real>(count);
}

void check(const SkinOptions& o, std::size_t particles) {
  if (particles == 0) throw InputError("skin: there are no particles to carry the mesh");
  if (!(o.radius >= 0) || !std::isfinite(o.radius))
    throw InputError(
        fmt::format("radius = {}: must be above 0 m; leave it out for a good value", o.radius));
  if (o.least < 1 || o.most < o.least || o.most > 1000)
    throw InputError(
        fmt::format("least = {}, most = {}: must rise from 1 to at most 1000", o.least, o.most));
}

}  // namespace

Skin make_skin(const Exec& exec, const SurfaceMesh& rest, const Column<Vec3>& rest_positions,
               const SkinOptions& options) {
  SkinOptions o = options;
  check(o, rest_positions.size());
  if (o.radius == 0) o.radius = Real(2.5) * measured_spacing(exec, rest_positions);
  if (o.radius == 0) o.radius = 1;  // one particle, or all in one place: any will do
  Skin skin{rest, rest_positions, o.most, {}, {}};
  const RestPoints points{rest_positions, index_cells(exec, rest_positions, o.radius)};
  const std::vector<Vec3>& vertices = rest.mesh.vertices;
  skin.particle.assign(vertices.size() * o.most, 0);
  skin.weight.assign(vertices.size() * o.most, 0);
  for_each(exec, "skin.weights", static_cast<Index>(vertices.size()), [&](Index v) {
    thread_local std::vector<Candidate> nearest;
    const std::size_t first = static_cast<std::size_t>(v) * o.most;
    find_nearest(points, vertices[v], o.most + 1, nearest);
    weigh(nearest, o, &skin.particle[first], &skin.weight[first]);
  });
  return skin;
}

void pose(const Exec& exec, const Skin& skin, const Column<Vec3>& positions,
          const Column<Mat3>& transforms, SurfaceMesh& out) {
  const std::size_t particles = skin.rest_positions.size();
  if (positions.size() != particles || transforms.size() != particles)
    throw Error(fmt::format("pose: {} positions and {} transforms for a skin of {} particles",
                            positions.size(), transforms.size(), particles));
  out = skin.rest;
  for_each(exec, "skin.pose", static_cast<Index>(out.mesh.vertices.size()), [&](Index v) {
    const Vec3 rest = skin.rest.mesh.vertices[v];
    Vec3 place = Vec3::zero();
    Mat3 turn = Mat3::zero();
    for (std::size_t e = std::size_t(v) * skin.most; e < std::size_t(v + 1) * skin.most; ++e) {
      if (skin.weight[e] == 0) break;
      const Index i = skin.particle[e];
      place += (transforms[i] * (rest - skin.rest_positions[i]) + positions[i]) * skin.weight[e];
      turn += transforms[i] * skin.weight[e];
    }
    out.mesh.vertices[v] = place;
    // Normals follow the cofactors, which also a flattened neighbourhood has.
    if (!out.normals.empty()) out.normals[v] = normalized(cofactor(turn) * skin.rest.normals[v]);
  });
}

}  // namespace phyxel
