#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/vtk.h"

using namespace phyxel;
using namespace std::string_literals;

namespace {

const std::string ascii_file =
    "# vtk DataFile Version 3.0\nparticles\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "FIELD FieldData 1\nTIME 1 1 double\n0.25\n"
    "POINTS 2 float\n0 0 0 1 2 3\n"
    "CELLS 2 4\n1 0\n1 1\nCELL_TYPES 2\n1\n1\n"
    "CELL_DATA 2\nSCALARS region int 1\nLOOKUP_TABLE default\n7 8\n"
    "POINT_DATA 2\nSCALARS temperature double\nLOOKUP_TABLE default\n20.5 30.5\n"
    "SCALARS pair float 2\nLOOKUP_TABLE mine\n1 2 3 4\nLOOKUP_TABLE mine 1\n0 0 0 1\n"
    "VECTORS velocity float\n1 0 0 0 1 0\n"
    "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n"
    "NORMALS normal float\n0 0 1 0 1 0\n"
    "COLOR_SCALARS colour 3\n0 0.5 1 1 1 1\n"
    "TENSORS stress float\n1 0 0 0 1 0 0 0 1 2 0 0 0 2 0 0 0 2\n"
    "FIELD FieldData 2\nid 1 2 vtkIdType\n5 6\nlong_id 1 2 long\n1 5000000000\n";

std::string big_endian(std::uint32_t bits) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift);
  return bytes;
}

/// (1, -2, 0.5) and a vertex cell, in the form of version 5.1, with a float per point.
std::string binary_file() {
  return "# vtk DataFile Version 5.1\nparticles\nBINARY\nDATASET POLYDATA\nPOINTS 1 float\n" +
         big_endian(0x3f800000) + big_endian(0xc0000000) + big_endian(0x3f000000) +
         "\nVERTICES 2 1\nOFFSETS vtktypeint64\n" + std::string(15, '\0') +
         "\x01\nCONNECTIVITY vtktypeint64\n" + std::string(8, '\0') +
         "\nPOINT_DATA 1\nSCALARS mass float\nLOOKUP_TABLE default\n" + big_endian(0x40000000) +
         "\nFIELD FieldData 1\nid 1 1 int\n" + big_endian(0xfffffffe) + "\n";
}

}  // namespace

TEST_CASE("an_ascii_legacy_vtk_file_is_read_with_all_its_point_data") {
  const Frame frame = parse_vtk_legacy(ascii_file, "a.vtk");
  REQUIRE(frame.count == 2);
  CHECK(frame.time == 0.25);
  CHECK(frame.position(1) == Vec3{1, 2, 3});
  CHECK(frame.find("temperature")->number(1) == 30.5);
  CHECK(frame.find("temperature")->type == NumberType::float64);
  CHECK(frame.find("pair")->number(1, 0) == 3);
  CHECK(frame.find("velocity")->number(1, 1) == 1);
  CHECK(frame.find("normal")->number(0, 2) == 1);
  CHECK(frame.find("colour")->components == 3);
  CHECK(frame.find("stress")->number(1, 8) == 2);
  CHECK(frame.find("id")->number(1) == 6);
  CHECK(frame.find("long_id")->number(1) == 5e9);
  CHECK(frame.find("region") == nullptr);  // of cells
}

TEST_CASE("a_binary_legacy_vtk_file_is_read_with_cells_of_version_5") {
  const Frame frame = parse_vtk_legacy(binary_file(), "a.vtk");
  REQUIRE(frame.count == 1);
  CHECK(frame.position(0) == Vec3{1, -2, 0.5});
  CHECK(frame.find("mass")->number(0) == 2);
  CHECK(frame.find("id")->number(0) == -2);
}

TEST_CASE("wrong_legacy_vtk_files_are_refused_with_place_and_reason") {
  const std::string head = "# vtk DataFile Version 3.0\nt\nASCII\n";
  const std::string points = head + "DATASET POLYDATA\nPOINTS 1 float\n1 2 3\n";
  const std::pair<std::string, std::string> table[] = {
      {"", "a.vtk:1:1: not a VTK file"},
      {"# vtk DataFile Version 3.0\nt\nTEXT\n", "expected ASCII or BINARY, found 'text'"},
      {head, "expected DATASET"},
      {head + "DATASET STRUCTURED_POINTS\n", "'structured_points' is not read"},
      {head + "DATASET POLYDATA\n", "has no position"},
      {head + "DATASET POLYDATA\nPOINTS -1 float\n", "the number of points must be"},
      {head + "DATASET POLYDATA\nPOINTS 1 bit\n1\n", "number type 'bit' is not read"},
      {head + "DATASET POLYDATA\nPOINTS 1 float\n1 2 x\n", "a.vtk:6:5: position = 'x'"},
      {head + "DATASET POLYDATA\nPOINTS 2000000000 float\n1 2 3\n", "cut off"},
      {points + "POINTS 1 float\n1 2 3\n", "POINTS come twice"},
      {points + "POINT_DATA 2\n", "POINT_DATA 2, but there are 1 points"},
      {points + "WEIGHTS 2\n", "section 'weights' is not known"},
      {points + "POINT_DATA 1\nFIELD f 1\na 1 2 float\n1 2\n", "'a' does not fit the points"},
      {points + "POINT_DATA 1\nFIELD f 3\na 1 1 float\n1\n", "ends where an array should be"},
      {points + "POINT_DATA 1\nSCALARS a float 5000\n1\n", "1 to 1024 components"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_vtk_legacy(text, "a.vtk"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("cut_or_damaged_legacy_vtk_is_refused_or_read_but_never_more") {
  const auto parse = [](const std::string& bytes) { parse_vtk_legacy(bytes, "a"); };
  CHECK(count_refused_cuts(ascii_file, parse) > 200);
  CHECK(count_refused_cuts(binary_file(), parse) > 150);
  CHECK(count_refused_damages(ascii_file, 3000, parse) > 1000);
  CHECK(count_refused_damages(binary_file(), 3000, parse) > 1000);
}
