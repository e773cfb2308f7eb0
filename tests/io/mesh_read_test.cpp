#include "phyxel/io/mesh_read.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <sstream>

#include "io/hostile.h"

using namespace phyxel;
using namespace std::string_literals;

namespace {

const std::string cube_obj =
    "# a cube\nmtllib none.mtl\no cube\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1 1.0\nv 0 1 1\n"
    "vt 0 0\nvn 0 0 1\ns off\n"
    "f 4 3 2 1\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 7/1/1 6/1/1 # right\n"
    "f -6 -5 -1 -2\n\tf 4 1 5 8\n";

const std::string tetrahedron_stl =
    "solid tetrahedron\n"
    "facet normal 0 0 -1\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n  vertex 1 0 0\n "
    "endloop\nendfacet\n"
    "FACET NORMAL nan nan nan OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 0 1 ENDLOOP ENDFACET\n"
    "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet\n"
    "facet normal 1 1 1 outer loop vertex 1 0 0 vertex 0 1e0 0 vertex -0 0 1 endloop endfacet\n"
    "endsolid tetrahedron\n";

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string binary_stl(const TriangleMesh& mesh, const std::string& start) {
  std::string bytes = start;
  bytes.resize(80, ' ');
  bytes += bytes_of(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Int3& t : mesh.triangles) {
    bytes += std::string(12, '\0');
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) bytes += bytes_of(static_cast<float>(mesh.vertices[t[k]][c]));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

}  // namespace

TEST_CASE("an_obj_cube_of_quads_is_closed_and_looks_outwards") {
  const TriangleMesh cube = parse_obj(cube_obj, "cube.obj");
  CHECK(cube.vertices.size() == 8);
  CHECK(cube.triangles.size() == 12);
  CHECK(volume(cube) == doctest::Approx(1));
  CHECK(area(cube) == doctest::Approx(6));
}

TEST_CASE("concave_polygons_are_cut_without_leaving_them") {
  // An arrow head and an L: a fan from the first corner would cover more than their area.
  const TriangleMesh arrow = parse_obj("v 0 0 0\nv 2 -1 0\nv 0.5 0 0\nv 2 1 0\nf 2 3 4 1\n", "a");
  CHECK(area(arrow) == doctest::Approx(0.5));
  const TriangleMesh l =
      parse_obj("v 1 1 5\nv 2 1 5\nv 2 0 5\nv 0 0 5\nv 0 3 5\nv 1 3 5\nf 3 2 1 6 5 4\n", "a");
  CHECK(area(l) == doctest::Approx(4));
  CHECK(l.triangles.size() == 4);
}

TEST_CASE("a_polygon_of_very_many_corners_is_read_in_reasonable_time") {
  std::ostringstream text, face;
  for (int k = 1; k <= 20000; ++k) {
    text << "v " << std::cos(k * 3.14159e-4) << ' ' << std::sin(k * 3.14159e-4) << " 0\n";
    face << ' ' << k;
  }
  const TriangleMesh mesh = parse_obj(text.str() + "f" + face.str() + "\n", "a");
  CHECK(mesh.triangles.size() > 19000);
}

TEST_CASE("an_ascii_stl_is_welded_to_a_closed_mesh") {
  const TriangleMesh mesh = parse_stl(tetrahedron_stl, "a.stl");
  CHECK(mesh.vertices.size() == 4);
  CHECK(mesh.triangles.size() == 4);
  CHECK(volume(mesh) == doctest::Approx(1.0 / 6));
}

TEST_CASE("a_binary_stl_is_read_also_when_it_begins_with_solid") {
  const TriangleMesh cube = parse_obj(cube_obj, "cube.obj");
  for (const char* start : {"made elsewhere", "solid but binary"}) {
    const TriangleMesh mesh = parse_stl(binary_stl(cube, start), "a.stl");
    CHECK(mesh.vertices.size() == 8);
    CHECK(volume(mesh) == doctest::Approx(1));
  }
}

TEST_CASE("triangles_with_a_repeated_corner_are_dropped") {
  const TriangleMesh mesh = parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 1 2\nf 1 2 3\n", "a");
  CHECK(mesh.triangles.size() == 1);
}

TEST_CASE("ply_meshes_are_read_in_ascii_and_big_endian") {
  const std::string header =
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty uchar flags\nproperty list uchar int vertex_index\nend_header\n";
  const TriangleMesh ascii =
      parse_ply_mesh("ply\nformat ascii 1.0\n" + header + "0 0 0\n1 0 0\n0 1 0\n9 3 0 1 2\n", "a");
  const std::string zero(4, '\0'), one = "\x3f\x80\0\0"s;
  const TriangleMesh big =
      parse_ply_mesh("ply\nformat binary_big_endian 1.0\n" + header + zero + zero + zero + one +
                         zero + zero + zero + one + zero + "\x09\x03\0\0\0\0\0\0\0\x01\0\0\0\x02"s,
                     "a");
  for (const TriangleMesh& mesh : {ascii, big}) {
    REQUIRE(mesh.triangles.size() == 1);
    CHECK(mesh.triangles[0] == Int3{0, 1, 2});
    CHECK(area(mesh) == doctest::Approx(0.5));
  }
}

TEST_CASE("wrong_obj_files_are_refused_with_place_and_reason") {
  const std::pair<std::string, std::string> table[] = {
      {"", "a.obj: holds no triangles"},
      {"v 0 0 0\n", "holds no triangles"},
      {"v 0 0\nf 1 1 1\n", "a.obj:1:6: ends where a coordinate should be"},
      {"v 0 zero 0\n", "a.obj:1:5: a coordinate = 'zero'"},
      {"v 0 0 nan\n", "a.obj:1:3: a vertex is not finite"},
      {"v 0 0 1e999\n", "a coordinate = '1e999'"},
      {"v 0 0 0\nf 1 2 3\n", "a.obj:2:5: face corner '2' names no vertex; 1 are defined"},
      {"v 0 0 0\nf 0 1 1\n", "a.obj:2:3: face corner '0' names no vertex"},
      {"v 0 0 0\nf -2 1 1\n", "face corner '-2' names no vertex"},
      {"v 0 0 0\nf a b c\n", "face corner 'a' has no number of a vertex"},
      {"v 0 0 0\nf 99999999999999999999 1 1\n", "has no number of a vertex"},
      {"v 0 0 0\nf 1 1\n", "a face has 2 corners; it needs at least 3"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_obj(text, "a.obj"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("wrong_stl_files_are_refused_with_place_and_reason") {
  const std::string head(80, ' '), facet = "facet normal 0 0 1 outer loop ";
  const std::string nan = bytes_of(std::nanf(""));
  const std::pair<std::string, std::string> table[] = {
      {"", "byte 0: the header needs 80 bytes, but 0 are left"},
      {"solid a\nendsolid a\n", "holds no triangles"},
      {"solid a\nvertex 1 2 3\n", "a.stl:2:1: expected 'facet' or 'endsolid', found 'vertex'"},
      {"solid a\n" + facet + "vertex 1 2 x\n", "a.stl:2:42: a coordinate = 'x'"},
      {"solid a\n" + facet + "vertex 1 2 inf\n", "a vertex is not finite"},
      {"solid a\n" + facet + "vertex 1 2 3\n", "expected 'vertex', found the end of the file"},
      {head + bytes_of(std::uint32_t{4000000000}) + std::string(900, 'a'),
       "byte 80: claims 4000000000 facets of 50 bytes, but 900 bytes are left"},
      {head + bytes_of(std::uint32_t{0}), "holds no triangles"},
      {head + bytes_of(std::uint32_t{1}) + std::string(12, '\0') + nan + std::string(34, '\0'),
       "byte 96: facet 0 is not finite"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_stl(text, "a.stl"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("wrong_ply_meshes_are_refused_with_the_reason") {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n";
  const std::string face = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
  const std::pair<std::string, std::string> table[] = {
      {"ply\nformat ascii 1.0\nend_header\n", "has no element 'vertex'"},
      {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
       "no number property 'y'"},
      {head + "end_header\n" + points, "holds no triangles"},
      {head + "element face 1\nproperty int a\nend_header\n" + points + "1\n", "no list"},
      {head + face + points + "3 0 1 3\n", "face 0 names vertex 3"},
      {head + face + points + "3 0 1 -1\n", "face 0 names vertex -1"},
      {head + face + "0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n", "vertex 2 is not finite"},
      {head + face + points + "4000000000 0 1\n", "ends before 4000000000 numbers"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_ply_mesh(text, "a.ply"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("an_unknown_mesh_extension_is_refused_with_the_known_ones") {
  CHECK(contains(message_of([] { read_mesh("a.fbx"); }),
                 "must end in .obj, .ply or .stl, not '.fbx'"));
  CHECK(contains(message_of([] { read_mesh("no/such.obj"); }), "no/such.obj: cannot read"));
}

TEST_CASE("cut_or_damaged_meshes_are_refused_or_read_but_never_more") {
  const auto obj = [](const std::string& b) { parse_obj(b, "a"); };
  const auto stl = [](const std::string& b) { parse_stl(b, "a"); };
  const std::string binary = binary_stl(parse_obj(cube_obj, "cube.obj"), "cube");
  int tried = 0;
  CHECK(count_refused_cuts(binary, [&](const std::string& b) { ++tried, stl(b); }) == tried);
  CHECK(count_refused_cuts(cube_obj, obj) > 50);
  CHECK(count_refused_cuts(tetrahedron_stl, stl) > 200);
  CHECK(count_refused_damages(cube_obj, 3000, obj) > 500);
  CHECK(count_refused_damages(tetrahedron_stl, 3000, stl) > 500);
  CHECK(count_refused_damages(binary, 3000, stl) > 20);
}

TEST_CASE("a_textured_mesh_is_split_at_the_seams_of_its_picture") {
  // Two triangles over the same edge, which has other coordinates on either side.
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.25 0.5\n"
      "f 1/1 2/2 3/3\nf 1/4 3/3 4/-1\n";
  const SurfaceMesh split = parse_textured_obj(text, "a.obj");
  CHECK(split.mesh.vertices.size() == 5);
  CHECK(split.mesh.triangles.size() == 2);
  REQUIRE(split.texture.size() == 5);
  const Int3 second = split.mesh.triangles[1];
  CHECK(split.texture[second[0]][0] == Real(0.25));
  CHECK(split.texture[second[1]][1] == 1);
  CHECK(split.texture[second[2]][0] == Real(0.25));
  CHECK(parse_textured_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a.obj").texture.empty());
  CHECK_THROWS_AS(parse_textured_obj("v 0 0 0\nvt 0 0\nf 1/2 1/1 1/1\n", "a.obj"), InputError);
  CHECK_THROWS_AS(parse_textured_obj("vt nan 0\n", "a.obj"), InputError);
  CHECK(parse_textured_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0.5\nf 1/1 2/1 3/1\n", "a.obj")
            .texture[0][0] == Real(0.5));
}

namespace {

/// A triangle whose vertices have two more numbers: 0.5 and 0.25, 1 and 0, 0 and 1.
std::string ply_with(const std::string& first, const std::string& second,
                     const std::string& number = "1") {
  return "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
         "property float z\nproperty float " +
         first + "\nproperty double " + second +
         "\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0 0.5 0.25\n1 0 0 1 0\n0 1 0 0 " +
         number + "\n3 0 1 2\n";
}

}  // namespace

TEST_CASE("texture_coordinates_of_ply_files_have_the_names_of_many_programs") {
  for (const auto& [u, v] :
       {std::pair{"s", "t"}, std::pair{"u", "v"}, std::pair{"texture_u", "texture_v"}}) {
    CAPTURE(u);
    const SurfaceMesh mesh = parse_textured_ply(ply_with(u, v), "a.ply");
    REQUIRE(mesh.texture.size() == 3);
    CHECK(mesh.texture[0] == Vec<Real, 2>{Real(0.5), Real(0.25)});
    CHECK(mesh.texture[2] == Vec<Real, 2>{0, 1});
  }
  CHECK(parse_textured_ply(ply_with("s", "v"), "a.ply").texture.empty());
  CHECK(contains(message_of([] { parse_textured_ply(ply_with("u", "v", "nan"), "a.ply"); }),
                 "the texture coordinate 'v' of vertex 2 is not finite"));
}
