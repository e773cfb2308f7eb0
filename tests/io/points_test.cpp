#include "phyxel/io/points.h"

#include <doctest/doctest.h>

#include "geometry/meshes.h"
#include "io/hostile.h"
#include "io/test_frames.h"
#include "io/write_csv.h"
#include "phyxel/core/file.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/vtk.h"

using namespace phyxel;

TEST_CASE("points_are_read_by_extension_whatever_its_case") {
  const TestFolder folder("points");
  const Frame frame = make_test_frame(10);
  write_ply(folder / "a.PLY", frame);
  write_vtp(folder / "a.vtp", frame);
  write_csv(folder / "a.csv", frame);
  write_csv(folder / "a.txt", frame);
  write_atomically(folder / "a.xyz", [](FileWriter& file) { file.write("1\n\nC 1 2 3\n"); });
  for (const char* name : {"a.PLY", "a.vtp", "a.csv", "a.txt"})
    CHECK(read_points(folder / name).columns[1].data == frame.columns[1].data);
  CHECK(read_points(folder / "a.xyz").position(0) == Vec3{1, 2, 3});
}

TEST_CASE("an_unknown_extension_is_refused_with_the_known_ones") {
  const std::string message = message_of([] { read_points("a.vtq"); });
  CHECK(contains(message, "a.vtq: particles cannot be read from '.vtq'"));
  for (const std::string& name : point_file_extensions()) CHECK(contains(message, name));
  CHECK(contains(message, "did you mean"));
}

TEST_CASE("a_missing_file_is_named") {
  CHECK(contains(message_of([] { read_points("no/such.csv"); }), "no/such.csv: cannot read"));
}

TEST_CASE("the_vertices_of_an_obj_file_are_points") {
  const Frame plain =
      parse_obj_points("# made by hand\r\nv 1 2 3\r\nvn 0 0 1\nv -1 0 1e-3 1\nf 1 2 1\n", "a");
  REQUIRE(plain.count == 2);
  CHECK(plain.position(0) == Vec3{1, 2, 3});
  CHECK(plain.position(1)[2] == Real(1e-3));
  CHECK(plain.columns.size() == 1);
  const Frame coloured = parse_obj_points("v 0 0 0 1 0.5 0\nv 1 0 0 0 0 1", "a");
  REQUIRE(coloured.find("colour"));
  CHECK(coloured.find("colour")->number(0, 1) == doctest::Approx(0.5));
  CHECK(contains(message_of([] { parse_obj_points("v 1 2\n", "a.obj"); }), "a.obj:1:1"));
  CHECK(contains(message_of([] { parse_obj_points("v 1 2 x\n", "a.obj"); }), "a.obj:1:7"));
  CHECK(contains(message_of([] { parse_obj_points("v 1 2 nan\n", "a.obj"); }), "not finite"));
  CHECK(contains(message_of([] { parse_obj_points("f 1 2 3\n", "a.obj"); }), "holds no vertices"));
}

TEST_CASE("a_surface_is_read_with_what_its_vertices_know") {
  const TestFolder folder("surface_read");
  SurfaceMesh made;
  made.mesh = mesh_icosphere(1, 1);
  made.normals = made.mesh.vertices;
  const std::vector<float> heat(made.mesh.vertices.size(), 21.5f);
  made.attributes.push_back(
      make_frame_column("temperature", "degrees C", heat.data(), heat.size()));
  write_surface(folder / "a.ply", made);
  CHECK(holds_a_surface(folder / "a.ply"));
  const SurfaceMesh read = read_surface(folder / "a.ply");
  CHECK(read.mesh.triangles == made.mesh.triangles);
  CHECK(read.normals.size() == made.normals.size());
  REQUIRE(read.attributes.size() == 1);
  CHECK(read.attributes[0].number(3) == 21.5);
  made.normals[3][1] = std::numeric_limits<Real>::quiet_NaN();
  write_surface(folder / "b.ply", made);
  CHECK(read_surface(folder / "b.ply").normals.empty());
  write_ply(folder / "points.ply", make_test_frame(10));
  CHECK_FALSE(holds_a_surface(folder / "points.ply"));
}
