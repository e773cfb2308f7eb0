#include "phyxel/surfaces/surfels/sample_surfels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/surfaces/surfels/disc.h"
#include "phyxel/surfaces/surfels/thin_out.h"

namespace phyxel {

namespace {

constexpr std::uint32_t stream_of_shape = 0x73757266, stream_of_mesh = 0x7375726d;
constexpr Index candidates_each = 24;   // of a surfel
constexpr double most_surfels = 2.0e7;  // memory of their candidates: some 20 GB
constexpr std::size_t least_surfels = 20;

/// Places on the surface, many for each surfel.
struct Candidates {
  Column<Vec3> x, normal;
  Column<Vec3> colour;  // empty: none
};

void check_spacing(Real spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw InputError(fmt::format("surfels: spacing = {}: must be above 0 m", spacing));
}

void check_count(double surfels, Real spacing) {
  if (surfels > most_surfels)
    throw InputError(fmt::format(
        "surfels: spacing = {} m would make {:.3g} surfels (limit {:.1g}); take at least {:.3g} m",
        spacing, surfels, most_surfels, spacing * std::sqrt(surfels / most_surfels)));
}

void check_coarse(std::size_t surfels, Real spacing) {
  if (surfels < least_surfels)
    throw InputError(fmt::format(
        "surfels: spacing = {} m is too coarse: it makes {} surfels, which is no surface (at least "
        "{}); take at most {:.3g} m",
        spacing, surfels, least_surfels,
        spacing * std::sqrt(std::max(double(surfels), 0.5) / (2.0 * least_surfels))));
}

Surfels discs_of(const Exec& exec, const Candidates& from, const SurfelSampling& sampling) {
  const Column<Index> chosen =
      thin_out(exec, from.x, from.normal, surfel_distance * sampling.spacing);
  check_coarse(chosen.size(), sampling.spacing);
  const auto n = static_cast<Index>(chosen.size());
  Surfels s;
  s.x.resize(n), s.u.resize(n), s.v.resize(n), s.id.resize(n);
  if (!from.colour.empty() || sampling.colour) s.colour.resize(n);
  for_each(exec, "surfels.discs", n, [&](Index k) {
    const Index i = chosen[k];
    const TangentAxes axes = tangent_axes(from.normal[i]);
    s.x[k] = from.x[i];
    s.u[k] = axes.u * sampling.spacing, s.v[k] = axes.v * sampling.spacing;
    s.id[k] = static_cast<ParticleId>(k);
    if (!from.colour.empty())
      s.colour[k] = from.colour[i];
    else if (sampling.colour)
      s.colour[k] = sampling.colour(from.x[i]);
  });
  return s;
}

// Of a shape: cubes that its surface may cross, cut into halves down to half a spacing, and darts
// from each of them to the surface.

struct Cubes {
  Column<Vec3> centre;
  Real half = 0;  // m
};

/// Those near the surface; `reach`: in half edges.
void keep_near(const Exec& exec, const Shape& shape, Real reach, Cubes& cubes) {
  Column<char> near(cubes.centre.size());
  for_each(exec, "surfels.cubes", static_cast<Index>(near.size()), [&](Index k) {
    near[k] = std::abs(signed_distance(shape, cubes.centre[k]).distance) <= cubes.half * reach;
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < near.size(); ++k)
    if (near[k]) cubes.centre[kept++] = cubes.centre[k];
  cubes.centre.resize(kept);
}

void cut(Cubes& cubes) {
  Column<Vec3> finer;
  finer.reserve(cubes.centre.size() * 8);
  cubes.half /= 2;
  for (const Vec3& c : cubes.centre)
    for (int k = 0; k < 8; ++k)
      finer.push_back(c + Vec3{k & 1 ? cubes.half : -cubes.half, k & 2 ? cubes.half : -cubes.half,
                               k & 4 ? cubes.half : -cubes.half});
  cubes.centre.swap(finer);
}

constexpr Real half_diagonal = Real(1.7321);

Cubes cubes_on_surface(const Exec& exec, const Shape& shape, Real spacing) {
  const Bounds bounds = bounds_of(shape);
  if (!is_bounded(bounds))
    throw InputError(
        "surfels: the shape has no end (a plane or a complement); intersect it with a box");
  const Vec3 size = bounds.size();
  Cubes cubes;
  cubes.half = spacing / 4;  // the finest
  const Real widest = std::max({size[0], size[1], size[2]});
  check_count(double(widest) * widest / (double(spacing) * spacing) / 20, spacing);
  int levels = 0;
  for (; 2 * cubes.half < widest; ++levels) cubes.half *= 2;
  cubes.centre = {bounds.centre()};
  for (; levels > 0; --levels) {
    cut(cubes);
    keep_near(exec, shape, half_diagonal, cubes);
    check_count(double(cubes.centre.size()) * std::pow(2.0 * cubes.half / spacing, 2) / 3, spacing);
  }
  return cubes;
}

/// A place on the surface and its normal, from a place nearby.
struct Foot {
  Vec3 x, normal;
  bool is_smooth;  // false at an edge, where no normal is the right one
};

Foot foot_on(const Shape& shape, Vec3 p, Real spacing) {
  SignedDistance d = signed_distance(shape, p);
  for (int k = 0; k < 4 && std::abs(d.distance) > Real(1e-4) * spacing; ++k) {
    p -= d.normal * d.distance;
    d = signed_distance(shape, p);
  }
  const Real beside = Real(0.05) * spacing;
  const Vec3 in = signed_distance(shape, p - d.normal * beside).normal;
  const Vec3 out = signed_distance(shape, p + d.normal * beside).normal;
  constexpr Real same = Real(0.98);
  const bool on_surface = std::abs(d.distance) <= Real(1e-3) * spacing;
  return {p, out, on_surface && dot(in, out) > same};
}

constexpr Index darts_each = 3;  // from a cube; some seven cubes make a square of one spacing

Candidates candidates_on(const Exec& exec, const Shape& shape, const SurfelSampling& sampling) {
  const Cubes cubes = cubes_on_surface(exec, shape, sampling.spacing);
  const Random random{sampling.seed, stream_of_shape};
  const auto n = static_cast<Index>(cubes.centre.size()) * darts_each;
  Column<Foot> feet(n);
  for_each(exec, "surfels.darts", n, [&](Index k) {
    const Vec3 in_cube = random.uniform3(k) * 2 - Vec3::filled(1);
    feet[k] = foot_on(shape, cubes.centre[k / darts_each] + in_cube * cubes.half, sampling.spacing);
  });
  Candidates c;
  c.x.reserve(n), c.normal.reserve(n);
  for (const Foot& f : feet)
    if (f.is_smooth) c.x.push_back(f.x), c.normal.push_back(f.normal);
  return c;
}

// Of a mesh: places spread over its triangles by area.

void check_closed(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw InputError("surfels: the mesh has no triangles");
  const Real diagonal = length(bounds_of(mesh).size());
  const OpenEdges open = open_edges(welded(mesh, diagonal * Real(1e-6)));
  if (open.count > 0)
    throw InputError(
        fmt::format("surfels: the mesh is open: {} edges in {} hole{}, the widest {:.3g} m across; "
                    "surfels need "
                    "an inside: close the holes, or give a sheet some thickness",
                    open.count, open.holes, open.holes == 1 ? "" : "s", open.widest_hole));
}

Column<double> areas_up_to(const TriangleMesh& mesh) {
  Column<double> sum(mesh.triangles.size());
  double total = 0;
  for (std::size_t t = 0; t < sum.size(); ++t) {
    const Int3 c = mesh.triangles[t];
    const Vec3 a = mesh.vertices[c[0]];
    const Vec3 across = cross(mesh.vertices[c[1]] - a, mesh.vertices[c[2]] - a);
    sum[t] = total += double(length(across)) / 2;
  }
  return sum;
}

/// Means over the corners of a triangle.
struct OnTriangle {
  Int3 corner;
  Vec3 weight;

  template <class Value>
  auto mean(const Value& value) const {
    return value(corner[0]) * weight[0] + value(corner[1]) * weight[1] +
           value(corner[2]) * weight[2];
  }
};

OnTriangle place_on(const TriangleMesh& mesh, const Column<double>& areas, double at,
                    const Random::Four& words) {
  const auto found = std::upper_bound(areas.begin(), areas.end(), at * areas.back());
  const auto t = std::min<std::size_t>(found - areas.begin(), areas.size() - 1);
  const Real root = std::sqrt(Random::unit(words.word[1])), part = Random::unit(words.word[2]);
  return {mesh.triangles[t], {1 - root, root * (1 - part), root * part}};
}

Vec3 normal_at(const SurfaceMesh& mesh, const OnTriangle& place, Real inside_out) {
  const Vec3 a = mesh.mesh.vertices[place.corner[0]];
  const Vec3 face =
      cross(mesh.mesh.vertices[place.corner[1]] - a, mesh.mesh.vertices[place.corner[2]] - a) *
      inside_out;
  if (mesh.normals.empty()) return normalized(face);
  const Vec3 smooth = normalized(place.mean([&](Index v) { return mesh.normals[v]; }));
  return dot(smooth, face) > 0 ? smooth : normalized(face);
}

const FrameColumn* colour_of(const SurfaceMesh& mesh) {
  for (const FrameColumn& column : mesh.attributes)
    if (column.name == "colour" && column.components == 3) return &column;
  return nullptr;
}

Vec3 colour_at(const SurfaceMesh& mesh, const FrameColumn* column, const SurfelSampling& sampling,
               const OnTriangle& place) {
  if (sampling.of_texture && !mesh.texture.empty())
    return sampling.of_texture(place.mean([&](Index v) { return mesh.texture[v]; }));
  return place.mean([&](Index v) {
    return Vec3{Real(column->number(v, 0)), Real(column->number(v, 1)), Real(column->number(v, 2))};
  });
}

Candidates candidates_on(const Exec& exec, const SurfaceMesh& mesh,
                         const SurfelSampling& sampling) {
  const Column<double> areas = areas_up_to(mesh.mesh);
  const double surfels = areas.back() / (double(sampling.spacing) * sampling.spacing);
  check_count(surfels, sampling.spacing);
  const auto n = static_cast<Index>(std::ceil(surfels * candidates_each));
  const Real inside_out = volume(mesh.mesh) < 0 ? Real(-1) : Real(1);
  const FrameColumn* const column = colour_of(mesh);
  const Random random{sampling.seed, stream_of_mesh};
  Candidates c;
  c.x.resize(n), c.normal.resize(n);
  if (column || (sampling.of_texture && !mesh.texture.empty())) c.colour.resize(n);
  for_each(exec, "surfels.candidates", n, [&](Index k) {
    const Random::Four words = random.words(k);
    const double at = (k + double(Random::unit(words.word[0]))) / n;
    const OnTriangle place = place_on(mesh.mesh, areas, at, words);
    c.x[k] = place.mean([&](Index v) { return mesh.mesh.vertices[v]; });
    c.normal[k] = normal_at(mesh, place, inside_out);
    if (!c.colour.empty()) c.colour[k] = colour_at(mesh, column, sampling, place);
  });
  return c;
}

}  // namespace

Surfels sample_surfels(const Exec& exec, const Shape& shape, const SurfelSampling& sampling) {
  check_spacing(sampling.spacing);
  return discs_of(exec, candidates_on(exec, shape, sampling), sampling);
}

Surfels sample_surfels(const Exec& exec, const SurfaceMesh& mesh, const SurfelSampling& sampling) {
  check_spacing(sampling.spacing);
  check_closed(mesh.mesh);
  return discs_of(exec, candidates_on(exec, mesh, sampling), sampling);
}

}  // namespace phyxel
