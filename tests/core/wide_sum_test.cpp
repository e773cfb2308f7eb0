#include "phyxel/core/wide_sum.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/core/random.h"
#include "phyxel/core/threads.h"

using namespace phyxel;

namespace {

/// Numbers of either sign between 1e-18 and 1e12.
std::vector<double> terms_of(int count) {
  std::vector<double> terms;
  for (int k = 0; k < count; ++k) {
    const auto words = Random{5, 9}.words(k);
    const double sign = words.word[0] % 2 == 0 ? 1 : -1;
    terms.push_back(sign * std::pow(10.0, 30 * Random::unit(words.word[1]) - 18));
  }
  return terms;
}

WideSum sum_of(const std::vector<double>& terms) {
  WideSum sum{};
  for (const double term : terms) add(sum, term, false);
  return sum;
}

bool same(const WideSum& a, const WideSum& b) {
  return std::equal(a.digit, a.digit + WideSum::digits, b.digit);
}

}  // namespace

TEST_CASE("a_wide_sum_does_not_depend_on_the_order_of_its_terms") {
  std::vector<double> terms = terms_of(1000);
  const WideSum sum = sum_of(terms);
  std::reverse(terms.begin(), terms.end());
  CHECK(same(sum_of(terms), sum));
  std::sort(terms.begin(), terms.end());
  CHECK(same(sum_of(terms), sum));
}

TEST_CASE("a_wide_sum_neither_loses_the_small_nor_overflows") {
  CHECK(value_of(sum_of({})) == 0);
  CHECK(value_of(sum_of({1e20, 1e-20, -1e20})) == doctest::Approx(1e-20).epsilon(1e-9).scale(0));
  CHECK(value_of(sum_of(std::vector<double>(100000, 1e28))) == doctest::Approx(1e33).epsilon(1e-9));
  CHECK(value_of(sum_of({3.0, -1.25})) == 1.75);
  // Of each term 33 bits count at least.
  for (const double term : terms_of(100))
    CHECK(value_of(sum_of({term})) == doctest::Approx(term).epsilon(1.2e-10).scale(0));
}

TEST_CASE("terms_that_cancel_leave_exactly_zero") {
  std::vector<double> terms = terms_of(500);
  for (std::size_t k = 0; k < 500; ++k) terms.push_back(-terms[k]);
  CHECK(value_of(sum_of(terms)) == 0);
}

TEST_CASE("what_is_not_finite_counts_as_very_large") {
  CHECK(value_of(sum_of({-HUGE_VAL})) < -1e28);
  CHECK(value_of(sum_of({1e300})) > 1e28);
  CHECK(std::isfinite(value_of(sum_of({std::nan("")}))));
}

TEST_CASE("threads_that_share_a_wide_sum_lose_no_term") {
  const std::vector<double> terms = terms_of(20000);
  const WideSum expected = sum_of(terms);
  const ThreadLimit limit(4);
  WideSum sum{};
  for_each({}, "test", Index(terms.size()), [&](Index i) { add(sum, terms[i], true); });
  CHECK(same(sum, expected));
}

TEST_CASE("threads_of_a_loop_have_numbers_of_their_own") {
  for (const int threads : {1, 3, 4}) {
    const ThreadLimit limit(threads);
    const std::vector<double> terms = terms_of(20000);
    std::vector<WideSum> copies(loop_threads(), WideSum{});
    for_each({}, "test", Index(terms.size()),
             [&](Index i) { add(copies.at(loop_thread()), terms[i], false); });
    WideSum sum{};
    for (const WideSum& copy : copies) merge(copy, sum);
    CHECK(same(sum, sum_of(terms)));
  }
}
