#include "phyxel/core/origin.h"

#include <doctest/doctest.h>
#include <string>

#include "phyxel/core/random.h"

using namespace phyxel;

TEST_CASE("decimals_far_from_zero_differ_by_the_same_float_as_near_to_it") {
  // Six decimals, as much as a float of this size has, beside whole and broken numbers of metres.
  const Random random{3, 0};
  for (const std::string shift : {"1", "-17.5", "1000", "-100000", "1000000", "999999.875"})
    for (std::uint64_t k = 0; k < 20000; ++k) {
      const auto millionths = static_cast<long long>(random.uniform(k) * 4e6) - 2000000;
      const double near = double(millionths) / 1e6;
      // The nearest double to the decimal number itself, as a reader of files makes it.
      const long double exact = std::stold(shift) + static_cast<long double>(millionths) / 1e6L;
      const auto far = static_cast<double>(exact);
      REQUIRE(decimal_difference(far, std::stod(shift)) == near);
    }
}

TEST_CASE("a_difference_from_zero_is_the_number_itself") {
  for (const double x : {0.1, 1.0 / 3, -1e300, 5e-324}) CHECK(decimal_difference(x, 0) == x);
  CHECK(std::isnan(decimal_difference(std::nan(""), 1)));
  CHECK(decimal_difference(3e-30, 1e-30) == doctest::Approx(2e-30));
}

TEST_CASE("only_what_is_far_from_zero_for_its_size_gets_an_origin") {
  CHECK(origin_for({{-1, -1, -1}, {1, 1, 1}}) == Vec3d::zero());
  CHECK(origin_for({{100, 0, 0}, {101, 1, 1}}) == Vec3d::zero());
  CHECK(origin_for({}) == Vec3d::zero());
  if (sizeof(Real) == 8) return;
  const BoundsOf<double> far{{1e6, 5, -1e3}, {1e6 + 0.2, 5.1, -1e3 + 0.1}};
  const Vec3d origin = origin_for(far);
  for (int k = 0; k < 3; ++k) CHECK(std::abs(origin[k] - far.centre()[k]) <= 0.5);
}
