#include "phyxel/surfaces/decimate.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>

#include "geometry/meshes.h"
#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/surfaces/make_surface.h"
#include "phyxel/surfaces/surface_scratch.h"

using namespace phyxel;

namespace {

/// Edges that do not have two triangles.
std::size_t odd_edges(const TriangleMesh& mesh) {
  std::map<std::pair<Index, Index>, int> uses;
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++uses[std::minmax(t[k], t[(k + 1) % 3])];
  return static_cast<std::size_t>(
      std::count_if(uses.begin(), uses.end(), [](auto& edge) { return edge.second != 2; }));
}

SurfaceMesh ball() {
  SurfaceMesh surface;
  surface.mesh = mesh_icosphere(1, 5);
  surface.normals = surface.mesh.vertices;
  for (const Vec3& p : surface.mesh.vertices) surface.texture.push_back({p[0], p[1]});
  surface.attributes = {
      make_frame_column("place", "m", surface.mesh.vertices.data(), surface.mesh.vertices.size())};
  return surface;
}

SurfaceMesh random_surface(std::uint32_t seed) {
  std::vector<Vec3> x(seed == 0 ? 1 : 60);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Random{seed}.uniform3(i);
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size())};
  SurfaceOptions options;
  options.field.kind = static_cast<FieldKind>(seed % 3);
  options.field.spacing = Real(0.1) + Real(0.02) * static_cast<Real>(seed % 4);
  SurfaceScratch scratch;
  return make_surface({}, frame, options, scratch);
}

}  // namespace

TEST_CASE("a_decimated_ball_keeps_its_shape_and_what_its_vertices_know") {
  if (!can_decimate()) return;
  SurfaceMesh surface = ball();
  const double full = volume(surface.mesh);
  const std::size_t triangles = surface.mesh.triangles.size();
  decimate(surface, 0.1);
  CHECK(double(surface.mesh.triangles.size()) ==
        doctest::Approx(0.1 * double(triangles)).epsilon(0.01));
  CHECK(odd_edges(surface.mesh) == 0);
  // Corners on the ball, 2048 faces: a deficit of about pi^2 / 2048 of the volume.
  CHECK(volume(surface.mesh) == doctest::Approx(full).epsilon(0.01));
  REQUIRE(surface.normals.size() == surface.mesh.vertices.size());
  REQUIRE(surface.texture.size() == surface.mesh.vertices.size());
  REQUIRE(surface.attributes[0].data.size() == surface.mesh.vertices.size() * sizeof(Vec3));
  for (std::size_t v = 0; v < surface.mesh.vertices.size(); ++v) {
    const Vec3 p = surface.mesh.vertices[v];
    REQUIRE(surface.normals[v] == p);
    REQUIRE(surface.texture[v] == Vec2{p[0], p[1]});
    for (int k = 0; k < 3; ++k) REQUIRE(surface.attributes[0].number(v, k) == double(p[k]));
  }
}

TEST_CASE("decimated_surfaces_of_random_clouds_are_closed_and_manifold") {
  if (!can_decimate()) return;
  for (std::uint32_t seed = 0; seed < 12; ++seed)
    for (const double share : {0.5, 0.1, 0.0}) {
      SurfaceMesh surface = random_surface(seed);
      const bool is_empty = surface.mesh.triangles.empty();
      decimate(surface, share);
      CHECK(odd_edges(surface.mesh) == 0);
      CHECK(open_edges(surface.mesh).count == 0);
      CHECK((surface.mesh.triangles.size() >= 4) == !is_empty);
    }
}

TEST_CASE("all_triangles_stay_where_all_are_wanted_and_a_wrong_share_is_refused") {
  if (!can_decimate()) {
    SurfaceMesh surface = ball();
    CHECK_THROWS_AS(decimate(surface, 0.5), InputError);
    return;
  }
  SurfaceMesh surface = ball();
  decimate(surface, 1);
  CHECK(surface.mesh.triangles.size() == ball().mesh.triangles.size());
  CHECK_THROWS_AS(decimate(surface, 1.5), InputError);
  CHECK_THROWS_AS(decimate(surface, -0.5), InputError);
  SurfaceMesh nothing;
  decimate(nothing, 0.5);
  CHECK(nothing.mesh.triangles.empty());
}

TEST_CASE("a_surface_that_is_not_simple_is_not_decimated") {
  if (!can_decimate()) return;
  SurfaceMesh surface;
  surface.mesh = mesh_box({1, 1, 1});
  surface.mesh.triangles.push_back(surface.mesh.triangles.front());
  CHECK_THROWS_AS(decimate(surface, 0.5), Error);
}
