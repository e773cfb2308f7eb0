#include "phyxel/io/ply.h"

#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/ply_elements.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"
#include "render/temporary_folder.h"

using namespace phyxel;
using namespace std::string_literals;

namespace {

Frame frame_of_all_types(std::size_t count) {
  Frame frame = make_test_frame(count);
  const std::vector<std::uint8_t> flags(count, 200);
  const std::vector<double> charges(count, 1.0 / 3.0);
  const std::vector<float> masses(count, 0.1f);
  frame.columns.push_back(make_frame_column("flags", "", flags.data(), count));
  frame.columns.push_back(make_frame_column("charge", "C", charges.data(), count));
  frame.columns.push_back(make_frame_column("mass", "kg", masses.data(), count));
  return frame;
}

std::string header_of(const std::string& bytes) {
  return bytes.substr(0, bytes.find("end_header\n"));
}

}  // namespace

TEST_CASE("a_frame_comes_back_from_ply_bit_for_bit") {
  const TestFolder folder("ply");
  for (const std::size_t count : {0, 1, 5000}) {
    const Frame frame = frame_of_all_types(count);
    write_ply(folder / "frame.ply", frame);
    CHECK(difference(frame, read_ply(folder / "frame.ply")) == "");
  }
}

TEST_CASE("properties_have_the_names_that_other_programs_know") {
  const TestFolder folder("ply_names");
  write_ply(folder / "frame.ply", frame_of_all_types(3));
  const std::string header = header_of(read_whole_file(folder / "frame.ply"));
  const std::string real = sizeof(Real) == 8 ? "double" : "float";
  CHECK(contains(header, "comment phyxel frame 12 time 0.30000000000000004\n"));
  CHECK(contains(header, "element vertex 3\nproperty " + real + " x\nproperty " + real +
                             " y\nproperty " + real + " z\nproperty " + real + " vx\n"));
  CHECK(contains(header, "property " + real + " temperature\n"));
  CHECK(contains(header, "property " + real + " deformation_xy\n"));
  CHECK(contains(header, "property uint id\nproperty int body\nproperty uchar flags\n"));
}

TEST_CASE("a_frame_whose_columns_do_not_fit_is_not_written") {
  const TestFolder folder("ply_misfit");
  Frame frame = make_test_frame(3);
  frame.columns[2].data.pop_back();
  CHECK_THROWS_AS(write_ply(folder / "frame.ply", frame), Error);
  frame = make_test_frame(3);
  frame.columns.erase(frame.columns.begin());
  CHECK_THROWS_AS(write_ply(folder / "frame.ply", frame), Error);
}

TEST_CASE("ascii_ply_of_others_is_read_with_all_types_and_other_elements_ignored") {
  const Frame frame = parse_ply(
      "ply\r\nformat ascii 1.0\r\ncomment made elsewhere\r\nobj_info x\r\n"
      "element camera 1\nproperty list uchar float view\nproperty int8 a\n"
      "element vertex 2\nproperty float32 x\nproperty float y\nproperty double z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty short level\n"
      "property ushort kind\nproperty list uchar int others\nproperty float nx\nproperty float ny\n"
      "property float nz\nend_header\n"
      "3 0.5 0.25 1e3 -4\n"
      "1 +2 3.5 255 128 0 -7 65535 2 8 9 0 0 1\n"
      "-1 -2 -3.5 1 2 3 7.0 1 0 0 1 0\n",
      "a.ply");
  REQUIRE(frame.count == 2);
  CHECK(frame.position(1) == Vec3{-1, -2, -3.5});
  REQUIRE(frame.find("colour"));
  CHECK(frame.find("colour")->type == NumberType::uint8);
  CHECK(frame.find("colour")->number(0, 1) == 128);
  CHECK(frame.find("level")->number(0) == -7);
  CHECK(frame.find("level")->number(1) == 7);
  CHECK(frame.find("kind")->number(0) == 65535);
  CHECK(frame.find("normal")->components == 3);
  CHECK(frame.find("others") == nullptr);
}

TEST_CASE("big_endian_ply_is_read") {
  const std::string bytes =
      "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property double z\nproperty short level\nproperty list ushort int l\nproperty uint id\n"
      "end_header\n"
      "\x3f\x80\x00\x00"                  // 1
      "\xc0\x00\x00\x00"                  // -2
      "\x3f\xe0\x00\x00\x00\x00\x00\x00"  // 0.5
      "\xff\xfe"                          // -2
      "\x00\x02\x00\x00\x00\x01\xff\xff\xff\xff"
      "\x00\x00\x01\x00"s;
  const Frame frame = parse_ply(bytes, "b.ply");
  CHECK(frame.position(0) == Vec3{1, -2, 0.5});
  CHECK(frame.find("level")->number(0) == -2);
  CHECK(frame.find("id")->number(0) == 256);
  const PlyElements ply = parse_ply_elements(bytes, "b.ply");
  const PlyColumn* list = ply.find("vertex")->find("l");
  REQUIRE(list);
  CHECK(list->starts == std::vector<std::size_t>{0, 2});
  CHECK(list->number(1) == -1);
}

TEST_CASE("flat_points_get_z_zero") {
  const Frame frame = parse_ply(
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nend_header\n4 5\n",
      "flat.ply");
  CHECK(frame.position(0) == Vec3{4, 5, 0});
}

TEST_CASE("wrong_ply_files_are_refused_with_place_and_reason") {
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::string ascii = "ply\nformat ascii 1.0\n",
                    binary = "ply\nformat binary_little_endian 1.0\n";
  const std::pair<std::string, std::string> table[] = {
      {"", "a.ply:1:1: not a PLY file"},
      {"plx\n", "a.ply:1:1: not a PLY file"},
      {"ply\n", "no 'end_header'"},
      {"ply\nend_header\n", "no 'format' line"},
      {"ply\nformat utf8 1.0\n", "a.ply:2:8: format 'utf8' is unknown"},
      {ascii + "elemant vertex 3\n", "a.ply:3:1: header line begins with 'elemant'"},
      {ascii + "element vertex many\n", "a.ply:3:16: number of elements = 'many'"},
      {ascii + "element vertex -3\n", "number of elements = '-3'"},
      {ascii + "property float x\n", "a property comes before any element"},
      {ascii + "element vertex 1\nproperty real x\n",
       "a.ply:4:10: property type 'real' is unknown"},
      {ascii + "element vertex 1\nproperty list float int x\n", "must be an integer type"},
      {ascii + "element vertex 1\nend_header\n", "element 'vertex' has no properties"},
      {ascii + "end_header\n", "has no element 'vertex'"},
      {ascii + "element vertex 1\nproperty float a\nend_header\n1\n", "found 'a'"},
      {ascii + "element vertex 1\n" + xyz + "end_header\n1 2 three\n", "a.ply:8:5: z = 'three'"},
      {ascii + "element vertex 1\n" + xyz + "end_header\n1 2 nan\n", "point 0 has a position"},
      {ascii + "element vertex 1\n" + xyz + "end_header\n1 2 1e999\n", "z = '1e999'"},
      {ascii + "element vertex 2\n" + xyz + "end_header\n1 2 3\n",
       "a.ply:9:1: ends where x should be"},
      {ascii + "element vertex 4000000000\n" + xyz + "end_header\n1 2 3\n",
       "claims 4000000000 rows"},
      {binary + "element vertex 4000000000\n" + xyz + "end_header\n1234567890",
       "claims 4000000000"},
      {binary + "element vertex 18446744073709551615\n" + xyz + "end_header\n1234", "claims 18446"},
      {binary + "element vertex 1\n" + xyz + "property list uint int l\nend_header\n" +
           std::string(12, '\0') + "\xff\xff\xff\xff",
       "list l needs 17179869180 bytes, but 0"},
      {binary + "element vertex 1\n" + xyz + "property list char int l\nend_header\n" +
           std::string(12, '\0') + "\xff",
       "negative length"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_ply(text, "a.ply"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("cut_or_damaged_ply_is_refused_or_read_but_never_more") {
  const TestFolder folder("ply_cuts");
  write_ply(folder / "frame.ply", make_test_frame(20));
  const std::string bytes = read_whole_file(folder / "frame.ply");
  int tried = 0;
  CHECK(count_refused_cuts(bytes, [&](const std::string& cut) { ++tried, parse_ply(cut, "a"); }) ==
        tried);
  CHECK(count_refused_damages(bytes, 3000, [](const std::string& b) { parse_ply(b, "a"); }) > 100);
}

TEST_CASE("ids_beyond_32_bits_are_written_exactly") {
  const TemporaryFolder folder;
  for (const std::uint64_t large : {std::uint64_t{4294967295}, std::uint64_t{1} << 52}) {
    const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}};
    const std::vector<std::uint64_t> id = {7, large};
    Frame frame;
    frame.count = 2;
    frame.columns = {make_frame_column("position", "m", x.data(), 2),
                     make_frame_column("id", "", id.data(), 2)};
    for (const char* name : {"ids.ply", "ids.vtp"}) {
      CAPTURE(name);
      write_points(folder.path / name, frame);
      const Frame read = read_points(folder.path / name);
      CHECK(read.find("id")->number(0) == 7);
      CHECK(read.find("id")->number(1) == double(large));
    }
  }
}
