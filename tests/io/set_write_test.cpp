#include "phyxel/io/set_write.h"

#include <cstring>
#include <doctest/doctest.h>

#include "io/test_frames.h"
#include "phyxel/core/error.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {
namespace {

Frame frame_far_away() {
  Frame frame;
  frame.index = 3;
  frame.time = 0.5;
  frame.origin = {100, 0, 0};
  return frame;
}

FrameSet square() {
  const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  const std::vector<Vec2> texture = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::vector<Real> heat = {1, 2, 3, 4};
  FrameSet set{"flag", SetKind::mesh, 4};
  set.columns = {make_frame_column("position", "m", x.data(), 4),
                 make_frame_column("temperature", "degC", heat.data(), 4),
                 make_frame_column("texture", "", texture.data(), 4)};
  set.triangles = {{0, 1, 2}, {0, 2, 3}};
  set.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}};
  return set;
}

}  // namespace

TEST_CASE("a_mesh_of_a_frame_is_written_as_a_surface_with_its_texture") {
  const TestFolder folder("sets");
  const Frame frame = frame_far_away();
  CHECK(set_extension(square(), "obj", "vtp") == "obj");
  CHECK(set_extension(square(), "none", "none") == "ply");
  write_set(folder / "flag.obj", square(), frame);
  const SurfaceMesh read = rebased(read_surface(folder / "flag.obj"), frame.origin);
  REQUIRE(read.mesh.vertices.size() == 4);
  CHECK(read.mesh.vertices[2] == Vec3{1, 1, 0});
  CHECK(read.mesh.triangles.size() == 2);
  REQUIRE(read.texture.size() == 4);
  CHECK(read.texture[2] == Vec2{1, 1});
  write_set(folder / "flag.ply", square(), frame);
  const SurfaceMesh with_normals = read_surface(folder / "flag.ply");
  REQUIRE(with_normals.normals.size() == 4);
  CHECK(with_normals.normals[0] == Vec3{0, 0, 1});
  const Frame points = read_points(folder / "flag.ply");
  CHECK(points.find("temperature")->number(3) == 4);
}

TEST_CASE("a_mesh_without_triangles_is_written_as_lines") {
  const TestFolder folder("sets");
  FrameSet line = square();
  line.triangles.clear();
  CHECK(set_extension(line, "ply", "ply") == "vtp");
  write_set(folder / "line.vtp", line, frame_far_away());
  const std::string text = read_whole_file(folder / "line.vtp");
  CHECK(text.find("NumberOfLines=\"5\"") != text.npos);
  CHECK(read_points(folder / "line.vtp").world_position(1)[0] == 101);
}

TEST_CASE("points_of_a_frame_are_written_as_particles") {
  const TestFolder folder("sets");
  FrameSet points = square();
  points.kind = SetKind::points;
  points.columns.pop_back();
  CHECK(set_extension(points, "obj", "vtp") == "vtp");
  CHECK(set_extension(points, "obj", "") == "ply");
  write_set(folder / "points.ply", points, frame_far_away());
  CHECK(read_points(folder / "points.ply").count == 4);
}

TEST_CASE("a_grid_is_written_as_image_data_along_x_first") {
  const TestFolder folder("sets");
  const std::vector<float> values = {0, 1, 2, 10, 11, 12};
  FrameSet grid{"density", SetKind::grid, 6};
  grid.columns = {make_frame_column("density", "kg/m^3", values.data(), 6)};
  grid.nodes = {3, 2, 1};
  grid.corner = {0.5, 0, 0};
  grid.spacing = {0.25, 0.5, 1};
  CHECK(set_extension(grid, "obj", "vtp") == "vti");
  write_set(folder / "grid.vti", grid, frame_far_away());
  const std::string text = read_whole_file(folder / "grid.vti");
  CHECK(text.find("WholeExtent=\"0 2 0 1 0 0\"") != text.npos);
  CHECK(text.find("Origin=\"100.5 0 0\" Spacing=\"0.25 0.5 1\"") != text.npos);
  CHECK(text.find("Name=\"density\" NumberOfComponents=\"1\"") != text.npos);
  const std::size_t data = text.find("\n_") + 2 + sizeof(std::uint64_t);
  CHECK(std::memcmp(text.data() + data, values.data(), 6 * sizeof(float)) == 0);
  grid.nodes = {3, 3, 1};
  CHECK_THROWS_WITH_AS(write_set(folder / "grid.vti", grid, {}),
                       doctest::Contains("grid density has 6 nodes, 3 by 3 by 1 are 9"), Error);
}

}  // namespace phyxel
