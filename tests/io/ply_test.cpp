#include "phyxel/io/ply.h"

#include <doctest/doctest.h>

#include "io/test_frames.h"
#include "phyxel/geometry/ply_elements.h"

using namespace phyxel;

TEST_CASE("a_frame_comes_back_from_ply_bit_for_bit") {
  const TestFolder folder("ply");
  for (const std::size_t count : {0, 1, 5000}) {
    Frame frame = make_test_frame(count);
    const std::vector<std::uint8_t> flags(count, 200);
    const std::vector<double> charges(count, 1.0 / 3.0);
    const std::vector<float> masses(count, 0.1f);
    frame.columns.push_back(make_frame_column("flags", "", flags.data(), count));
    frame.columns.push_back(make_frame_column("charge", "C", charges.data(), count));
    frame.columns.push_back(make_frame_column("mass", "kg", masses.data(), count));
    write_ply(folder / "frame.ply", frame);
    CHECK(difference(frame, read_ply(folder / "frame.ply")) == "");
  }
}
