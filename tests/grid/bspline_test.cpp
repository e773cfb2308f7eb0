#include "phyxel/grid/bspline.h"

#include <doctest/doctest.h>

using namespace phyxel;
using namespace phyxel::grid;

TEST_CASE("quadratic_weights_reproduce_one_and_place_and_a_quarter_of_spread") {
  // The second moment of a quadratic spline is 1/4 wherever the point is: APIC divides by it.
  for (double x = -0.5; x <= 0.5; x += 0.03125) {
    const Vec<double, 3> w = quadratic_weights(x);
    double sum = 0, place = 0, spread = 0;
    for (int k = 0; k < 3; ++k) {
      CHECK(w[k] >= 0);
      sum += w[k];
      place += w[k] * (k - 1);
      spread += w[k] * (k - 1 - x) * (k - 1 - x);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    CHECK(place == doctest::Approx(x).epsilon(1e-14));
    CHECK(spread == doctest::Approx(0.25).epsilon(1e-13));
  }
}

TEST_CASE("cubic_weights_reproduce_one_and_place_and_a_third_of_spread") {
  for (double x = 0; x <= 1; x += 0.03125) {
    const CubicWeights<double> w = cubic_weights(x);
    double sum = 0, place = 0, spread = 0, slopes = 0;
    for (int k = 0; k < 4; ++k) {
      CHECK(w.value[k] >= -1e-16);
      sum += w.value[k];
      place += w.value[k] * (k - 1);
      spread += w.value[k] * (k - 1 - x) * (k - 1 - x);
      slopes += w.slope[k];
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    CHECK(place == doctest::Approx(x).epsilon(1e-13));
    CHECK(spread == doctest::Approx(1.0 / 3).epsilon(1e-13));
    CHECK(slopes == doctest::Approx(0).epsilon(1e-14));
  }
}

TEST_CASE("cubic_slopes_are_those_of_the_weights") {
  const double h = 1e-6;
  for (double x = 0.05; x < 1; x += 0.1)
    for (int k = 0; k < 4; ++k) {
      const double slope =
          (cubic_weights(x + h).value[k] - cubic_weights(x - h).value[k]) / (2 * h);
      CHECK(cubic_weights(x).slope[k] == doctest::Approx(slope).epsilon(1e-8));
    }
}
