#include "phyxel/core/orderless_sum.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/random.h"

using namespace phyxel;

namespace {

/// Numbers of very different sizes, none above `bound`.
std::vector<Real> terms_of(int count, double bound) {
  std::vector<Real> terms;
  for (int k = 0; k < count; ++k) {
    const auto words = Random{7, 3}.words(k);
    const double sign = words.word[0] % 2 == 0 ? 1 : -1;
    const double share = double(words.word[1]) / 4294967296.0, power = words.word[2] % 12;
    terms.push_back(static_cast<Real>(sign * bound * share * std::pow(10.0, -power / 2)));
  }
  return terms;
}

Real sum_of(const std::vector<Real>& terms, const SumUnit& unit) {
  OrderlessSum sum;
  for (const Real term : terms) sum.add(term * unit.per_one);
  return sum.value(unit);
}

}  // namespace

TEST_CASE("a_sum_has_the_same_bits_in_any_order") {
  for (const double bound : {1e-6, 1.0, 3e4}) {
    std::vector<Real> terms = terms_of(500, bound);
    const SumUnit unit = sum_unit(bound, 512);
    const Real sum = sum_of(terms, unit);
    std::sort(terms.begin(), terms.end());
    CHECK(sum_of(terms, unit) == sum);
    std::reverse(terms.begin(), terms.end());
    CHECK(sum_of(terms, unit) == sum);
    std::rotate(terms.begin(), terms.begin() + 123, terms.end());
    CHECK(sum_of(terms, unit) == sum);
    double exact = 0;
    for (const Real term : terms) exact += term;
    // Each term is rounded by half a unit at most, which is small beside the bound; the sum once.
    CHECK(double(unit.size) <= bound * std::ldexp(1.0, sizeof(Real) == 4 ? -20 : -52));
    CHECK(std::abs(sum - exact) <
          500 * 0.5 * unit.size + std::abs(exact) * std::numeric_limits<Real>::epsilon());
  }
}

TEST_CASE("terms_that_cancel_leave_nothing_and_zeros_change_nothing") {
  std::vector<Real> terms = terms_of(100, 2.0);
  const SumUnit unit = sum_unit(2.0, 512);
  const Real sum = sum_of(terms, unit);
  for (int k = 0; k < 100; ++k) terms.push_back(0);
  CHECK(sum_of(terms, unit) == sum);
  for (int k = 0; k < 100; ++k) terms.push_back(-terms[k]);
  CHECK(sum_of(terms, unit) == 0);
}
