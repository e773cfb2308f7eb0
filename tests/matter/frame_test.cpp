#include "phyxel/matter/frame.h"

#include <doctest/doctest.h>

namespace phyxel {
namespace {

template <class T>
FrameColumn column_of(std::vector<T> values) {
  return make_frame_column("c", "m", values.data(), values.size());
}

}  // namespace

TEST_CASE("numbers_of_every_type_come_back") {
  CHECK(column_of<float>({1.5f, -2.5f}).number(1) == -2.5);
  CHECK(column_of<double>({1e300, 2}).number(0) == 1e300);
  CHECK(column_of<std::int32_t>({-7, 2000000000}).number(1) == 2000000000);
  CHECK(column_of<std::uint32_t>({4000000000u}).number(0) == 4000000000.0);
  CHECK(column_of<std::uint8_t>({3, 255}).number(1) == 255);
}

TEST_CASE("vectors_and_matrices_are_components_of_one_column") {
  const FrameColumn vectors = column_of<Vec3>({{1, 2, 3}, {4, 5, 6}});
  CHECK(vectors.components == 3);
  CHECK(vectors.element_size() == 3 * sizeof(Real));
  CHECK(vectors.number(1, 2) == 6);
  CHECK(column_of<Mat3>({Mat3::identity()}).components == 9);
}

TEST_CASE("a_column_is_a_copy_that_outlives_its_source") {
  std::vector<double> values = {1, 2};
  const FrameColumn column = make_frame_column("a", "", values.data(), values.size());
  values[0] = 9;
  CHECK(column.number(0) == 1);
}

TEST_CASE("a_frame_finds_columns_by_name_and_positions_first") {
  Frame frame;
  frame.count = 2;
  frame.columns.push_back(column_of<Vec3>({{1, 2, 3}, {4, 5, 6}}));
  frame.columns.back().name = "position";
  frame.columns.push_back(column_of<std::int32_t>({5, 6}));
  frame.columns.back().name = "body";
  CHECK(frame.position(1) == Vec3{4, 5, 6});
  CHECK(frame.find("body")->number(1) == 6);
  CHECK(frame.find("position") == &frame.columns[0]);
  CHECK(frame.find("nothing") == nullptr);
}

}  // namespace phyxel
