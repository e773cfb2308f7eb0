#include "phyxel/core/column.h"

#include <cstdint>
#include <doctest/doctest.h>

using namespace phyxel;

TEST_CASE_TEMPLATE("columns_start_at_a_cache_line", T, std::uint8_t, float, double, Vec3, Mat3) {
  for (const std::size_t n : {1, 3, 17, 1000}) {
    Column<T> column(n);
    CHECK(reinterpret_cast<std::uintptr_t>(column.data()) % 64 == 0);
    column.resize(5 * n);
    CHECK(reinterpret_cast<std::uintptr_t>(column.data()) % 64 == 0);
  }
}

TEST_CASE("a_view_describes_the_column_it_looks_at") {
  Column<Vec<float, 3>> velocity(7);
  const ColumnView v = view("velocity", "m/s", velocity);
  CHECK(v.name == "velocity");
  CHECK(v.unit == "m/s");
  CHECK(v.type == NumberType::float32);
  CHECK(v.components == 3);
  CHECK(v.data == velocity.data());
  CHECK(v.count == 7);
  CHECK(v.element_size() == sizeof(velocity[0]));
}

TEST_CASE("a_view_knows_numbers_and_matrices_too") {
  Column<double> mass(2);
  CHECK(view("mass", "kg", mass).type == NumberType::float64);
  CHECK(view("mass", "kg", mass).components == 1);
  CHECK(view("mass", "kg", mass).element_size() == 8);
  Column<Mat<float, 3>> gradient(2);
  CHECK(view("F", "", gradient).components == 9);
  CHECK(view("F", "", gradient).element_size() == sizeof(gradient[0]));
  Column<std::int32_t> body(1);
  CHECK(view("body", "", body).type == NumberType::int32);
  Column<ParticleId> id(1);
  CHECK(view("id", "", id).type == NumberType::uint64);
  Column<std::uint8_t> pinned(1);
  CHECK(view("pinned", "", pinned).element_size() == 1);
}

TEST_CASE("what_is_written_through_a_view_is_in_the_column") {
  Column<Vec<double, 3>> x(3, Vec3d::zero());
  double* numbers = static_cast<double*>(view("x", "m", x).data);
  numbers[4] = 2.5;
  CHECK(x[1] == Vec3d{0, 2.5, 0});
}
