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

/// The strain of each triangle: with an area A and the moduli of a membrane, stretch of 2 mu A
/// along two directions, shear of mu A, or of the threads, between them, and lambda / A for the
/// area (constraints/triangle.h). The first direction is the x axis of the body.
void add_strains(Model& model, const BodySeed& seed, const Parameters& p,
                 const std::vector<Int3>& triangles, Index first) {
  const bool own = is_given(p.stretch_modulus), threads = is_given(p.shear_modulus);
  const double thickness = own ? 1 : thickness_of(seed);
  const Index stretch = lot_of(model, {seed.material, Modulus::sheet_stretch});
  const Index shear =
      lot_of(model, {seed.material, threads ? Modulus::thread_shear : Modulus::sheet_shear});
  const Index area = lot_of(model, {seed.material, Modulus::sheet_area});
  const Vec3d warp = cast<double>(seed.frame.rotation * Vec3{1, 0, 0});
  for (const Int3& t : triangles) {
    Vec3d x[3];
    for (int k = 0; k < 3; ++k) x[k] = cast<double>(seed.points[t[k]]);
    const auto b = cast<Real>(triangle_rest(x, warp));
    const double a = length(cross(x[1] - x[0], x[2] - x[0])) / 2;
    const Real softness = static_cast<Real>(1 / (a * thickness));
    const Index at[3] = {first + t[0], first + t[1], first + t[2]};
    model.of<TriangleStretch>().push_back({{at[0], at[1], at[2]}, {b[0], b[1]}, softness, stretch});
    model.of<TriangleStretch>().push_back({{at[0], at[1], at[2]}, {b[2], b[3]}, softness, stretch});
    model.of<TriangleShear>().push_back(
        {{at[0], at[1], at[2]}, b, threads ? static_cast<Real>(1 / a) : softness, shear});
    if (p.poissons_ratio > 0)
      model.of<TriangleArea>().push_back(
          {{at[0], at[1], at[2]}, {static_cast<Real>(a)}, static_cast<Real>(a / thickness), area});
  }
}

/// A hinge between two triangles at an edge, with energy k angle^2 / 2 and k = B l^2 / (A0 + A1).
/// Exact for a sheet of equilateral triangles, or of squares with alternating diagonals along its
/// rows, that is bent to a cylinder (docs/methods/pbd.md#equations).
void add_hinge(Model& model, const BodySeed& seed, const Side& a, const Side& b, Index first,
               BendLaw law, double over_stiffness, Index lot) {
  const Edge& e = seed.mesh.edges[a.edge];
  const Index point[4] = {a.opposite, b.opposite, e[0], e[1]};
  Vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = cast<double>(seed.points[point[k]]);
  const auto push = [&]<class Kind>(Constraints<Kind>& list, const Vec<double, Kind::numbers>& rest,
                                    double softness) {
    Constraint<Kind> hinge{{}, cast<Real>(rest), static_cast<Real>(softness * over_stiffness), lot};
    for (int k = 0; k < 4; ++k) hinge.vertex[k] = first + point[k];
    list.push_back(hinge);
  };
  const double areas = a.area + b.area, l = length(x[3] - x[2]);
  // The isometric measure is the angle times the edge.
  if (law == BendLaw::isometric)
    push(model.of<IsometricBend>(), isometric_bend_rest(x), areas);
  else
    push(model.of<Bending>(), {Bending::slope(x, Vec<double, 1>{0.0}).value}, areas / (l * l));
}

/// Stiffness against bending as given, or that of a plate, E t^3 / 12 (1 - nu^2), where springs
/// have a Poisson's ratio of 1/3; none where the stretch modulus alone is given.
void add_hinges(Model& model, const BodySeed& seed, const Parameters& p,
                const std::vector<Side>& sides, Index first) {
  const bool own = is_given(p.bend_stiffness);
  if (own ? !(p.bend_stiffness > 0) : is_given(p.stretch_modulus)) return;
  const Index lot = lot_of(model, {seed.material, own ? Modulus::bend : Modulus::youngs});
  const double nu = p.elements == Elements::triangles ? double(p.poissons_ratio) : 1.0 / 3;
  const double t = thickness_of(seed), over = own ? 1 : 12 * (1 - nu * nu) / (t * t * t);
  for (std::size_t k = 1; k < sides.size(); ++k)
    if (sides[k - 1].edge == sides[k].edge)
      add_hinge(model, seed, sides[k - 1], sides[k], first, p.bending, over, lot);
}

void add_sheet(Model& model, const BodySeed& seed, const Material& material, Index first) {
  const Parameters& p = parameters_of<Parameters>(material);
  const std::vector<Int3> triangles = triangles_of(seed);
  const std::vector<Side> sides = sides_of(seed, triangles);
  if (p.elements == Elements::triangles)
    add_strains(model, seed, p, triangles, first);
  else
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

/// Both neighbours of each point of a line; -1 where there is none, or more than two edges meet.
std::vector<Edge> neighbours_on_lines(const BodySeed& seed) {
  std::vector<Edge> near(seed.points.size(), {-1, -1});
  std::vector<int> edges(seed.points.size(), 0);
  for (const Edge& e : seed.mesh.edges)
    for (int k = 0; k < 2; ++k)
      if (const int n = edges[e[k]]++; n < 2) near[e[k]][n] = e[1 - k];
  for (std::size_t i = 0; i < near.size(); ++i)
    if (edges[i] != 2) near[i] = {-1, -1};
  return near;
}

/// Lines are straight at rest, whatever they begin as.
void add_line_bends(Model& model, const BodySeed& seed, const Parameters& p, Index first) {
  if (!is_given(p.flexural_rigidity)) return;
  const Index lot = lot_of(model, {seed.material, Modulus::line_bend});
  const std::vector<Edge> near = neighbours_on_lines(seed);
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (near[i][0] < 0) continue;
    const Index at = static_cast<Index>(i);
    const double a = length_of(seed, {near[i][0], at}), b = length_of(seed, {near[i][1], at});
    model.of<LineBend>().push_back({{first + near[i][0], first + at, first + near[i][1]},
                                    {static_cast<Real>(1 / a), static_cast<Real>(1 / b)},
                                    static_cast<Real>((a + b) / 2),
                                    lot});
  }
}

}  // namespace

double thickness_of(const BodySeed& seed) {
  if (seed.thickness > 0) return seed.thickness;
  return seed.volume / area_per_point(seed.packing, seed.spacing);
}

Index lot_of(Model& model, const Lot& lot) {
  const auto at = std::ranges::find(model.lots, lot);
  if (at == model.lots.end()) model.lots.push_back(lot);
  return static_cast<Index>(std::ranges::find(model.lots, lot) - model.lots.begin());
}

void add_to(Model& model, const BodySeed& seed, const Material& material) {
  const Index first = static_cast<Index>(model.id.size());
  check_tearing(seed, material);
  model.starts.push_back(
      {seed.body, seed.material, first, static_cast<Index>(model.triangles.size())});
  for (std::size_t k = 0; k < seed.points.size(); ++k) {
    model.id.push_back(seed.first_id + k);
    model.rest.push_back(seed.points[k]);
    model.body.push_back(seed.body);
  }
  if (is_given(parameters_of<Parameters>(material).pressure)) add_balloon(model, seed, first);
  if (seed.kind == BodyKind::volume) return add_solid(model, seed, material, first);
  if (seed.kind == BodyKind::sheet)
    add_sheet(model, seed, material, first);
  else {
    add_line(model, seed, first);
    add_line_bends(model, seed, parameters_of<Parameters>(material), first);
  }
  for (const Edge& e : seed.mesh.edges) model.edges.push_back(e + Edge::filled(first));
}

}  // namespace phyxel::pbd
