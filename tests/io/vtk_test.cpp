#include "phyxel/io/vtk.h"

#include <doctest/doctest.h>

#include "io/test_frames.h"
#include "phyxel/geometry/ply_elements.h"

using namespace phyxel;

TEST_CASE("a_frame_comes_back_from_vtp_bit_for_bit") {
  const TestFolder folder("vtp");
  for (const std::size_t count : {0, 1, 5000}) {
    const Frame frame = make_test_frame(count);
    write_vtp(folder / "frame.vtp", frame);
    CHECK(difference(frame, read_vtk(folder / "frame.vtp")) == "");
  }
}
