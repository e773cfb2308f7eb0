#include "phyxel/geometry/heightfield.h"

#include <doctest/doctest.h>

#include "geometry/make_heightfield.h"
#include "geometry/random_shapes.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/heightfield_view.h"

using namespace phyxel;
using doctest::Approx;

TEST_CASE("a_slope_has_the_distance_of_its_plane") {
  const auto field = make_heightfield(
      {4, 4}, 9, 9, [](Real x, Real) { return x / 2; }, 3);
  const Shape plane = shape_plane({0, 0, 0}, {-1, 2, 0});
  test::Draw draw(1);
  for (int k = 0; k < 500; ++k) {
    const Vec3 p = draw.vector(-0.5, 0.5);  // nearer to the land than to its walls
    const SignedDistance a = signed_distance(*field, p), b = signed_distance(plane, p);
    REQUIRE(std::abs(a.distance - b.distance) < 5e-6);  // rounding
    if (std::abs(a.distance) > 0.01) REQUIRE(length(a.normal - b.normal) < 1e-3);
  }
}

TEST_CASE("land_is_solid_below_and_ends_at_walls_and_floor") {
  const auto field = make_heightfield(
      {2, 4}, 3, 3, [](Real, Real) { return Real(1); }, 2);
  const Shape box = transformed(shape_box({2, 2, 4}), {});
  test::Draw draw(2);
  for (int k = 0; k < 500; ++k) {
    const Vec3 p = draw.vector(-3, 3);
    REQUIRE(std::abs(signed_distance(*field, p).distance - signed_distance(box, p).distance) <
            1e-5);
  }
  CHECK(bounds_of(shape_heightfield(field)).size() == Vec3{2, 2, 4});
}

TEST_CASE("heights_are_met_at_the_grid_and_their_mean_in_the_middle_of_a_cell") {
  const auto field = make_heightfield({2, 2}, 3, 3, {0, 1, 2, 3, 5, 8, 1, 1, 4}, 1);
  CHECK(height_at(view_of(*field), -1, -1) == Approx(0));
  CHECK(height_at(view_of(*field), 1, 1) == Approx(4));
  CHECK(height_at(view_of(*field), 0, 0) == Approx(5));
  CHECK(height_at(view_of(*field), 0.5, 0.5) == Approx((5 + 8 + 1 + 4) / 4.0));
  CHECK(height_at(view_of(*field), 0.5, 0) == Approx(6.5));
  CHECK(height_at(view_of(*field), 1, 0.5) == Approx(6));
  CHECK(height_at(view_of(*field), 9, -9) == Approx(2));  // the border goes on
}

TEST_CASE("the_sign_over_rough_land_is_that_of_the_height") {
  test::Draw heights(3);
  const auto field = make_heightfield(
      {2, 2}, 17, 17, [&](Real, Real) { return heights.real(0, 0.3); }, 1);
  test::Draw draw(4);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 p = {draw.real(-1, 1), draw.real(-0.2, 0.4), draw.real(-1, 1)};
    const Real above = p[1] - height_at(view_of(*field), p[0], p[2]);
    const Real d = signed_distance(*field, p).distance;
    REQUIRE(std::abs(d) <= std::abs(above) + 1e-6);
    if (std::abs(above) > 1e-5) REQUIRE((d < 0) == (above < 0));
  }
}

TEST_CASE("a_text_grid_is_read_row_by_row") {
  const auto field =
      parse_heightfield("# z goes down the lines\n0 1, 2\n\n3 4 5.5\n", "land.txt", {2, 1}, 1);
  CHECK(field->nx == 3);
  CHECK(field->nz == 2);
  CHECK(field->heights == std::vector<Real>{0, 1, 2, 3, 4, 5.5});
}

TEST_CASE("a_bad_grid_is_refused_at_its_line") {
  CHECK_THROWS_WITH_AS(parse_heightfield("0 1\n2 x\n", "land.txt", {1, 1}, 1),
                       doctest::Contains("land.txt:2"), InputError);
  CHECK_THROWS_WITH_AS(parse_heightfield("0 1\n2\n", "land.txt", {1, 1}, 1),
                       doctest::Contains("1 heights, the first line has 2"), InputError);
  CHECK_THROWS_AS(parse_heightfield("", "land.txt", {1, 1}, 1), InputError);
  CHECK_THROWS_AS(parse_heightfield("0 1\n2 nan\n", "land.txt", {1, 1}, 1), InputError);
  CHECK_THROWS_AS(make_heightfield({1, 1}, 2, 2, std::vector<Real>{1, 2, 3}, 1), InputError);
  CHECK_THROWS_AS(make_heightfield({1, 0}, 2, 2, std::vector<Real>{1, 2, 3, 4}, 1), InputError);
}
