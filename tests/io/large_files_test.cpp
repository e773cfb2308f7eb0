#include <chrono>
#include <doctest/doctest.h>

#include "io/hostile.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/ply.h"
#include "phyxel/io/points.h"
#include "phyxel/io/vtk.h"

// Files of a few megabytes that once took minutes to read: work must grow with the size of a file,
// not with its square.

using namespace phyxel;

namespace {

// The sizes below take a fraction of a second now and took a minute or more then; sanitizers cost a
// factor of ten.
constexpr double most_seconds = 20;

template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

/// text(0) + text(1) + ...
template <class Text>
std::string numbered(int count, Text&& text) {
  std::string all;
  for (int k = 0; k < count; ++k) all += text(std::to_string(k));
  return all;
}

}  // namespace

TEST_CASE("a_field_of_very_many_quotes_is_read_in_reasonable_time") {
  constexpr int quotes = 2'000'000;
  Frame frame;
  const double seconds = seconds_of(
      [&] { frame = parse_csv("x,y,\"" + repeated(quotes, "\"\"") + "\"\n1,2,3\n", "a.csv"); });
  CHECK(seconds < most_seconds);
  CHECK(frame.columns.back().name == std::string(quotes, '"'));
}

TEST_CASE("very_many_columns_of_one_name_are_read_in_reasonable_time") {
  constexpr int columns = 40'000;
  const auto part = [](const std::string& k) { return "a_" + k + ","; };
  Frame frame;
  const double seconds = seconds_of([&] {
    frame = parse_csv(repeated(columns, "a_0,") + numbered(columns, part) + "x,y\n", "a.csv");
  });
  CHECK(seconds < most_seconds);
  CHECK(frame.columns.size() == columns + 2);  // position, one vector, and the repeated ones
}

TEST_CASE("very_many_units_are_read_in_reasonable_time") {
  constexpr int columns = 60'000;
  const std::string text =
      "ply\nformat ascii 1.0\n" +
      numbered(columns, [](const std::string& k) { return "comment unit p" + k + " m\n"; }) +
      "element vertex 0\nproperty float x\nproperty float y\n" +
      numbered(columns, [](const std::string& k) { return "property float p" + k + "\n"; }) +
      "end_header\n";
  Frame frame;
  CHECK(seconds_of([&] { frame = parse_ply(text, "a.ply"); }) < most_seconds);
  CHECK(frame.find("p59999")->unit == "m");
}

TEST_CASE("very_many_arrays_are_read_in_reasonable_time") {
  const std::string text =
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"0\"><Points>"
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\"/></Points><PointData>" +
      numbered(100'000,
               [](const std::string& k) {
                 return "<DataArray Name=\"array_with_a_long_name_" + k + "\" type=\"Int8\"/>";
               }) +
      "</PointData></Piece></PolyData></VTKFile>";
  Frame frame;
  CHECK(seconds_of([&] { frame = parse_vtk_xml(text, "a.vtp"); }) < most_seconds);
  CHECK(frame.columns.size() == 100'001);
}

TEST_CASE("arrays_that_share_their_bytes_cannot_fill_the_memory") {
  const std::string array = "<DataArray type=\"UInt8\" format=\"appended\" offset=\"";
  const auto file = [&](int arrays) {
    return "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"3000\"><Points>"
           "<DataArray type=\"UInt8\" NumberOfComponents=\"3\" format=\"appended\" offset=\"0\"/>"
           "</Points><PointData>" +
           numbered(arrays,
                    [&](const std::string& k) { return array + "9004\" Name=\"" + k + "\"/>"; }) +
           "</PointData></Piece></PolyData><AppendedData encoding=\"raw\">_" +
           std::string("\x28\x23\0\0", 4) + std::string(9000, 'a') +
           std::string("\xb8\x0b\0\0", 4) + std::string(3000, 'a') + "</AppendedData></VTKFile>";
  };
  CHECK(parse_vtk_xml(file(3), "a.vtp").columns.size() == 4);
  CHECK(contains(message_of([&] { parse_vtk_xml(file(10'000), "a.vtp"); }), "share their data"));
}

TEST_CASE("very_many_polygons_without_ears_are_read_in_reasonable_time") {
  constexpr int corners = 256, polygons = 3000;
  std::string text;
  for (int k = 0; k < corners; ++k)  // a tangle: nearly no corner can be cut off
    text += "v " + std::to_string(k * 37 % 101) + " " + std::to_string(k * 53 % 89) + " 0\n";
  std::string face = "f";
  for (int k = 1; k <= corners; ++k) face += " " + std::to_string(k);
  text += repeated(polygons, face + "\n");
  TriangleMesh mesh;
  CHECK(seconds_of([&] { mesh = parse_obj(text, "a.obj"); }) < most_seconds);
  CHECK(mesh.triangles.size() == polygons * (corners - 2));
}
