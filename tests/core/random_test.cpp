#include "phyxel/core/random.h"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace phyxel;

namespace {

void check_words(const Random::Four& four, const std::uint32_t (&expected)[4]) {
  for (int k = 0; k < 4; ++k) CHECK(four.word[k] == expected[k]);
}

}  // namespace

// The vectors that come with Random123 for philox4x32-10: seed and stream are the key, a and b the
// counter, low words first.
TEST_CASE("philox_gives_the_published_words") {
  check_words(Random{0, 0}.words(0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint64_t ones = ~std::uint64_t{0};
  check_words(Random{0xffffffff, 0xffffffff}.words(ones, ones),
              {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check_words(Random{0xa4093822, 0x299f31d0}.words(0x85a308d3243f6a88u, 0x0370734413198a2eu),
              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("uniform_numbers_fill_the_unit_interval_and_never_reach_one") {
  CHECK(Random::unit(0) == Real(0));
  CHECK(Random::unit(0xffffffff) < Real(1));
  CHECK(Random::unit(0xffffffff) > Real(0.9999999));
  const int n = 100'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = Random{11, 2}.uniform(i, 5);
    sum += u, squares += u * u;
  }
  // Five standard deviations: sqrt(1/12/n) of the mean, sqrt(4/45/n) of the mean square.
  CHECK(std::abs(sum / n - 0.5) < 5 * std::sqrt(1.0 / 12 / n));
  CHECK(std::abs(squares / n - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / n));
}

TEST_CASE("all_bins_of_all_three_components_fill_alike") {
  const int bins = 64, n = 64'000;
  for (int c = 0; c < 3; ++c) {
    std::vector<int> count(bins, 0);
    for (int i = 0; i < n; ++i) ++count[static_cast<int>(Random{1}.uniform3(i)[c] * bins)];
    double chi_squared = 0;
    for (const int k : count) chi_squared += std::pow(k - n / bins, 2) / (n / bins);
    // 63 degrees of freedom: mean 63, standard deviation 11.2; far too even is as wrong.
    CHECK(chi_squared < 63 + 5 * 11.2);
    CHECK(chi_squared > 63 - 4 * 11.2);
  }
}

TEST_CASE("seed_stream_and_both_counters_each_change_the_numbers") {
  const Random plain{1, 2};
  CHECK(plain.uniform(3, 4) == Random{1, 2}.uniform(3, 4));
  CHECK(plain.uniform(3, 4) != Random{2, 2}.uniform(3, 4));
  CHECK(plain.uniform(3, 4) != Random{1, 3}.uniform(3, 4));
  CHECK(plain.uniform(3, 4) != plain.uniform(4, 4));
  CHECK(plain.uniform(3, 4) != plain.uniform(3, 5));
}

TEST_CASE("neighbouring_particles_steps_and_streams_are_uncorrelated") {
  const int n = 50'000;
  const auto correlation = [&](auto&& other) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (Random{1}.uniform(i) - 0.5) * (other(i) - 0.5);
    return 12 * sum / n;
  };
  // Five standard deviations of 1 / sqrt(n).
  const double bound = 5 / std::sqrt(double(n));
  CHECK(std::abs(correlation([](int i) { return Random{1}.uniform(i + 1); })) < bound);
  CHECK(std::abs(correlation([](int i) { return Random{1}.uniform(i, 1); })) < bound);
  CHECK(std::abs(correlation([](int i) { return Random{1, 1}.uniform(i); })) < bound);
  CHECK(std::abs(correlation([](int i) { return Random{2}.uniform(i); })) < bound);
  CHECK(correlation([](int i) { return Random{1}.uniform(i); }) > 0.9);
}
