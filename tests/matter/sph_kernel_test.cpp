#include "phyxel/matter/sph_kernel.h"

#include <cmath>
#include <doctest/doctest.h>
#include <initializer_list>

using namespace phyxel;
using namespace phyxel::sph;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Of f(r) over the plane or over space up to the reach, by midpoints of shells.
template <class F>
double integral(const SmoothingKernel& kernel, int dimensions, const F& f) {
  constexpr int shells = 2000;
  const double width = kernel.reach() / double(shells);
  double sum = 0;
  for (int k = 0; k < shells; ++k) {
    const double r = (k + 0.5) * width;
    sum += f(static_cast<Real>(r)) * (dimensions == 2 ? 2 * pi * r : 4 * pi * r * r) * width;
  }
  return sum;
}

}  // namespace

TEST_CASE("the_kernel_integrates_to_one_in_the_plane_and_in_space") {
  for (const int dimensions : {2, 3})
    for (const Real h : {Real(0.01), Real(1), Real(7)}) {
      const SmoothingKernel kernel = make_kernel(h, dimensions);
      const double sum = integral(kernel, dimensions, [&](Real r) { return weight(kernel, r); });
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));  // rounding of float
    }
}

TEST_CASE("the_slope_is_the_derivative_of_the_kernel") {
  for (const int dimensions : {2, 3}) {
    const SmoothingKernel kernel = make_kernel(Real(0.5), dimensions);
    for (const double r : {0.05, 0.2, 0.5, 0.77, 0.95}) {
      // Differences of float values lose half of their digits.
      const double step = 1e-3;
      const double derivative =
          (weight(kernel, Real(r + step)) - weight(kernel, Real(r - step))) / (2 * step);
      CHECK(-r * inward_slope(kernel, Real(r)) ==
            doctest::Approx(derivative).epsilon(2e-3).scale(kernel.peak));
    }
  }
}

TEST_CASE("the_kernel_ends_smoothly_at_twice_the_smoothing_length") {
  const SmoothingKernel kernel = make_kernel(Real(0.25), 3);
  CHECK(kernel.reach() == Real(0.5));
  for (const Real r : {Real(0.5), Real(0.6), Real(1e15)}) {
    CHECK(weight(kernel, r) == 0);
    CHECK(inward_slope(kernel, r) == 0);
  }
  CHECK(weight(kernel, Real(0)) == doctest::Approx(kernel.peak));
  CHECK(weight(kernel, Real(0.499)) < 1e-8 * kernel.peak);
}

TEST_CASE("the_gradient_of_a_linear_field_is_exact_in_the_mean") {
  // -W'/r times r^2 integrates to the number of dimensions: what makes SPH gradients right.
  for (const int dimensions : {2, 3}) {
    const SmoothingKernel kernel = make_kernel(Real(0.3), dimensions);
    const double sum =
        integral(kernel, dimensions, [&](Real r) { return inward_slope(kernel, r) * r * r; });
    CHECK(sum == doctest::Approx(dimensions).epsilon(1e-5));
  }
}

TEST_CASE("the_kernel_for_sums_has_a_ratio_of_one_in_closest_packing_that_follows_compression") {
  const Real spacing = Real(0.02), edge = spacing * std::cbrt(Real(0.5));
  for (const Real ratio : {Real(1), Real(1.2), Real(1.5)}) {
    const SumKernel sums = make_sum_kernel(ratio * spacing, spacing, 3);
    const auto density = [&](double squeeze) {
      double sum = 0;
      for (int i = -5; i <= 5; ++i)
        for (int j = -5; j <= 5; ++j)
          for (int k = -5; k <= 5; ++k)
            if ((i + j + k) % 2 == 0 && (i != 0 || j != 0 || k != 0))
              sum += weight(sums.kernel, Real(squeeze * edge * std::hypot(i, j, k)));
      return sums.self + sum * spacing * spacing * spacing;
    };
    CHECK(density(1) == doctest::Approx(1).epsilon(1e-5));
    // A percent of the volume, with the second order of the packing left out.
    CHECK(density(1 - 0.01 / 3) == doctest::Approx(1.01).epsilon(5e-4));
    CHECK(sums.kernel.peak == doctest::Approx(make_kernel(ratio * spacing, 3).peak).epsilon(0.05));
  }
}
