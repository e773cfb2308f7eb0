#include "phyxel/geometry/body_mesh.h"

#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/core/error.h"

namespace phyxel {
namespace {

using doctest::Approx;

// Coordinates of order 1 are rounded to their last bits.
constexpr double rounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;

double edge_length(const BodyMesh& mesh, const std::vector<Vec3>& points, std::size_t k) {
  return length(points[mesh.edges[k][1]] - points[mesh.edges[k][0]]);
}

/// Vertices - edges + faces.
int euler_number(const BodyMesh& mesh) {
  return static_cast<int>(points_of(mesh).size()) - static_cast<int>(mesh.edges.size()) +
         static_cast<int>(mesh.surface.triangles.size());
}

/// Two triangles that share an edge, whose vertices are there twice.
TriangleMesh seam() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
          {{0, 1, 2}, {3, 4, 5}}};
}

void check_refused(const TriangleMesh& mesh, const char* message, Real spacing = 1) {
  CHECK_THROWS_WITH_AS(make_shell(mesh, {}, spacing), doctest::Contains(message), InputError);
}

}  // namespace

TEST_CASE("neighbours_of_a_sheet_are_exactly_one_spacing_apart") {
  const BodyMesh mesh = make_sheet(1, Real(0.7), Packing::closest, Real(0.1));
  const std::vector<Vec3> points = points_of(mesh);
  REQUIRE(points.size() == mesh.surface.vertices.size());
  const Real side = bounds_of(mesh.surface).max[0];
  std::size_t along_sides = 0;
  for (std::size_t k = 0; k < mesh.edges.size(); ++k) {
    const auto& [a, b] = mesh.edges[k].c;
    const bool on_side =
        std::abs(points[a][0]) > 0.999 * side && std::abs(points[b][0]) > 0.999 * side;
    along_sides += on_side;
    // Across the end of a shorter row.
    CHECK(edge_length(mesh, points, k) ==
          Approx(on_side ? std::sqrt(0.03) : 0.1).epsilon(rounding));
  }
  CHECK(along_sides == 8);
  CHECK(area(mesh.surface) == Approx(1 * 8 * 0.1 * std::sqrt(0.75)).epsilon(1e-4));
  CHECK(euler_number(mesh) == 1);  // a disc
  CHECK(bounds_of(mesh.surface).size()[0] == Approx(1).epsilon(rounding));
  CHECK(std::abs(bounds_of(mesh.surface).size()[1] - 0.7) <= 0.05);
  CHECK(length(bounds_of(mesh.surface).centre()) < rounding);
}

TEST_CASE("a_cubic_sheet_is_a_square_grid") {
  const BodyMesh mesh = make_sheet(1, Real(0.5), Packing::cubic, Real(0.25));
  CHECK(mesh.point.size() == 15);
  CHECK(mesh.surface.triangles.size() == 16);
  CHECK(euler_number(mesh) == 1);
  CHECK(area(mesh.surface) == Approx(0.5).epsilon(rounding));
}

TEST_CASE("triangles_of_a_sheet_face_along_its_z_axis") {
  for (const Packing packing : {Packing::closest, Packing::cubic}) {
    const BodyMesh mesh = make_sheet(1, 1, packing, Real(0.2));
    for (const Int3& t : mesh.surface.triangles) {
      const auto& v = mesh.surface.vertices;
      CHECK(cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]])[2] > 0);
    }
  }
}

TEST_CASE("texture_coordinates_of_a_sheet_run_from_0_to_1") {
  const BodyMesh mesh = make_sheet(2, 1, Packing::closest, Real(0.1));
  Vec2 low = mesh.texture[0], high = low;
  for (const Vec2& t : mesh.texture)
    for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], t[k]), high[k] = std::max(high[k], t[k]);
  for (int k = 0; k < 2; ++k) {
    CHECK(low[k] == Approx(0).epsilon(rounding));
    CHECK(high[k] == Approx(1).epsilon(rounding));
  }
}

TEST_CASE("a_sheet_of_one_row_is_refused") {
  CHECK_THROWS_WITH_AS(make_sheet(Real(0.04), 1, Packing::closest, Real(0.1)),
                       doctest::Contains("width = 0.04 m holds a single row of points"),
                       InputError);
  CHECK_THROWS_WITH_AS(make_sheet(1, Real(0.01), Packing::cubic, Real(0.1)),
                       doctest::Contains("height = 0.01 m holds a single row of points"),
                       InputError);
  CHECK_THROWS_WITH_AS(make_sheet(1, 1, Packing::poisson, Real(0.1)),
                       doctest::Contains("a sheet is regular"), InputError);
}

TEST_CASE("points_of_a_line_are_one_spacing_apart_along_it") {
  const BodyMesh mesh = make_line({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, Real(0.1));
  const std::vector<Vec3> points = points_of(mesh);
  REQUIRE(points.size() == 21);
  REQUIRE(mesh.edges.size() == 20);
  CHECK(mesh.surface.triangles.empty());
  for (std::size_t k = 0; k < mesh.edges.size(); ++k)
    CHECK(edge_length(mesh, points, k) == Approx(0.1).epsilon(10 * rounding));
  CHECK(length(points.back() - Vec3{1, 1, 0}) < 10 * rounding);
  CHECK(mesh.texture.back()[0] == 1);
}

TEST_CASE("what_a_length_leaves_over_is_shared_by_both_ends_of_a_line") {
  const std::vector<Vec3> points = points_of(make_line({{0, 0, 0}, {0, Real(1.06), 0}}, Real(0.1)));
  CHECK(points.size() == 11);
  CHECK(points.front()[1] == Approx(0.03).epsilon(1e-4));
  CHECK(points.back()[1] == Approx(1.03).epsilon(1e-4));
}

TEST_CASE("lines_that_cannot_be_are_refused") {
  const auto refused = [](const std::vector<Vec3>& corners, const char* message) {
    CHECK_THROWS_WITH_AS(make_line(corners, Real(0.1)), doctest::Contains(message), InputError);
  };
  refused({{0, 0, 0}}, "points has 1 of them, must be at least 2");
  refused({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, "points 1 and 2 are at one place");
  refused({{0, 0, 0}, {Real(0.01), 0, 0}}, "the line is 0.01 m long, must be at least spacing");
}

TEST_CASE("vertices_along_a_seam_are_one_point") {
  const BodyMesh mesh = make_shell(seam(), {}, 1);
  CHECK(mesh.surface.vertices.size() == 6);
  CHECK(points_of(mesh).size() == 4);
  CHECK(mesh.edges.size() == 5);
  CHECK(mesh.point[3] == mesh.point[1]);
  CHECK(euler_number(mesh) == 1);
}

TEST_CASE("meshes_whose_vertices_cannot_be_particles_are_refused") {
  TriangleMesh flat = seam();
  flat.vertices[4] = {Real(0.5), Real(0.5), 0};
  check_refused(flat, "triangle 1 at [1, 0, 0] has no area");
  TriangleMesh lone = seam();
  lone.vertices.push_back({5, 5, 5});
  check_refused(lone, "vertex 6 belongs to no triangle");
  check_refused(seam(), "say spacing = 1.08", Real(0.1));
  check_refused({{{0, 0, 0}}, {}}, "the mesh has no triangle");
}

}  // namespace phyxel
