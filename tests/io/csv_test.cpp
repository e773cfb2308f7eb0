#include <cmath>
#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "io/write_csv.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

using namespace phyxel;

TEST_CASE("a_frame_comes_back_from_csv_bit_for_bit") {
  const TestFolder folder("csv");
  Frame frame = make_test_frame(2000);
  write_csv(folder / "frame.csv", frame);
  frame.index = 0;  // a table has no place for these
  frame.time = 0;
  for (FrameColumn& column : frame.columns) column.unit = "";
  CHECK(difference(frame, read_points(folder / "frame.csv")) == "");
}

TEST_CASE("extreme_numbers_come_back_from_csv_bit_for_bit") {
  const TestFolder folder("csv_extremes");
  using Limits = std::numeric_limits<Real>;
  const std::vector<Vec3> x = {{Limits::max(), Limits::lowest(), Limits::min()},
                               {Limits::denorm_min(), -Limits::denorm_min(), Real(-0.0)},
                               {1, Real(123456789), Real(1e10)},
                               {Limits::epsilon(), Real(1) / 3, Real(16777217)}};
  Frame frame{0, 0, x.size(), {make_frame_column("position", "", x.data(), x.size())}};
  write_csv(folder / "frame.csv", frame);
  CHECK(difference(frame, read_points(folder / "frame.csv")) == "");
}

TEST_CASE("the_first_line_of_a_csv_file_names_the_columns") {
  const TestFolder folder("csv_names");
  write_csv(folder / "frame.csv", make_test_frame(1));
  const std::string text = read_whole_file(folder / "frame.csv");
  CHECK(text.starts_with("x,y,z,vx,vy,vz,temperature,deformation_xx,deformation_xy,"));
  CHECK(contains(text, ",stress_0,stress_1,stress_2,stress_3,stress_4,stress_5,id,body\n"));
}

TEST_CASE("separators_comments_quotes_and_units_of_tables_are_understood") {
  const char* tables[] = {"# a comment\n\nx,y,z,\"speed, \"\"fast\"\" [m/s]\"\n1,2,3,4.5\n",
                          "x;y;z;\"speed, \"\"fast\"\" [m/s]\"\r\n1;2;3;4.5\r\n",
                          "\xEF\xBB\xBFX\tY\tZ\t\"speed, \"\"fast\"\" (m/s)\"\n1\t2\t3\t4.5",
                          "x y  z \"speed, \"\"fast\"\" [m/s]\"\n  1 2   3\t4.5  \n#end\n"};
  for (const char* table : tables) {
    CAPTURE(table);
    const Frame frame = parse_csv(table, "a.csv");
    REQUIRE(frame.count == 1);
    CHECK(frame.position(0) == Vec3{1, 2, 3});
    REQUIRE(frame.columns.size() == 2);
    CHECK(frame.columns[1].name == "speed, \"fast\"");
    CHECK(frame.columns[1].unit == "m/s");
    CHECK(frame.columns[1].number(0) == 4.5);
  }
}

TEST_CASE("vectors_are_joined_from_their_components_in_any_order") {
  const Frame frame = parse_csv(
      "id,velocity_z,Points:0,Points:1,Points:2,velocity_x,velocity_y,w_0,w_1,lonely_x\n"
      "7,3,10,20,30,1,2,5,6,8\n",
      "a.csv");
  CHECK(frame.columns[0].name == "position");
  CHECK(frame.position(0) == Vec3{10, 20, 30});
  CHECK(frame.find("velocity")->number(0, 2) == 3);
  CHECK(frame.find("w")->components == 2);
  CHECK(frame.find("lonely_x")->number(0) == 8);
  CHECK(frame.find("id")->type == NumberType::int32);
}

TEST_CASE("columns_take_the_type_that_their_digits_need") {
  const Frame frame = parse_csv(
      "x,y,z,a,b,c,d\n1,2,3,4000000000,0.5,0.12345678901234567,\n1,2,3,1,2,3,1\n", "a.csv");
  CHECK(frame.find("position")->type == number_type<Real>());
  CHECK(frame.find("a")->type == NumberType::uint32);
  CHECK(frame.find("b")->type == number_type<Real>());
  CHECK(frame.find("c")->type == NumberType::float64);
  CHECK(frame.find("c")->number(0) == 0.12345678901234567);
  CHECK(std::isnan(frame.find("d")->number(0)));
}

TEST_CASE("rows_without_names_are_positions_and_numbered_columns") {
  const Frame frame = parse_csv("1 2 3 4\n5 6 7 8\n", "a.txt");
  CHECK(frame.position(1) == Vec3{5, 6, 7});
  CHECK(frame.find("column_4")->number(1) == 8);
  CHECK(parse_xyz("1 2 3\n4 5 6\n", "a.xyz").position(1) == Vec3{4, 5, 6});
}

TEST_CASE("xyz_files_are_read_with_elements_and_more_columns") {
  const Frame frame = parse_xyz(
      "3\ncomment 1 2 3\nAr 1 2 3 0.5\nHe 4 5 6 1.5\nAr\t7 8 9 2.5\n3\nnext frame\nAr 0 0 0 0\n",
      "a.xyz");
  REQUIRE(frame.count == 3);
  CHECK(frame.position(2) == Vec3{7, 8, 9});
  CHECK(frame.find("element")->number(0) == 0);
  CHECK(frame.find("element")->number(1) == 1);
  CHECK(frame.find("element")->number(2) == 0);
  CHECK(frame.find("column_5")->number(2) == 2.5);
  CHECK(parse_xyz("1\n\n1 2 3\n", "a.xyz").position(0) == Vec3{1, 2, 3});
  CHECK(parse_xyz("1\n\n8 1 2 3\n", "a.xyz").find("element")->number(0) == 8);
  CHECK(parse_xyz("0\n\n", "a.xyz").count == 0);
}

TEST_CASE("wrong_tables_are_refused_with_place_and_reason") {
  const std::pair<std::string, std::string> table[] = {
      {"", "a.csv: is empty"},
      {"# only a comment\n", "a.csv: is empty"},
      {"a,b,c\n1,2,3\n", "has no position: expected x, y, z; found 'a', 'b', 'c'"},
      {"x,y,z\n1,2\n", "a.csv:2:1: this row has 2 fields, the first has 3"},
      {"x,y,z\n1,2,3,4\n", "a.csv:2:1: this row has 4 fields"},
      {"x,y,z\n1,2,3\n4,five,6\n", "a.csv:3:3: 'five' is not a number; write 1.5 with a point"},
      {"x;y;z\n1,5;2;3\n", "a.csv:2:1: '1,5' is not a number"},
      {"x,y,z\n1,2,1e999\n", "'1e999' is not a number"},
      {"x,y,z\n1,2,nan\n", "point 0 has a position that is not finite"},
      {"x,y,z\n1,,3\n", "point 0 has a position that is not finite"},
      {"x,y,z\n1,\"2,3\n", "a.csv:2:3: a quoted field has no closing quote"},
      {"x,y,z\n1,\"2\"2,3\n", "expected a separator"},
      {"5\n", "has no position"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_csv(text, "a.csv"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("wrong_xyz_files_are_refused_with_place_and_reason") {
  const std::pair<std::string, std::string> table[] = {
      {"", "is empty"},
      {"3\ncomment\nAr 1 2 3\n", "ends after 1 of 3 rows"},
      {"4000000000\ncomment\nAr 1 2 3\n", "ends after 1 of 4000000000 rows"},
      {"2\ncomment\nAr 1 2 3\nAr 1 2\n", "a.xyz:4:1: this row has 3 fields, the first has 4"},
      {"1\ncomment\nAr 1 two 3\n", "a.xyz:3:6: 'two' is not a number"},
      {"1\ncomment\nAr 1\n", "this row has 2 fields"}};
  for (const auto& [text, expected] : table) {
    CAPTURE(text);
    const std::string message = message_of([&] { parse_xyz(text, "a.xyz"); });
    CAPTURE(message);
    CHECK(contains(message, expected));
  }
}

TEST_CASE("cut_or_damaged_tables_are_refused_or_read_but_never_more") {
  const TestFolder folder("csv_cuts");
  write_csv(folder / "frame.csv", make_test_frame(10));
  const std::string csv = read_whole_file(folder / "frame.csv");
  const std::string xyz = "3\ncomment\nAr 1 2 3\nHe 4 5 6\nAr 7 8 9\n";
  CHECK(count_refused_cuts(csv, [](const std::string& b) { parse_csv(b, "a"); }) > 100);
  CHECK(count_refused_damages(csv, 2000, [](const std::string& b) { parse_csv(b, "a"); }) > 500);
  CHECK(count_refused_cuts(xyz, [](const std::string& b) { parse_xyz(b, "a"); }) > 20);
  CHECK(count_refused_damages(xyz, 2000, [](const std::string& b) { parse_xyz(b, "a"); }) > 500);
}
