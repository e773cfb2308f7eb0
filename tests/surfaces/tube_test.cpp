#include "phyxel/surfaces/tube.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>

#include "phyxel/geometry/mesh.h"

using namespace phyxel;

namespace {

FrameSet line_set(const std::vector<Vec3>& points, std::vector<Vec<Index, 2>> edges) {
  FrameSet set;
  set.kind = SetKind::mesh;
  set.count = points.size();
  set.columns.push_back(make_frame_column("position", "m", points.data(), points.size()));
  std::vector<Real> number;
  for (std::size_t k = 0; k < points.size(); ++k) number.push_back(Real(k));
  set.columns.push_back(make_frame_column("number", "", number.data(), number.size()));
  set.edges = std::move(edges);
  return set;
}

/// Every edge of a closed surface is run through once in each direction.
bool is_closed(const TriangleMesh& mesh) {
  std::map<std::pair<Index, Index>, int> ways;
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++ways[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : ways)
    if (count != 1 || !ways.contains({edge.second, edge.first})) return false;
  return true;
}

double volume_of(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Int3& t : mesh.triangles)
    sum += double(dot(mesh.vertices[t[0]], cross(mesh.vertices[t[1]], mesh.vertices[t[2]]))) / 6;
  return sum;
}

}  // namespace

TEST_CASE("a_straight_line_is_a_capsule") {
  const Real r = Real(0.1);
  const SurfaceMesh tube =
      tubes_around(line_set({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1}, {1, 2}}), r, {0, 0, 0});
  CHECK(is_closed(tube.mesh));
  // A 16-gon has 0.974 of the area of its circle; the caps are polyhedra in a ball.
  const double whole = 2 * M_PI * r * r + 4 * M_PI / 3 * r * r * r;
  CHECK(volume_of(tube.mesh) == doctest::Approx(0.974 * whole).epsilon(0.005));
  REQUIRE(tube.attributes.size() == 1);
  for (std::size_t v = 0; v < tube.mesh.vertices.size(); ++v) {
    const Vec3& x = tube.mesh.vertices[v];
    const Vec3 off = x - Vec3{std::clamp(x[0], Real(0), Real(2)), 0, 0};
    CHECK(length(off) == doctest::Approx(r).epsilon(1e-4));
    CHECK(dot(tube.normals[v], off) == doctest::Approx(r).epsilon(1e-4));
    CHECK(std::abs(tube.attributes[0].number(v) - double(x[0])) < 0.76);  // half, and the cap
  }
}

TEST_CASE("a_ring_closes_and_a_lone_vertex_is_a_ball") {
  std::vector<Vec3> circle;
  std::vector<Vec<Index, 2>> edges;
  for (Index k = 0; k < 24; ++k) {
    const Real angle = 2 * Real(M_PI) * Real(k) / 24;
    circle.push_back({std::cos(angle), std::sin(angle), 0});
    edges.push_back({k, (k + 1) % 24});
  }
  const Real r = Real(0.1);
  const SurfaceMesh ring = tubes_around(line_set(circle, edges), r, {0, 0, 0});
  CHECK(is_closed(ring.mesh));
  // Catmull and Rom's cubic through 24 points of a circle is off it by 1e-4.
  CHECK(volume_of(ring.mesh) == doctest::Approx(0.974 * 2 * M_PI * M_PI * r * r).epsilon(0.005));
  const SurfaceMesh ball = tubes_around(line_set({{3, 0, 0}}, {}), r, {0, 0, 0});
  CHECK(is_closed(ball.mesh));
  CHECK(volume_of(ball.mesh) == doctest::Approx(4 * M_PI / 3 * r * r * r).epsilon(0.07));
}

TEST_CASE("lines_that_branch_have_a_tube_for_each_arm") {
  const SurfaceMesh star =
      tubes_around(line_set({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}},
                            {{0, 1}, {0, 2}, {3, 0}, {1, 4}}),
                   Real(0.1), {0, 0, 0});
  CHECK(is_closed(star.mesh));
  const double arm = M_PI * 0.01, ends = 4 * M_PI / 3 * 0.001;
  CHECK(volume_of(star.mesh) == doctest::Approx(0.974 * (4 * arm + 3 * ends)).epsilon(0.01));
}
