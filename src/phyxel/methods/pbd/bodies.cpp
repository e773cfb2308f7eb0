#include "phyxel/methods/pbd/bodies.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "phyxel/methods/pbd/balloons.h"
#include "phyxel/methods/pbd/solids.h"

namespace phyxel::pbd {

namespace {

using Edge = Vec<Index, 2>;

Real length_of(const BodySeed& seed, const Edge& e) {
  return length(seed.points[e[1]] - seed.points[e[0]]);
}

void add_distance(Model& model, Index first, const Edge& e, Real rest, double softness, Index lot) {
  model.of<Distance>().push_back(
      {{first + e[0], first + e[1]}, {rest}, static_cast<Real>(softness), lot});
}

/// Triangles between points of the body, m^2.
Real area_of(const BodySeed& seed, const Int3& t) {
  const Vec3& a = seed.points[t[0]];
  return length(cross(seed.points[t[1]] - a, seed.points[t[2]] - a)) / 2;
}

std::vector<Int3> triangles_of(const BodySeed& seed) {
  std::vector<Int3> triangles;
  for (Int3 t : seed.mesh.surface.triangles) {
    for (int k = 0; k < 3; ++k) t[k] = seed.mesh.point[t[k]];
    triangles.push_back(t);
  }
  return triangles;
}

/// Area of the triangles at each edge, m^2.
std::vector<double> areas_at(const BodySeed& seed, const std::vector<Int3>& triangles) {
  const std::vector<Edge>& edges = seed.mesh.edges;
  std::vector<double> area(edges.size(), 0);
  const auto less = [](const Edge& a, const Edge& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  for (const Int3& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const Edge e{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])};
      const auto at = std::lower_bound(edges.begin(), edges.end(), e, less);
      area[static_cast<std::size_t>(at - edges.begin())] += double(area_of(seed, t));
    }
  return area;
}

/// m: as given, or volume over the area of a point.
double thickness_of(const BodySeed& seed) {
  if (seed.thickness > 0) return seed.thickness;
  return seed.volume / area_per_point(seed.packing, seed.spacing);
}

/// Springs along edges with k = Y A / l^2, where A is the area of the triangles at the edge and Y
/// the modulus of stretch (Van Gelder 1998, eq. 4). Exact for equilateral triangles and a Poisson's
/// ratio of 1/3.
void add_sheet(Model& model, const BodySeed& seed, const Material& material, Index first) {
  const Parameters& p = parameters_of<Parameters>(material);
  const bool own = is_given(p.stretch_modulus);
  const Index lot = lot_of(model, {seed.material, own ? Modulus::stretch : Modulus::youngs});
  const double thickness = own ? 1 : thickness_of(seed);
  const std::vector<Int3> triangles = triangles_of(seed);
  const std::vector<double> area = areas_at(seed, triangles);
  for (std::size_t k = 0; k < area.size(); ++k) {
    const Edge& e = seed.mesh.edges[k];
    const double l = length_of(seed, e);
    add_distance(model, first, e, static_cast<Real>(l), l * l / (area[k] * thickness), lot);
  }
  for (const Int3& t : triangles) model.triangles.push_back(t + Int3::filled(first));
}

/// k = E A / l, with the area A of the cross section.
void add_line(Model& model, const BodySeed& seed, Index first) {
  const Index lot = lot_of(model, {seed.material, Modulus::youngs});
  const double section = double(seed.volume) / seed.spacing;
  for (const Edge& e : seed.mesh.edges) {
    const double l = length_of(seed, e);
    add_distance(model, first, e, static_cast<Real>(l), l / section, lot);
  }
}

}  // namespace

Index lot_of(Model& model, const Lot& lot) {
  const auto at = std::ranges::find(model.lots, lot);
  if (at == model.lots.end()) model.lots.push_back(lot);
  return static_cast<Index>(std::ranges::find(model.lots, lot) - model.lots.begin());
}

void add_to(Model& model, const BodySeed& seed, const Material& material) {
  const Index first = static_cast<Index>(model.id.size());
  for (std::size_t k = 0; k < seed.points.size(); ++k) {
    model.id.push_back(seed.first_id + k);
    model.rest.push_back(seed.points[k]);
    model.body.push_back(seed.body);
  }
  if (is_given(parameters_of<Parameters>(material).pressure)) add_balloon(model, seed, first);
  if (seed.kind == BodyKind::volume) return add_solid(model, seed, material, first);
  if (seed.kind == BodyKind::sheet)
    add_sheet(model, seed, material, first);
  else
    add_line(model, seed, first);
  for (const Edge& e : seed.mesh.edges) model.edges.push_back(e + Edge::filled(first));
}

}  // namespace phyxel::pbd
