#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh_distance_view.h"

namespace phyxel {
namespace {

constexpr Real weld_tolerance = Real(1e-6);      // of the diagonal: above the rounding of a float
constexpr Real flat_tolerance = Real(1e-7);      // volume against diagonal^3
constexpr Real largest_coordinate = Real(1e12);  // m: volumes must not overflow a float
constexpr double doubtful_share_limit = 0.10;    // of the inside

void check_vertices(const TriangleMesh& mesh, const std::string& name) {
  if (mesh.triangles.empty() || mesh.vertices.empty())
    throw InputError(
        fmt::format("{}: the mesh has {} vertices and {} triangles; export it with "
                    "faces",
                    name, mesh.vertices.size(), mesh.triangles.size()));
  for (std::size_t k = 0; k < mesh.vertices.size(); ++k) {
    const Vec3& v = mesh.vertices[k];
    if (!is_finite(v))
      throw InputError(
          fmt::format("{}: vertex {} of {} is not a finite number; repair or export "
                      "the mesh again",
                      name, k, mesh.vertices.size()));
    for (int axis = 0; axis < 3; ++axis)
      if (std::abs(v[axis]) > largest_coordinate)
        throw InputError(
            fmt::format("{}: vertex {} has {} = {:.3g}, at most {:.0e} can be used; make the "
                        "mesh smaller",
                        name, k, "xyz"[axis], v[axis], largest_coordinate));
  }
}

void check_indices(const TriangleMesh& mesh, const std::string& name) {
  const Index n = static_cast<Index>(mesh.vertices.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    for (int corner = 0; corner < 3; ++corner)
      if (const Index v = mesh.triangles[k][corner]; v < 0 || v >= n)
        throw InputError(
            fmt::format("{}: triangle {} names vertex {}, the mesh has vertices 0 to "
                        "{}; the file is damaged",
                        name, k, v, n - 1));
}

[[noreturn]] void refuse_open(const std::string& name, const OpenEdges& open, Real diagonal,
                              double share) {
  throw InputError(fmt::format(
      "{}: the mesh is too open to have an inside: {} open edges around {} hole{}, the widest "
      "{:.3g} "
      "m of {:.3g} m overall, which leaves {:.0f} % of the inside in doubt (limit {:.0f} %); close "
      "the holes, give a sheet some thickness, or make all faces point outwards",
      name, open.count, open.holes, open.holes == 1 ? "" : "s", open.widest_hole, diagonal,
      100 * share, 100 * doubtful_share_limit));
}

/// Points where the winding number says inside, and where it says neither inside nor outside.
struct Doubt {
  double inside = 0, doubtful = 0;
  double share() const { return inside > 0 ? std::min(1.0, doubtful / inside) : 1.0; }
};

Doubt doubt_of(const MeshDistance& m) {
  constexpr int n = 24;
  const Vec3 margin = Vec3::filled(length(m.bounds.size()) * Real(0.05));
  const Vec3 origin = m.bounds.min - margin, step = (m.bounds.size() + margin * 2) / n;
  const auto at = [&](Index k) -> Doubt {
    const Vec3 cell = {k % n + Real(0.5), k / n % n + Real(0.5), k / (n * n) + Real(0.5)};
    const Real w = winding_number(m.bvh, m.winding, origin + scaled(cell, step));
    return {w > Real(0.5) ? 1.0 : 0.0, std::abs(w - std::round(w)) > Real(0.25) ? 1.0 : 0.0};
  };
  const auto sum = [](const Doubt& a, const Doubt& b) -> Doubt {
    return {a.inside + b.inside, a.doubtful + b.doubtful};
  };
  return reduce(Exec{}, "geometry.mesh_doubt", n * n * n, Doubt{}, at, sum);
}

}  // namespace

std::shared_ptr<const MeshDistance> make_mesh_distance(TriangleMesh mesh, const std::string& name) {
  check_vertices(mesh, name);
  check_indices(mesh, name);
  const Real diagonal = length(bounds_of(mesh).size());
  auto result = std::make_shared<MeshDistance>();
  result->mesh = welded(mesh, diagonal * weld_tolerance);
  if (result->mesh.triangles.empty())
    throw InputError(fmt::format("{}: all {} triangles have no area; export the mesh again", name,
                                 mesh.triangles.size()));
  const double enclosed = volume(result->mesh);
  if (enclosed < 0) result->mesh = flipped(std::move(result->mesh));
  result->bounds = bounds_of(result->mesh);
  result->bvh = make_triangle_bvh(result->mesh);
  result->winding = make_winding_tree(result->bvh);
  if (const OpenEdges open = open_edges(result->mesh); open.count > 0) {
    const double share = doubt_of(*result).share();
    if (share > doubtful_share_limit) refuse_open(name, open, diagonal, share);
  } else if (std::abs(enclosed) < flat_tolerance * std::pow(double(diagonal), 3)) {
    throw InputError(
        fmt::format("{}: the mesh encloses {:.3g} m^3 in {:.3g} m overall: it is flat; "
                    "give it some thickness",
                    name, enclosed, diagonal));
  }
  return result;
}

SignedDistance signed_distance(const MeshDistance& mesh, const Vec3& p) {
  return signed_distance(view_of(mesh), p);
}

}  // namespace phyxel
