#include "phyxel/methods/pbd/bodies.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "phyxel/core/error.h"
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

/// A triangle at an edge.
struct Side {
  std::size_t edge;  // into the edges of the mesh
  Index opposite;    // its third corner
  double area;       // m^2
};

/// Of all edges, edge by edge.
std::vector<Side> sides_of(const BodySeed& seed, const std::vector<Int3>& triangles) {
  const std::vector<Edge>& edges = seed.mesh.edges;
  std::vector<Side> sides;
  const auto less = [](const Edge& a, const Edge& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
  };
  for (const Int3& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
      const auto at = std::lower_bound(edges.begin(), edges.end(), Edge{low, high}, less);
      sides.push_back(
          {static_cast<std::size_t>(at - edges.begin()), t[(k + 2) % 3], double(area_of(seed, t))});
    }
  std::ranges::stable_sort(sides, {}, &Side::edge);
  return sides;
}

/// m: as given, or volume over the area of a point.
double thickness_of(const BodySeed& seed) {
  if (seed.thickness > 0) return seed.thickness;
  return seed.volume / area_per_point(seed.packing, seed.spacing);
}

/// Springs along edges with k = Y A / l^2, where A is the area of the triangles at the edge and Y
/// the modulus of stretch (Van Gelder 1998, eq. 4). Exact for equilateral triangles and a Poisson's
/// ratio of 1/3.
void add_springs(Model& model, const BodySeed& seed, const Parameters& p,
                 const std::vector<Side>& sides, Index first) {
  const bool own = is_given(p.stretch_modulus);
  const Index lot = lot_of(model, {seed.material, own ? Modulus::stretch : Modulus::youngs});
  const double thickness = own ? 1 : thickness_of(seed);
  for (std::size_t k = 0; k < sides.size();) {
    const std::size_t edge = sides[k].edge;
    double area = 0;
    for (; k < sides.size() && sides[k].edge == edge; ++k) area += sides[k].area;
    const Edge& e = seed.mesh.edges[edge];
    const double l = length_of(seed, e);
    add_distance(model, first, e, static_cast<Real>(l), l * l / (area * thickness), lot);
  }
}

/// A hinge between two triangles at an edge, with energy k angle^2 / 2 and k = B l^2 / (A0 + A1).
/// Exact for a sheet of equilateral triangles, or of squares with alternating diagonals along its
/// rows, that is bent to a cylinder (docs/methods/pbd.md#equations).
void add_hinge(Model& model, const BodySeed& seed, const Side& a, const Side& b, Index first,
               double over_stiffness, Index lot) {
  const Edge& e = seed.mesh.edges[a.edge];
  const Index point[4] = {a.opposite, b.opposite, e[0], e[1]};
  Vec3d x[4];
  Constraint<Bending> hinge{};
  for (int k = 0; k < 4; ++k) {
    x[k] = cast<double>(seed.points[point[k]]);
    hinge.vertex[k] = first + point[k];
  }
  hinge.rest = {static_cast<Real>(Bending::slope(x, Vec<double, 1>{0.0}).value)};
  const double l = length(x[3] - x[2]);
  hinge.softness = static_cast<Real>((a.area + b.area) / (l * l) * over_stiffness);
  hinge.lot = lot;
  model.of<Bending>().push_back(hinge);
}

/// Stiffness against bending as given, or that of a plate, E t^3 / 12 (1 - 1/9) with the Poisson's
/// ratio of the springs; none where the stretch modulus alone is given.
void add_hinges(Model& model, const BodySeed& seed, const Parameters& p,
                const std::vector<Side>& sides, Index first) {
  const bool own = is_given(p.bend_stiffness);
  if (own ? !(p.bend_stiffness > 0) : is_given(p.stretch_modulus)) return;
  const Index lot = lot_of(model, {seed.material, own ? Modulus::bend : Modulus::youngs});
  const double t = thickness_of(seed), over = own ? 1 : 12 * (1 - 1.0 / 9) / (t * t * t);
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sides[k - 1].edge == sides[k].edge)
      add_hinge(model, seed, sides[k - 1], sides[k], first, over, lot);
}

void add_sheet(Model& model, const BodySeed& seed, const Material& material, Index first) {
  const Parameters& p = parameters_of<Parameters>(material);
  const std::vector<Int3> triangles = triangles_of(seed);
  const std::vector<Side> sides = sides_of(seed, triangles);
  add_springs(model, seed, p, sides, first);
  add_hinges(model, seed, p, sides, first);
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

/// Pictures of what was torn need triangles that tell where it came apart.
void check_tearing(const BodySeed& seed, const Material& material) {
  if (seed.kind == BodyKind::sheet) return;
  if (!is_given(parameters_of<Parameters>(material).tear_strain)) return;
  throw InputError(fmt::format(
      "body.{} is {}, and material.{}.tear_strain is for sheets alone: remove it, or make a sheet "
      "or a shell of the body",
      seed.name, seed.kind == BodyKind::line ? "a line" : "a solid", material.name));
}

}  // namespace

Index lot_of(Model& model, const Lot& lot) {
  const auto at = std::ranges::find(model.lots, lot);
  if (at == model.lots.end()) model.lots.push_back(lot);
  return static_cast<Index>(std::ranges::find(model.lots, lot) - model.lots.begin());
}

void add_to(Model& model, const BodySeed& seed, const Material& material) {
  const Index first = static_cast<Index>(model.id.size());
  check_tearing(seed, material);
  model.starts.push_back({seed.body, first, static_cast<Index>(model.triangles.size())});
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
