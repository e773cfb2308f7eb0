#include "phyxel/io/mesh_write.h"

#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/ply_elements.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

using namespace phyxel;

namespace {

/// The numbers of an appended array of 4-byte integers in a .vtp file.
std::vector<std::int32_t> appended_integers(const std::string& bytes, const std::string& name) {
  const std::size_t tag = bytes.find("Name=\"" + name + "\"");
  const std::size_t at = bytes.find("offset=\"", tag) + 8;
  const std::size_t block = bytes.find("\n_") + 2 + std::stoul(bytes.substr(at));
  const auto size = load_number<std::uint64_t>(bytes.data() + block, false);
  std::vector<std::int32_t> numbers(size / 4);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = load_number<std::int32_t>(bytes.data() + block + 8 + 4 * k, false);
  return numbers;
}

template <class T>
std::string values_difference(const FrameColumn* column, const std::string& name,
                              const std::vector<T>& values) {
  if (!column) return name + " is missing";
  return difference(*column, make_frame_column(name, "", values.data(), values.size()));
}

int wrong_bytes(const FrameColumn& bytes, const FrameColumn& colour) {
  int wrong = 0;
  for (std::size_t i = 0; i < bytes.data.size() / 3; ++i)
    for (int c = 0; c < 3; ++c)  // rounded to the nearest: half a step, and a float's last bit
      wrong += std::abs(bytes.number(i, c) - 255 * colour.number(i, c)) > 0.5001;
  return wrong;
}

std::string error_of(const SurfaceMesh& surface) {
  const TestFolder folder("surface_error");
  for (const std::string& format : surface_formats()) {
    try {
      write_surface(folder / ("a." + format), surface);
    } catch (const Error& error) {
      if (format == surface_formats().back()) return error.what();
      continue;
    }
    return format + " takes it";
  }
  return "";
}

}  // namespace

TEST_CASE("a_mesh_comes_back_from_ply_and_obj_bit_for_bit") {
  const TestFolder folder("mesh_write");
  const TriangleMesh mesh = make_test_surface(3000).mesh;
  write_ply(folder / "mesh.ply", {mesh, {}, {}, {}});
  CHECK(differences(mesh, read_mesh(folder / "mesh.ply")) == 0);
  write_obj(folder / "mesh.obj", {mesh, {}, {}, {}});
  CHECK(differences(mesh, read_mesh(folder / "mesh.obj")) == 0);
}

TEST_CASE("a_surface_comes_back_from_ply_with_all_its_attributes") {
  const TestFolder folder("surface_ply");
  const SurfaceMesh surface = make_test_surface(5000);
  write_ply(folder / "a.ply", surface);
  CHECK(differences(surface.mesh, read_mesh(folder / "a.ply")) == 0);
  const Frame frame = read_points(folder / "a.ply");
  CHECK(values_difference(frame.find("normal"), "normal", surface.normals) == "");
  for (std::size_t k = 1; k < surface.attributes.size(); ++k) {
    const FrameColumn* read = frame.find(surface.attributes[k].name);
    REQUIRE(read);
    CHECK(difference(*read, surface.attributes[k]) == "");
  }
  REQUIRE((frame.find("s") && frame.find("t")));
  CHECK(frame.find("s")->number(7) == 1);
  CHECK(frame.find("t")->number(9) == 0);
}

TEST_CASE("texture_coordinates_come_back_from_ply_bit_for_bit") {
  const TestFolder folder("texture_ply");
  for (const Vec3d& origin : {Vec3d::zero(), Vec3d{4e6, 0, 0}}) {
    SurfaceMesh surface = make_test_surface(3000);
    surface.origin = origin;
    REQUIRE(!surface.texture.empty());
    write_ply(folder / "a.ply", surface);
    const SurfaceMesh read = read_surface(folder / "a.ply");
    CHECK(read.texture == surface.texture);
    CHECK(read.normals == surface.normals);
    REQUIRE(read.attributes.size() == surface.attributes.size());  // and are no attributes
    // As the writer of a second copy sees it.
    write_ply(folder / "b.ply", read);
    CHECK(read_surface(folder / "b.ply").texture == surface.texture);
  }
}

TEST_CASE("colours_in_ply_are_the_nearest_bytes_and_bytes_stay") {
  const TestFolder folder("surface_colour");
  SurfaceMesh surface = make_test_surface(2000);
  write_ply(folder / "a.ply", surface);
  const Frame first = read_points(folder / "a.ply");
  REQUIRE(first.find("colour"));
  REQUIRE(first.find("colour")->type == NumberType::uint8);
  CHECK(wrong_bytes(*first.find("colour"), surface.attributes[0]) == 0);
  surface.attributes[0] = *first.find("colour");
  write_ply(folder / "b.ply", surface);
  CHECK(difference(first, read_points(folder / "b.ply")) == "");
}

TEST_CASE("colours_beyond_their_range_are_cut_off_and_alpha_is_kept") {
  const TestFolder folder("surface_alpha");
  SurfaceMesh surface;
  surface.mesh.vertices = {{0, 0, 0}, {1, 0, 0}};
  const std::vector<Vec<float, 4>> colours = {{-1, 2, 0.5f, 0.25f}, {std::nanf(""), 1, 0, 1}};
  surface.attributes = {make_frame_column("colour", "", colours.data(), 2)};
  write_ply(folder / "a.ply", surface);
  const Frame frame = read_points(folder / "a.ply");
  const std::vector<Vec<std::uint8_t, 4>> expected = {{0, 255, 128, 64}, {0, 255, 0, 255}};
  CHECK(values_difference(frame.find("colour"), "colour", expected) == "");
}

TEST_CASE("an_obj_file_names_texture_and_normals_at_every_corner") {
  const TestFolder folder("surface_obj");
  SurfaceMesh surface = make_test_surface(4);
  const auto text_of = [&] {
    write_obj(folder / "a.obj", surface);
    CHECK(differences(surface.mesh, read_mesh(folder / "a.obj")) == 0);
    return read_whole_file(folder / "a.obj");
  };
  std::string text = text_of();
  CHECK(contains(text, "\nf 1/1/1 2/2/2 3/3/3\nf 2/2/2 3/3/3 4/4/4\n"));
  CHECK(contains(text, "\nvt 0 1\n"));
  CHECK(contains(text, "\nvn 1 0 0\n"));
  surface.texture.clear();
  CHECK(contains(text_of(), "\nf 1//1 2//2 3//3\n"));
  surface = make_test_surface(4);
  surface.normals.clear();
  CHECK(contains(text_of(), "\nf 1/1 2/2 3/3\n"));
}

TEST_CASE("colours_stand_behind_the_position_in_obj") {
  const TestFolder folder("surface_obj_colour");
  SurfaceMesh surface;
  surface.mesh.vertices = {{1, 2, 3}};
  const Vec<std::uint8_t, 3> colour{255, 0, 51};
  surface.attributes = {make_frame_column("colour", "", &colour, 1)};
  write_obj(folder / "a.obj", surface);
  CHECK(contains(read_whole_file(folder / "a.obj"), "\nv 1 2 3 1 0 0.2\n"));
}

TEST_CASE("a_surface_comes_back_from_vtp_with_all_its_attributes") {
  const TestFolder folder("surface_vtp");
  const SurfaceMesh surface = make_test_surface(3000);
  write_vtp(folder / "a.vtp", surface);
  const Frame frame = read_points(folder / "a.vtp");
  REQUIRE(frame.count == 3000);
  CHECK(values_difference(frame.find("position"), "position", surface.mesh.vertices) == "");
  CHECK(values_difference(frame.find("normal"), "normal", surface.normals) == "");
  CHECK(values_difference(frame.find("texture"), "texture", surface.texture) == "");
  for (const FrameColumn& column : surface.attributes) {
    REQUIRE(frame.find(column.name));
    CHECK(difference(*frame.find(column.name), column) == "");
  }
}

TEST_CASE("a_vtp_file_of_a_surface_has_one_polygon_per_triangle") {
  const TestFolder folder("surface_polys");
  write_vtp(folder / "a.vtp", make_test_surface(5));
  const std::string bytes = read_whole_file(folder / "a.vtp");
  CHECK(contains(bytes, "NumberOfPoints=\"5\" NumberOfVerts=\"0\""));
  CHECK(contains(bytes, "NumberOfPolys=\"3\""));
  CHECK(contains(bytes, "<PointData Normals=\"normal\" TCoords=\"texture\">"));
  CHECK(appended_integers(bytes, "connectivity") ==
        std::vector<std::int32_t>{0, 1, 2, 1, 2, 3, 2, 3, 4});
  CHECK(appended_integers(bytes, "offsets") == std::vector<std::int32_t>{3, 6, 9});
}

TEST_CASE("an_empty_surface_is_a_valid_file") {
  const TestFolder folder("surface_empty");
  for (const SurfaceMesh& surface : {SurfaceMesh{}, make_test_surface(0), make_test_surface(2)}) {
    const std::size_t count = surface.mesh.vertices.size();
    write_surface(folder / "a.ply", surface);
    const PlyElements ply = parse_ply_elements(read_whole_file(folder / "a.ply"), "a.ply");
    REQUIRE(ply.find("face"));
    CHECK(ply.find("face")->count == 0);
    CHECK(read_points(folder / "a.ply").count == count);
    write_surface(folder / "a.obj", surface);
    CHECK(contains(message_of([&] { read_mesh(folder / "a.obj"); }), "holds no triangles"));
    write_surface(folder / "a.vtp", surface);
    CHECK(read_points(folder / "a.vtp").count == count);
    CHECK(appended_integers(read_whole_file(folder / "a.vtp"), "offsets").empty());
  }
}

TEST_CASE("write_surface_goes_by_the_extension_and_lists_those_it_knows") {
  const TestFolder folder("write_surface");
  const SurfaceMesh surface = make_test_surface(4);
  const std::pair<std::string, std::string> openings[] = {
      {"a.ply", "ply\n"}, {"a.OBJ", "# "}, {"a.vtp", "<?xml"}, {"a.glb", "glTF"}};
  for (const auto& [name, opening] : openings) {
    write_surface(folder / name, surface);
    CHECK(read_whole_file(folder / name).starts_with(opening));
  }
  const std::string message = message_of([&] { write_surface(folder / "a.stl", surface); });
  CHECK(contains(message,
                 "a.stl: a surface cannot be written as '.stl'; known are .ply .obj .vtp "
                 ".glb"));
}

TEST_CASE("surfaces_that_contradict_themselves_are_refused_by_every_writer") {
  SurfaceMesh surface = make_test_surface(5);
  CHECK(error_of(surface) == "ply takes it");
  surface.normals.pop_back();
  CHECK(contains(error_of(surface), "4 values of 'normal' for 5 vertices"));
  surface = make_test_surface(5);
  surface.texture.push_back({});
  CHECK(contains(error_of(surface), "6 values of 'texture' for 5 vertices"));
  surface = make_test_surface(5);
  surface.attributes[2].data.clear();
  CHECK(contains(error_of(surface), "0 values of 'temperature' for 5 vertices"));
  surface = make_test_surface(5);
  surface.mesh.triangles[1] = {0, 5, 1};
  CHECK(contains(error_of(surface), "triangle 1 names vertex 5; the surface has 5"));
  surface = make_test_surface(5);
  surface.mesh.vertices[3][1] = std::numeric_limits<Real>::infinity();
  CHECK(contains(error_of(surface), "vertex 3 of the surface is not finite"));
  surface = make_test_surface(5);
  surface.attributes[2].name = "velocity";
  CHECK(contains(error_of(surface), "has 'velocity' twice"));
}
