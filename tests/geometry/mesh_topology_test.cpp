#include "phyxel/geometry/mesh_topology.h"

#include <doctest/doctest.h>

#include "geometry/meshes.h"

using namespace phyxel;

namespace {

/// A ring of `around` by `across` quads about the y axis.
TriangleMesh mesh_torus(Real radius, Real thickness, int around, int across) {
  TriangleMesh mesh;
  for (int a = 0; a < around; ++a)
    for (int c = 0; c < across; ++c) {
      const double u = 2 * M_PI * a / around, v = 2 * M_PI * c / across;
      const double out = radius + thickness * std::cos(v);
      mesh.vertices.push_back(
          cast<Real>(Vec3d{out * std::cos(u), thickness * std::sin(v), out * std::sin(u)}));
    }
  const auto at = [&](int a, int c) { return a % around * across + c % across; };
  for (int a = 0; a < around; ++a)
    for (int c = 0; c < across; ++c) {
      mesh.triangles.push_back({at(a, c), at(a, c + 1), at(a + 1, c + 1)});
      mesh.triangles.push_back({at(a, c), at(a + 1, c + 1), at(a + 1, c)});
    }
  return mesh;
}

TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

}  // namespace

TEST_CASE("a_ball_has_no_hole_and_a_ring_has_one") {
  const MeshTopology ball = topology_of(mesh_icosphere(1, 2));
  CHECK(ball.pieces == 1);
  CHECK(ball.cavities == 0);
  CHECK(ball.euler_number == 2);
  CHECK(ball.genus() == 0);
  const TriangleMesh torus = mesh_torus(1, Real(0.3), 24, 12);
  CHECK(open_edges(torus).count == 0);
  CHECK(volume(torus) > 0);
  const MeshTopology ring = topology_of(torus);
  CHECK(ring.pieces == 1);
  CHECK(ring.euler_number == 0);
  CHECK(ring.genus() == 1);
}

TEST_CASE("pieces_and_cavities_are_counted_apart_wherever_they_are_and_holes_of_all_add_up") {
  TriangleMesh mesh = moved(mesh_icosphere(1, 3), {50, 0, 0});
  append(mesh, moved(flipped(mesh_icosphere(Real(0.4), 2)), {50, 0, 0}));
  append(mesh, moved(mesh_torus(1, Real(0.3), 24, 12), {-50, 3, 0}));
  append(mesh, mesh_torus(2, Real(0.3), 30, 10));
  const MeshTopology all = topology_of(mesh);
  CHECK(all.pieces == 3);
  CHECK(all.cavities == 1);
  CHECK(all.euler_number == 4);
  CHECK(all.genus() == 2);
}

TEST_CASE("vertices_without_triangles_do_not_count") {
  TriangleMesh mesh = mesh_box({1, 2, 3});
  mesh.vertices.push_back({9, 9, 9});
  CHECK(topology_of(mesh).pieces == 1);
  CHECK(topology_of(mesh).euler_number == 2);
  CHECK(topology_of({}).pieces == 0);
  CHECK(topology_of({}).genus() == 0);
}
