#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>

#include "io/test_frames.h"
#include "phyxel/core/file.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/mesh_write.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/points.h"
#include "phyxel/io/surface_data.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/usd.h"
#include "phyxel/io/vtk.h"
#include "phyxel/surfaces/make_surface.h"
#include "phyxel/surfaces/surface_scratch.h"

using namespace phyxel;

namespace {

// One colour in all the numbers that files have for it.
constexpr int bytes[3] = {200, 100, 50};
double code(int c) {
  return bytes[c] / 255.0;
}

/// A lattice of 27 points, each through line(x, y, z).
std::string lines(const std::function<std::string(double, double, double)>& line) {
  std::string text;
  for (int k = 0; k < 27; ++k)
    text += line(k % 3 * 0.1, k / 3 % 3 * 0.1, k / 9 * 0.1) + "\n";  // NOLINT: whole numbers
  return text;
}
std::string repeated(const std::string& what) {
  return lines([&](double, double, double) { return what; });
}

std::string rows(const std::string& colour, const char* separator = " ") {
  return lines([&](double x, double y, double z) {
    return fmt::format("{}{}{}{}{}{}{}", x, separator, y, separator, z, separator, colour);
  });
}

std::string in_bytes(const char* separator = " ") {
  return fmt::format("{}{}{}{}{}", bytes[0], separator, bytes[1], separator, bytes[2]);
}
std::string in_words() {
  return fmt::format("{} {} {}", bytes[0] * 257, bytes[1] * 257, bytes[2] * 257);
}
std::string in_codes(const char* separator = " ") {
  return fmt::format("{}{}{}{}{}", code(0), separator, code(1), separator, code(2));
}

Frame ply(const std::string& type, const std::string& colour, const std::string& prefix = "") {
  std::string head = "ply\nformat ascii 1.0\nelement vertex 27\n";
  for (const char* axis : {"x", "y", "z"}) head += fmt::format("property float {}\n", axis);
  for (const char* part : {"red", "green", "blue"})
    head += fmt::format("property {} {}{}\n", type, prefix, part);
  return parse_ply(head + "end_header\n" + rows(colour), "a.ply");
}

Frame vtk(const std::string& data, const std::string& colour) {
  return parse_vtk_legacy(
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 27 float\n" + rows("") +
          "POINT_DATA 27\n" + data + "\n" + repeated(colour),
      "a.vtk");
}

Frame vtp(const std::string& type, const std::string& name, const std::string& colour) {
  return parse_vtk_xml(
      fmt::format("<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"27\"><Points>"
                  "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">{}"
                  "</DataArray></Points><PointData><DataArray type=\"{}\" Name=\"{}\" "
                  "NumberOfComponents=\"3\" format=\"ascii\">{}</DataArray></PointData></Piece>"
                  "</PolyData></VTKFile>",
                  rows(""), type, name, repeated(colour)),
      "a.vtp");
}

Frame csv(const std::string& names, const std::string& colour) {
  return parse_csv("x,y,z," + names + "\n" + rows(colour, ","), "a.csv");
}

Frame obj(const std::string& colour) {
  return parse_obj_points(lines([&](double x, double y, double z) {
                            return fmt::format("v {} {} {} {}", x, y, z, colour);
                          }),
                          "a.obj");
}

template <class T>
std::string big_endian(T number) {
  std::string raw(reinterpret_cast<const char*>(&number), sizeof(T));
  if (!host_is_big_endian) std::reverse(raw.begin(), raw.end());
  return raw;
}

Frame bgeo() {
  std::string file = "BgeoV";
  for (const std::int32_t n : {5, 27, 0, 0, 0, 1, 0, 0, 0}) file += big_endian(n);
  file += big_endian(std::uint16_t{2}) + "Cd" + big_endian(std::uint16_t{3});
  for (const std::int32_t n : {5, 0, 0, 0}) file += big_endian(n);
  lines([&](double x, double y, double z) {
    for (const double number : {x, y, z, 1.0, code(0), code(1), code(2)})
      file += big_endian(static_cast<float>(number));
    return std::string();
  });
  return parse_bgeo(file, "a.bgeo");
}

struct Source {
  std::string name;
  Frame frame;
};

std::vector<Source> every_source() {
  return {
      {"ply uchar", ply("uchar", in_bytes())},
      {"ply ushort", ply("ushort", in_words())},
      {"ply int", ply("int", in_bytes())},
      {"ply float", ply("float", in_codes())},
      {"ply double", ply("double", in_codes())},
      {"ply diffuse_red", ply("uchar", in_bytes(), "diffuse_")},
      {"vtk color_scalars", vtk("COLOR_SCALARS colour 3", in_codes())},
      {"vtk unsigned_char", vtk("SCALARS RGB unsigned_char 3\nLOOKUP_TABLE default", in_bytes())},
      {"vtk unsigned_short", vtk("SCALARS RGB unsigned_short 3\nLOOKUP_TABLE default", in_words())},
      {"vtp UInt8", vtp("UInt8", "colour", in_bytes())},
      {"vtp UInt16", vtp("UInt16", "Colors", in_words())},
      {"vtp Float32", vtp("Float32", "Color", in_codes())},
      {"csv bytes", csv("red,green,blue", in_bytes(","))},
      {"csv Bytes", csv("Red,Green,Blue", in_bytes(","))},
      {"csv r g b", csv("R,G,B", in_bytes(","))},
      {"csv codes", csv("red,green,blue", in_codes(","))},
      {"csv reals up to 255", csv("red,green,blue", "200.0,100.0,50.0")},
      {"csv of ParaView", csv("RGB:0,RGB:1,RGB:2", in_bytes(","))},
      {"obj codes", obj(in_codes())},
      {"obj bytes", obj(in_bytes())},
      {"bgeo Cd", bgeo()}};
}

/// The largest distance between the colours of a column and ours; 9 where there is none.
double wrong(const FrameColumn* colour) {
  if (!colour || !is_colour(*colour) || colour->data.empty()) return 9;
  double worst = 0;
  for (std::size_t i = 0; i < colour->data.size() / colour->element_size(); ++i)
    for (int c = 0; c < 3; ++c)
      worst = std::max(worst, std::abs(double(colour_code(*colour, i, c)) - code(c)));
  return worst;
}
constexpr double rounding = 1e-6, half_a_byte = 0.5 / 255 + 1e-6;

bool holds_floats(const std::string& file, const float (&numbers)[3]) {
  return file.find(std::string(reinterpret_cast<const char*>(numbers), sizeof numbers)) !=
         file.npos;
}

}  // namespace

TEST_CASE("colours_of_every_reader_are_the_same_code_values") {
  for (const Source& source : every_source()) {
    INFO(source.name);
    CHECK(wrong(source.frame.find("colour")) < rounding);
  }
}

TEST_CASE("colours_of_every_reader_reach_every_writer_of_surfaces") {
  const TestFolder folder("colours");
  for (const Source& source : every_source()) {
    INFO(source.name);
    SurfaceScratch scratch;
    const SurfaceMesh surface = make_surface({}, source.frame, {}, scratch);
    REQUIRE(!surface.mesh.triangles.empty());
    CHECK(wrong(colour_of(surface.attributes)) < rounding);
    for (const char* name : {"a.ply", "a.obj", "a.vtp", "a.glb"})
      write_surface(folder / name, surface);
    CHECK(wrong(read_points(folder / "a.ply").find("colour")) < half_a_byte);
    CHECK(wrong(read_points(folder / "a.vtp").find("colour")) < rounding);
    CHECK(wrong(read_points(folder / "a.obj").find("colour")) < rounding);
    CHECK(wrong(colour_of(read_surface(folder / "a.ply").attributes)) < half_a_byte);
    CHECK(wrong(colour_of(read_surface(folder / "a.obj").attributes)) < rounding);
    // glTF and USD have linear light.
    const FrameColumn& colour = *colour_of(surface.attributes);
    const float light[] = {colour_light(colour, 0, 0), colour_light(colour, 0, 1),
                           colour_light(colour, 0, 2)};
    CHECK(light[0] == doctest::Approx(0.5776).epsilon(0.001));  // the curve at 200 / 255
    CHECK(holds_floats(read_whole_file(folder / "a.glb"), light));
    UsdAnimation animation(folder / "a.usda", 24);
    animation.add_mesh("surface", 0, surface);
    animation.finish();
    const std::string usd = read_whole_file(folder / "a.usda");
    const std::size_t at = usd.find('(', usd.find('[', usd.find("displayColor.timeSamples")));
    float read[3] = {};
    REQUIRE(at != usd.npos);
    REQUIRE(std::sscanf(usd.c_str() + at, "(%f, %f, %f", read, read + 1, read + 2) == 3);
    for (int c = 0; c < 3; ++c) CHECK(read[c] == doctest::Approx(light[c]).epsilon(1e-4));
  }
}

TEST_CASE("parts_of_a_colour_may_differ_in_type") {
  const Frame frame = parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float "
      "z\nproperty uchar red\nproperty ushort green\nproperty float blue\nproperty uchar "
      "alpha\nend_header\n0 0 0 51 13107 0.2 51\n",
      "a.ply");
  REQUIRE(frame.find("colour"));
  for (int c = 0; c < 4; ++c)
    CHECK(colour_code(*frame.find("colour"), 0, c) == doctest::Approx(0.2));
}

TEST_CASE("whole_numbers_of_text_up_to_1_are_full_light") {
  const Frame frame = csv("red,green,blue", "1,0,1");
  REQUIRE(frame.find("colour"));
  CHECK(colour_code(*frame.find("colour"), 3, 0) == 1);
  CHECK(colour_code(*frame.find("colour"), 3, 1) == 0);
}

TEST_CASE("faces_of_an_obj_file_keep_the_colours_of_its_vertices") {
  const TestFolder folder("obj_faces");
  // A seam splits vertex 2, and vertex 5 belongs to no face.
  const std::string text =
      "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\nv 9 9 9 0.5 0.5 0.5\n"
      "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\nf 4/4 3/3 2/4\n";
  const SurfaceMesh mesh = parse_textured_obj(text, "a.obj");
  REQUIRE(mesh.mesh.vertices.size() == 5);
  REQUIRE(mesh.attributes.size() == 1);
  for (int c = 0; c < 3; ++c)
    CHECK(mesh.attributes[0].number(4, c) == mesh.attributes[0].number(1, c));
  CHECK(mesh.mesh.vertices[4] == mesh.mesh.vertices[1]);
  write_atomically(folder / "a.obj", [&](FileWriter& file) { file.write(text); });
  const SurfaceMesh surface = read_surface(folder / "a.obj");
  REQUIRE(colour_of(surface.attributes));
  for (std::size_t v = 0; v < 5; ++v) {
    const Vec3 p = surface.mesh.vertices[v];
    const std::size_t k = p[1] > 0 ? (p[0] > 0 ? 2 : 3) : (p[0] > 0 ? 1 : 0);
    const Vec3 expected[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    for (int c = 0; c < 3; ++c)
      CHECK(colour_code(surface.attributes[0], v, c) == float(expected[k][c]));
  }
  // A weight is no colour, nor are colours that some vertices lack.
  CHECK(parse_textured_obj("v 0 0 0 1\nv 1 0 0 1\nv 1 1 0 1\nf 1 2 3\n", "a").attributes.empty());
  CHECK(parse_textured_obj("v 0 0 0 1 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a").attributes.empty());
}
