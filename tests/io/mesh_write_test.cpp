#include "phyxel/io/mesh_write.h"

#include <doctest/doctest.h>

#include "io/test_frames.h"
#include "phyxel/geometry/mesh_files.h"

using namespace phyxel;

namespace {

/// A strip of triangles over positions of all magnitudes.
TriangleMesh make_test_mesh(int count) {
  const Frame frame = make_test_frame(static_cast<std::size_t>(count));
  TriangleMesh mesh;
  for (std::size_t i = 0; i < frame.count; ++i) mesh.vertices.push_back(frame.position(i));
  for (Index i = 0; i + 2 < count; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
  return mesh;
}

void check_same(const TriangleMesh& a, const TriangleMesh& b) {
  REQUIRE(a.vertices.size() == b.vertices.size());
  REQUIRE(a.triangles.size() == b.triangles.size());
  int different = 0;
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    different += !(a.vertices[i] == b.vertices[i]);
  for (std::size_t i = 0; i < a.triangles.size(); ++i)
    different += !(a.triangles[i] == b.triangles[i]);
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("a_mesh_comes_back_from_ply_and_obj_bit_for_bit") {
  const TestFolder folder("mesh_write");
  const TriangleMesh mesh = make_test_mesh(3000);
  write_ply(folder / "mesh.ply", mesh);
  check_same(mesh, read_mesh(folder / "mesh.ply"));
  write_obj(folder / "mesh.obj", mesh);
  check_same(mesh, read_mesh(folder / "mesh.obj"));
}
