#include "phyxel/io/vtk.h"

#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/io/vtk_arrays.h"

using namespace phyxel;
using namespace std::string_literals;

namespace {

std::string between(const std::string& text, std::size_t from, const std::string& open,
                    const std::string& close) {
  const std::size_t first = text.find(open, from) + open.size();
  return text.substr(first, text.find(close, first) - first);
}

std::string vtu(const std::string& attributes, const std::string& points,
                const std::string& data = "") {
  return "<?xml version='1.0'?>\n<VTKFile type=\"UnstructuredGrid\" " + attributes +
         "><UnstructuredGrid><Piece NumberOfPoints=\"1\" NumberOfCells=\"0\"><PointData>" + data +
         "</PointData><Points>" + points + "</Points></Piece></UnstructuredGrid></VTKFile>\n";
}

const std::string ascii_points =
    "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">1 2 3</DataArray>";

}  // namespace

TEST_CASE("a_frame_comes_back_from_vtp_bit_for_bit") {
  const TestFolder folder("vtp");
  for (const std::size_t count : {0, 1, 5000}) {
    const Frame frame = make_test_frame(count);
    write_vtp(folder / "frame.vtp", frame);
    CHECK(difference(frame, read_vtk(folder / "frame.vtp")) == "");
  }
}

TEST_CASE("lines_of_a_vtp_file_join_its_points") {
  const TestFolder folder("vtp_lines");
  const Frame frame = make_test_frame(9);
  write_vtp(folder / "graph.vtp", frame, {{0, 3}, {8, 1}});
  CHECK(difference(frame, read_vtk(folder / "graph.vtp")) == "");
  const std::string bytes = read_whole_file(folder / "graph.vtp");
  CHECK(between(bytes, 0, "NumberOfLines=\"", "\"") == "2");
  const std::size_t lines = bytes.find("<Lines>");
  const std::size_t data = bytes.find("<AppendedData encoding=\"raw\">\n_") + 31;
  const std::size_t at = data + std::stoul(between(bytes, lines, "offset=\"", "\""));
  CHECK(load_number<std::uint64_t>(bytes.data() + at, false) == 16);
  for (const int k : {0, 1, 2, 3}) {
    const auto end = load_number<std::int32_t>(bytes.data() + at + 8 + 4 * k, false);
    CHECK(end == std::vector{0, 3, 8, 1}[static_cast<std::size_t>(k)]);
  }
}

// What ParaView relies on, without our reader: blocks one behind the other where the offsets say,
// each with its size in front.
TEST_CASE("offsets_and_sizes_in_a_vtp_file_are_those_of_its_blocks") {
  const TestFolder folder("vtp_blocks");
  const Frame frame = make_test_frame(7);
  write_vtp(folder / "frame.vtp", frame);
  const std::string bytes = read_whole_file(folder / "frame.vtp");
  const std::size_t data = bytes.find("<AppendedData encoding=\"raw\">\n_") + 31;
  std::size_t next = 0, at = 0, arrays = 0;
  for (at = bytes.find("offset=\""); at < data; at = bytes.find("offset=\"", at + 1)) {
    const std::size_t tag = bytes.rfind("<DataArray", at);
    const std::string type = between(bytes, tag, "type=\"", "\"");
    const std::size_t components = std::stoul(between(bytes, tag, "NumberOfComponents=\"", "\""));
    const std::size_t offset = std::stoul(between(bytes, at, "offset=\"", "\""));
    CHECK(offset == next);
    const auto size = load_number<std::uint64_t>(bytes.data() + data + offset, false);
    CHECK(size == 7 * components * (type == "Float64" ? 8 : 4));
    next = offset + 8 + size;
    ++arrays;
  }
  CHECK(arrays == frame.columns.size() + 2);
  CHECK(bytes.substr(data + next) == "\n</AppendedData>\n</VTKFile>\n");
}

TEST_CASE("a_vtp_file_has_one_vertex_cell_per_particle_and_all_names") {
  const TestFolder folder("vtp_cells");
  write_vtp(folder / "frame.vtp", make_test_frame(3));
  const std::string bytes = read_whole_file(folder / "frame.vtp");
  CHECK(contains(bytes, "NumberOfPoints=\"3\" NumberOfVerts=\"3\""));
  CHECK(contains(bytes, "header_type=\"UInt64\""));
  CHECK(contains(bytes,
                 "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.30000000000000004<"));
  for (const char* name : {"velocity", "temperature", "deformation", "id", "body", "Points"})
    CHECK(contains(bytes, "Name=\""s + name + "\""));
  const std::size_t data = bytes.find("\n_") + 2;
  const auto numbers = [&](const char* name) {
    const std::size_t at = bytes.find("Name=\""s + name);
    const std::size_t offset = std::stoul(between(bytes, at, "offset=\"", "\""));
    std::vector<int> values;
    for (int k = 0; k < 3; ++k)
      values.push_back(load_number<std::int32_t>(bytes.data() + data + offset + 8 + 4 * k, false));
    return values;
  };
  CHECK(numbers("connectivity") == std::vector<int>{0, 1, 2});
  CHECK(numbers("offsets") == std::vector<int>{1, 2, 3});
}

TEST_CASE("names_and_units_with_special_characters_survive_in_vtp") {
  const TestFolder folder("vtp_escape");
  Frame frame = make_test_frame(2);
  frame.columns[2].name = "a<b> & \"c\"";
  frame.columns[2].unit = "'<&>\"";
  write_vtp(folder / "frame.vtp", frame);
  CHECK(difference(frame, read_vtk(folder / "frame.vtp")) == "");
}

TEST_CASE("compressed_appended_base64_as_paraview_writes_it_is_read") {
  const std::string text =
      "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\" "
      "compressor=\"vtkZLibDataCompressor\">\n<PolyData><Piece NumberOfPoints=\"4\">\n"
      "<PointData Scalars=\"id\"><DataArray type=\"Int64\" Name=\"id\" format=\"appended\" "
      "offset=\"0\"/></PointData>\n<Points><DataArray type=\"Float32\" Name=\"Points\" "
      "NumberOfComponents=\"3\" format=\"appended\" offset=\"72\"/></Points>\n"
      "</Piece></PolyData>\n<AppendedData encoding=\"base64\">\n   _"
      "AgAAABgAAAAIAAAAEgAAAA4AAAA=eJzjYoCAv/8hgB3KBwBkvAgIeJxjmGJazgAEAAelAUE="
      "AgAAACAAAAAQAAAAHQAAABUAAAA=eJxjYACBBnsg4QBEQNwAxAuA+"
      "AAQP3AAADvHBUB4nGNgYHBkYBAAYgUgNnAEAAjsAWU="
      "\n</AppendedData></VTKFile>\n";
  const Frame frame = parse_vtk_xml(text, "a.vtp");
  REQUIRE(frame.count == 4);
  CHECK(frame.position(3) == Vec3{9, 10, 11});
  CHECK(frame.find("id")->type == NumberType::int32);
  CHECK(frame.find("id")->number(1) == -3);
  CHECK(frame.find("id")->number(3) == 2000000000);
  CHECK(count_refused_cuts(text, [](const std::string& cut) { parse_vtk_xml(cut, "a"); }) > 350);
  CHECK(count_refused_damages(text, 3000, [](const std::string& b) { parse_vtk_xml(b, "a"); }) >
        500);
}

TEST_CASE("inline_base64_and_ascii_arrays_are_read") {
  const std::string wide =
      "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">\n"
      "  GAAAAAAAAAAAAAAAAADgPwAAAAAAAPg/AAAAAAAABMA=\n</DataArray>";
  const std::string narrow =
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"binary\">"
      "DAAAAAAAAD8AAMA/AAAgwA==</DataArray>";
  const Vec3 expected{0.5, 1.5, -2.5};
  CHECK(parse_vtk_xml(vtu("header_type=\"UInt64\"", wide), "a").position(0) == expected);
  const Frame frame = parse_vtk_xml(
      vtu("", narrow, "<DataArray type=\"UInt8\" Name=\"flag\" format=\"ascii\"> 200 </DataArray>"),
      "a");
  CHECK(frame.position(0) == expected);
  CHECK(frame.find("flag")->number(0) == 200);
}

TEST_CASE("big_endian_raw_data_and_several_pieces_are_read") {
  const std::string piece =
      "<Piece NumberOfPoints=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
      "format=\"appended\" offset=\"";
  const std::string text = "<VTKFile type=\"PolyData\" byte_order=\"BigEndian\"><PolyData>" +
                           piece + "0\"/></Points></Piece>" + piece +
                           "16\"/></Points></Piece></PolyData><AppendedData encoding=\"raw\">_"
                           "\0\0\0\x0c\x3f\x80\0\0\0\0\0\0\0\0\0\0"
                           "\0\0\0\x0c\xc0\0\0\0\0\0\0\0\0\0\0\0</AppendedData></VTKFile>"s;
  const Frame frame = parse_vtk_xml(text, "a");
  REQUIRE(frame.count == 2);
  CHECK(frame.position(0) == Vec3{1, 0, 0});
  CHECK(frame.position(1) == Vec3{-2, 0, 0});
}

TEST_CASE("wrong_vtk_xml_is_refused_with_the_reason") {
  const auto points = [](const std::string& attributes, const std::string& text) {
    return "<DataArray NumberOfComponents=\"3\" " + attributes + ">" + text + "</DataArray>";
  };
  const std::pair<std::string, std::string> table[] = {
      {"", "not an XML file"},
      {"<a>", "<a> is not closed"},
      {"<a></b>", "</b> closes nothing that is open"},
      {"<a/><b/>", "a second root"},
      {"<a b></a>", "attribute 'b' has no value"},
      {"<a b=c></a>", "has no quotes"},
      {"<!DOCTYPE x [<!ENTITY a 'b'>]><a/>", "a.vtu:1:1: document types"},
      {"<html/>", "its root is 'html'"},
      {"<VTKFile type=\"ImageData\"/>", "VTK type 'ImageData' is not read"},
      {"<VTKFile type=\"PolyData\"/>", "has no element 'PolyData'"},
      {"<VTKFile type=\"PolyData\"><PolyData/></VTKFile>", "has no position"},
      {"<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"/>", "write it with zlib"},
      {"<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"5e9\"/></PolyData></VTKFile>",
       "NumberOfPoints = '5e9'"},
      {vtu("", ""), "a Piece has no Points"},
      {vtu("", points("type=\"Float16\"", "1 2 3")), "unknown type 'Float16'"},
      {vtu("", points("type=\"Float32\"", "1 2 three")),
       "a.vtu:2:181: unnamed = 'three' is not a number"},
      {vtu("", points("type=\"Float32\"", "1 2")), "ends before 3 numbers"},
      {vtu("", points("type=\"Float32\"", "1 2 nan")), "point 0 has a position that is not finite"},
      {vtu("", points("type=\"Float32\" format=\"binary\"", "DAAAAAAA")), "the file is cut off"},
      {vtu("", points("type=\"Float64\" format=\"binary\"", "DAAAAAAAAD8AAMA/AAAgwA==")),
       "has 12 bytes, 24 are expected"},
      {vtu("", points("type=\"Float32\" format=\"appended\" offset=\"0\"", "")), "no AppendedData"},
      {vtu("", ascii_points, "<DataArray type=\"Int8\" Name=\"a\" NumberOfComponents=\"0\"/>"),
       "NumberOfComponents = '0' must be"},
      {vtu("", ascii_points, "<DataArray type=\"Int8\" Name=\"a\">300000000000</DataArray>"),
       "a = '300000000000'"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_vtk_xml(text, "a.vtu"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("a_lying_number_of_points_costs_no_memory") {
  const std::string huge = "NumberOfPoints=\"2000000000\"";
  std::string text = vtu("", ascii_points);
  text.replace(text.find("NumberOfPoints=\"1\""), 18, huge);
  CHECK(contains(message_of([&] { parse_vtk_xml(text, "a"); }), "cut off"));
  const std::string legacy =
      "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\n"
      "POINTS 2000000000 double\n12345678";
  CHECK(contains(message_of([&] { parse_vtk_legacy(legacy, "a"); }), "needs 48000000000 bytes"));
}

TEST_CASE("cut_or_damaged_vtp_is_refused_or_read_but_never_more") {
  const TestFolder folder("vtp_cuts");
  write_vtp(folder / "frame.vtp", make_test_frame(20));
  const std::string bytes = read_whole_file(folder / "frame.vtp");
  const auto parse = [](const std::string& b) { parse_vtk_xml(b, "a"); };
  const std::string needed = bytes.substr(0, bytes.find("\n</AppendedData>") - 2 * (8 + 80));
  int tried = 0;
  CHECK(count_refused_cuts(needed, [&](const std::string& b) { ++tried, parse(b); }) == tried);
  CHECK(count_refused_damages(bytes, 3000, parse) > 500);
}

TEST_CASE("base64_is_decoded_with_and_without_padding") {
  CHECK(decode_base64("TWFu", 3, "a") == "Man");
  CHECK(decode_base64("TWE=", 2, "a") == "Ma");
  CHECK(decode_base64("TQ", 1, "a") == "M");
  CHECK(contains(message_of([] { decode_base64("TW=u", 3, "a"); }), "base64 data ends after 1"));
}
