#include "phyxel/io/csv.h"

#include <doctest/doctest.h>

#include "io/test_frames.h"

using namespace phyxel;

TEST_CASE("a_frame_comes_back_from_csv_bit_for_bit") {
  const TestFolder folder("csv");
  Frame frame = make_test_frame(2000);
  write_csv(folder / "frame.csv", frame);
  frame.index = 0;  // a table has no place for these
  frame.time = 0;
  for (FrameColumn& column : frame.columns) column.unit = "";
  CHECK(difference(frame, read_csv(folder / "frame.csv")) == "");
}
