#include "phyxel/methods/pbd/bodies.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "phyxel/neighbours/cell_table.h"

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

/// Pairs of points nearer than `reach`, each once.
std::vector<Edge> close_pairs(const std::vector<Vec3>& points, Real reach) {
  Column<Vec3> x;
  x.assign(points.begin(), points.end());
  CellTable cells;
  build_cells(Exec{}, x, reach, PeriodicBox{}, cells);
  const CellTableView view = cells.view();
  std::vector<Edge> pairs;
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) {
    const Int3 own = cell_of(view.grid, x[i]);
    TouchingRows rows = touching_rows(view, find_row(view, own[1], own[2]), own[0]);
    const std::size_t begin = pairs.size();
    visit_places(view, rows, own[0], [&](const PlaceRange& places) {
      for (Index a = places.first; a < places.last; ++a)
        if (const Index j = cells.order[a]; j > i && length_squared(x[j] - x[i]) < reach * reach)
          pairs.push_back({i, j});
    });
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.end(),
              [](const Edge& a, const Edge& b) { return a[1] < b[1]; });
  }
  return pairs;
}

/// A network of springs between close points: k = 12 E V / (N l^2) in space, 6 E V / (N l^2) in a
/// plane, with the volume V of a point and its N neighbours; the mean of both points. Poisson's
/// ratio is 1/4, in a plane 1/3.
void add_network(Model& model, const BodySeed& seed, const Material& material, Index first) {
  const Index lot = lot_of(model, {seed.material, Modulus::youngs});
  const std::vector<Edge> edges = close_pairs(seed.points, Real(1.6) * seed.spacing);
  std::vector<double> neighbours(seed.points.size(), 0);
  for (const Edge& e : edges) ++neighbours[e[0]], ++neighbours[e[1]];
  const double factor = material.dimensions == 2 ? 6 : 12;
  for (const Edge& e : edges) {
    const double l = length_of(seed, e), shares = (1 / neighbours[e[0]] + 1 / neighbours[e[1]]) / 2;
    add_distance(model, first, e, static_cast<Real>(l), l * l / (factor * seed.volume * shares),
                 lot);
    model.edges.push_back(e + Edge::filled(first));
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
  if (seed.kind == BodyKind::volume) return add_network(model, seed, material, first);
  if (seed.kind == BodyKind::sheet)
    add_sheet(model, seed, material, first);
  else
    add_line(model, seed, first);
  for (const Edge& e : seed.mesh.edges) model.edges.push_back(e + Edge::filled(first));
}

}  // namespace phyxel::pbd
