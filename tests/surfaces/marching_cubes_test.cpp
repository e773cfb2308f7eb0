#include <doctest/doctest.h>

#include <map>
#include <set>

#include "phyxel/core/random.h"
#include "phyxel/geometry/sampling.h"
#include "phyxel/geometry/shape.h"
#include "phyxel/surfaces/marching_cubes.h"

using namespace phyxel;

namespace {

Column<Vec3> points_in(const Shape& shape, Real spacing) {
  const std::vector<Vec3> points = sample_inside(shape, Packing::closest, spacing, 1, 3);
  return {points.begin(), points.end()};
}

TriangleMesh surface_of(const Column<Vec3>& x, const FieldOptions& options, Real cell) {
  return marching_cubes({}, sample_field({}, make_field({}, x, options), cell));
}

/// Vertices - edges + triangles: 2 for each sphere, 0 for each torus.
int euler(const TriangleMesh& mesh) {
  return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.triangles.size()) / 2;
}

/// Every edge has two triangles that run along it in opposite directions, every vertex is used, and
/// no two vertices are the same place.
void check_closed(const TriangleMesh& mesh) {
  std::map<std::pair<Index, Index>, int> edges;
  std::vector<int> used(mesh.vertices.size(), 0);
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      REQUIRE(t[k] >= 0);
      REQUIRE(t[k] < static_cast<Index>(mesh.vertices.size()));
      ++edges[{t[k], t[(k + 1) % 3]}];
      used[t[k]] = 1;
    }
  int wrong = 0;
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    wrong += count != 1 || back == edges.end();
  }
  CHECK(wrong == 0);
  CHECK(std::count(used.begin(), used.end(), 0) == 0);
  std::set<std::array<Real, 3>> places;
  for (const Vec3& v : mesh.vertices) places.insert({v[0], v[1], v[2]});
  CHECK(places.size() == mesh.vertices.size());
}

FieldOptions of_kind(FieldKind kind) {
  FieldOptions options;
  options.kind = kind;
  return options;
}

constexpr FieldKind kinds[] = {FieldKind::blobs, FieldKind::sph, FieldKind::zhu_bridson};

}  // namespace

TEST_CASE("the_surface_of_a_sampled_ball_encloses_its_volume") {
  const Real spacing = Real(0.05);
  const Column<Vec3> x = points_in(shape_sphere(1), spacing);
  for (const FieldKind kind : kinds) {
    CAPTURE(field_names()[static_cast<int>(kind)]);
    const TriangleMesh mesh = surface_of(x, of_kind(kind), spacing / 2);
    check_closed(mesh);
    CHECK(euler(mesh) == 2);
    CHECK(volume(mesh) == doctest::Approx(4 * M_PI / 3).epsilon(0.02));
  }
}
