#include "phyxel/geometry/mesh.h"

#include <doctest/doctest.h>

#include "geometry/meshes.h"

using namespace phyxel;
using doctest::Approx;

TEST_CASE("a_box_mesh_has_the_area_and_volume_of_the_box") {
  const TriangleMesh box = mesh_box({1, 2, 3});
  CHECK(area(box) == Approx(22));
  CHECK(volume(box) == Approx(6));
  CHECK(volume(flipped(box)) == Approx(-6));
  CHECK(open_edges(box).count == 0);
  CHECK(bounds_of(box).size() == Vec3{1, 2, 3});
}

TEST_CASE("sphere_meshes_are_closed_and_approach_the_ball") {
  for (const TriangleMesh& mesh : {mesh_icosphere(2, 4), mesh_uv_sphere(2, 48, 96)}) {
    CHECK(open_edges(mesh).count == 0);
    // Facets of a 48th of the circle lie inside by about 1 %.
    CHECK(volume(mesh) == Approx(4.0 / 3 * M_PI * 8).epsilon(0.01));
    CHECK(area(mesh) == Approx(4 * M_PI * 4).epsilon(0.01));
  }
  CHECK(mesh_icosphere(1, 3).triangles.size() == 20 * 64);
}

TEST_CASE("open_edges_counts_holes_and_measures_them") {
  TriangleMesh box = mesh_box({1, 1, 1});
  box.triangles.erase(box.triangles.begin());  // half of one face and half of the opposite one
  box.triangles.erase(box.triangles.begin() + 1);
  const OpenEdges open = open_edges(box);
  CHECK(open.count == 6);
  CHECK(open.holes == 2);
  CHECK(open.widest_hole == Approx(std::sqrt(2.0)));
  TriangleMesh turned = mesh_box({1, 1, 1});
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  CHECK(open_edges(turned).count == 3);  // its neighbours face the other way
}

TEST_CASE("welding_joins_loose_triangles_and_drops_those_that_collapse") {
  const TriangleMesh box = mesh_box({1, 1, 1});
  TriangleMesh loose;
  for (const Int3& t : box.triangles) {
    const Index first = static_cast<Index>(loose.vertices.size());
    for (int k = 0; k < 3; ++k)
      loose.vertices.push_back(box.vertices[t[k]] + Vec3::filled(Real(1e-6) * k));
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  loose.triangles.push_back({0, 1, 1});
  CHECK(open_edges(loose).count > 0);
  const TriangleMesh joined = welded(loose, 1e-5);
  CHECK(joined.vertices.size() == 8);
  CHECK(joined.triangles.size() == 12);
  CHECK(open_edges(joined).count == 0);
}

TEST_CASE("welding_finds_neighbours_across_the_cells_of_its_grid") {
  TriangleMesh mesh;
  for (int k = -50; k <= 50; ++k) {
    const Real x = Real(0.02) * k;  // the cell is 0.02 wide: on both sides of its border
    mesh.vertices.push_back({x - Real(0.004), 0, 0});
    mesh.vertices.push_back({x + Real(0.004), 0, 0});
  }
  CHECK(welded(mesh, 0.01).vertices.size() == 101);
}
