#include "phyxel/io/points.h"

#include <doctest/doctest.h>

#include "io/hostile.h"
#include "io/test_frames.h"
#include "phyxel/io/csv.h"
#include "phyxel/io/file.h"
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
