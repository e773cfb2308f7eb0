#include "phyxel/core/dual.h"

#include <doctest/doctest.h>
#include <initializer_list>

using namespace phyxel;

namespace {

/// A function that uses everything a number with slopes can do.
template <class T>
T tangle(const Vec<T, 3>& x) {
  using std::exp, std::log;
  T sum = x[0] * x[1] / (x[2] + T(2));
  sum += sqrt(x[0]) * exp(-x[1]);
  sum -= log(x[2]) * abs(x[1] - x[0]);
  sum *= max(x[0], x[2]) + min(x[1], T(0.3));
  return select(x[0] >= x[1], sum, -sum) +
         select(x[0] <= T(0), T(7), select(x[1] < T(9), x[2], T(0)));
}

}  // namespace

TEST_CASE("numbers_with_slopes_carry_derivatives_along") {
  for (const Vec3d& x : {Vec3d{0.5, 1.5, 0.7}, Vec3d{2, 0.2, 0.9}, Vec3d{1.1, 0.4, 3}}) {
    Vec<Dual<double>, 3> variables;
    for (int k = 0; k < 3; ++k) variables[k] = variable(x[k], k);
    const Dual<double> found = tangle(variables);
    CHECK(found.value == doctest::Approx(tangle(x)).epsilon(1e-14));
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-6;
      Vec3d more = x, less = x;
      more[k] += h, less[k] -= h;
      // Central differences over 1e-6 keep 1e-10.
      CHECK(found.slope[k] ==
            doctest::Approx((tangle(more) - tangle(less)) / (2 * h)).epsilon(1e-8));
    }
  }
}

TEST_CASE("constants_have_no_slopes") {
  const Dual<float> c = constant(3.0f) * Dual<float>(2);
  CHECK(c.value == 6);
  CHECK(c.slope == Vec<float, 3>::zero());
}
