#include "phyxel/core/exec.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <doctest/doctest.h>
#include <numeric>
#include <thread>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/core/threads.h"

using namespace phyxel;

namespace {

const Exec quiet;
// Around the sizes at which work is cut into pieces, and far beyond.
const Index sizes[] = {0, 1, 1023, 1024, 1025, 4097, 100'003, 700'001};

Column<Real> random_reals(Index n) {
  Column<Real> column(n);
  for (Index i = 0; i < n; ++i) column[i] = Random{3}.uniform(i) - Real(0.5);
  return column;
}

/// Whether f() is the same column of bits with 1, 2 and 3 threads.
template <class F>
bool same_bits_on_any_thread_count(F&& f) {
  const auto with = [&](int threads) {
    const ThreadLimit limit(threads);
    return f();
  };
  const auto one = with(1);
  for (const int threads : {2, 3})
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto many = with(threads);
      if (many.size() != one.size()) return false;
      const std::size_t bytes = one.size() * sizeof(one[0]);
      if (bytes > 0 && std::memcmp(one.data(), many.data(), bytes) != 0) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("every_index_is_visited_once") {
  for (const Index n : sizes) {
    Column<Index> visits(n, 0);
    for_each(quiet, "count", n, [&](Index i) { ++visits[i]; });
    for_each_coarse(quiet, "count", std::min<Index>(n, 5000), [&](Index i) { ++visits[i]; });
    for (Index i = 0; i < n; ++i)
      if (visits[i] != (i < 5000 ? 2 : 1)) FAIL("index ", i, " of ", n, ": ", visits[i]);
  }
}

TEST_CASE("loops_give_the_same_bits_on_any_thread_count") {
  const Column<Real> in = random_reals(100'003);
  CHECK(same_bits_on_any_thread_count([&] {
    Column<Real> out(in.size());
    for_each(quiet, "root", static_cast<Index>(in.size()),
             [&](Index i) { out[i] = std::sqrt(std::abs(in[i])) * in[(i * 7) % 1000]; });
    return out;
  }));
}

TEST_CASE("sums_of_floats_give_the_same_bits_on_any_thread_count") {
  for (const Index n : sizes) {
    const Column<Real> in = random_reals(n);
    const auto sum = [&] {
      return Column<Real>{reduce(
          quiet, "sum", n, Real(0), [&](Index i) { return in[i]; },
          [](Real a, Real b) { return a + b; })};
    };
    CHECK(same_bits_on_any_thread_count(sum));
    // Each sum of at most n / 256 numbers below one half rounds by less than eps times its size.
    const double exact = std::accumulate(in.begin(), in.end(), 0.0);
    CHECK(std::abs(sum()[0] - exact) <= 1e-7 * n + 1e-6);
  }
}

TEST_CASE("a_reduction_combines_in_the_order_of_the_indices") {
  // "The last one wins" is associative but not commutative.
  for (const Index n : sizes)
    CHECK(reduce(
              quiet, "last", n, Index(-1), [](Index i) { return i; },
              [](Index a, Index b) { return b < 0 ? a : b; }) == n - 1);
}

TEST_CASE("a_reduction_of_truth_values_does_not_mix_them_up") {
  CHECK(reduce(
      quiet, "all", 700'001, true, [](Index i) { return i >= 0; },
      [](bool a, bool b) { return a && b; }));
  CHECK(reduce(
      quiet, "any", 700'001, false, [](Index i) { return i == 654'321; },
      [](bool a, bool b) { return a || b; }));
}

TEST_CASE("the_sum_is_in_double_and_the_maximum_starts_at_the_least") {
  CHECK(reduce_sum(quiet, "sum", 100'000, [](Index) { return Real(0.1); }) ==
        doctest::Approx(100'000 * double(Real(0.1))).epsilon(1e-12));
  CHECK(reduce_max(quiet, "max", 5000, Real(-3), [](Index i) { return Real(i % 1234); }) == 1233);
  CHECK(reduce_max(quiet, "max", 0, Real(-3), [](Index) { return Real(0); }) == -3);
}

TEST_CASE("a_scan_is_the_exclusive_prefix_sum") {
  for (const Index n : sizes) {
    Column<Index> values(n);
    for (Index i = 0; i < n; ++i) values[i] = static_cast<Index>(Random{5}.words(i).word[0] % 100);
    Column<Index> expected(n);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), Index(0));
    const Index sum = std::accumulate(values.begin(), values.end(), Index(0));
    CHECK(scan(quiet, "scan", values) == sum);
    CHECK(values == expected);
  }
}

TEST_CASE("a_scan_beyond_the_index_range_is_refused_with_its_total") {
  Column<Index> values(3000, 1'000'000);
  try {
    scan(quiet, "neighbours.rows", values);
    FAIL("no error");
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK(text.find("neighbours.rows: 3000000000 entries") != std::string::npos);
    CHECK(text.find("2147483647") != std::string::npos);
  }
}

TEST_CASE("sorting_pairs_is_stable_and_the_same_on_any_thread_count") {
  for (const Index n : sizes)
    for (const int bits : {1, 7, 23, 32, 33, 64}) {
      Column<std::uint64_t> keys(n);
      // Few different keys, spread over all bits.
      for (Index i = 0; i < n; ++i)
        keys[i] = (Random{6}.words(i).word[0] % 97) * 0x0302030405060709u >> (64 - bits);
      Column<Index> values(n);
      // Not ascending: stable means the order that was there, not that of the values.
      for (Index i = 0; i < n; ++i) values[i] = n - 1 - i;
      Column<Index> expected = values;
      std::stable_sort(expected.begin(), expected.end(),
                       [&](Index a, Index b) { return keys[n - 1 - a] < keys[n - 1 - b]; });
      SortScratch scratch;
      const auto sorted = [&] {
        Column<std::uint64_t> k = keys;
        Column<Index> v = values;
        sort_pairs(quiet, "sort", k, v, bits, scratch);
        CHECK(std::is_sorted(k.begin(), k.end()));
        return v;
      };
      CHECK(sorted() == expected);
      CHECK(same_bits_on_any_thread_count(sorted));
    }
}

TEST_CASE("permuting_gathers_in_the_given_order") {
  Column<Vec3> column(2000), scratch;
  Column<Index> order(2000);
  for (Index k = 0; k < 2000; ++k) column[k] = Vec3::filled(Real(k)), order[k] = (k * 7) % 2000;
  permute(quiet, "permute", column, order, scratch);
  for (Index k = 0; k < 2000; ++k) CHECK(column[k] == Vec3::filled(Real((k * 7) % 2000)));
}

TEST_CASE("a_thread_limit_holds_while_it_lives") {
  const int all = thread_count();
  {
    const ThreadLimit limit(3);
    CHECK(thread_count() == 3);
    {
      const ThreadLimit tighter(1);
      CHECK(thread_count() == 1);
    }
    CHECK(thread_count() == 3);
  }
  CHECK(thread_count() == all);
}

TEST_CASE("three_threads_run_at_once_even_on_two_cores") {
  const ThreadLimit limit(3);
  std::atomic<int> arrived{0};
  const double give_up = now_seconds() + 60;
  for_each_coarse(quiet, "meet", 3, [&](Index) {
    ++arrived;
    while (arrived < 3 && now_seconds() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (now_seconds() >= give_up) arrived = -100;
  });
  CHECK(arrived == 3);
}

TEST_CASE("loops_may_be_nested") {
  const ThreadLimit limit(3);
  Column<double> sums(20);
  for_each_coarse(quiet, "outer", 20, [&](Index k) {
    sums[k] = reduce_sum(quiet, "inner", 5000, [k](Index) { return double(k); });
  });
  for (Index k = 0; k < 20; ++k) CHECK(sums[k] == 5000.0 * k);
}

TEST_CASE("an_exception_in_a_loop_reaches_the_caller") {
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    CHECK_THROWS_WITH_AS(for_each(quiet, "fail", 100'000,
                                  [](Index i) {
                                    if (i == 54'321) throw Error("particle 54321");
                                  }),
                         "particle 54321", Error);
  }
}

TEST_CASE("what_is_made_at_once_is_finished_in_order_and_bounded") {
  for (const int threads : {1, 3})
    for (const Index at_once : {1, 2, 5}) {
      const ThreadLimit limit(threads);
      std::atomic<int> in_work = 0, most = 0;
      std::vector<double> place(at_once);
      std::vector<Index> finished;
      for_each_in_order(
          quiet, 40, at_once,
          [&](Index i) {
            const int now = ++in_work;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            place[i % at_once] = reduce_sum(quiet, "inner", 5000, [i](Index) { return double(i); });
          },
          [&](Index i) {
            CHECK(place[i % at_once] == 5000.0 * i);
            finished.push_back(i);
            --in_work;
          });
      std::vector<Index> expected(40);
      std::iota(expected.begin(), expected.end(), 0);
      CHECK(finished == expected);
      CHECK(most <= at_once);
    }
}

TEST_CASE("what_cannot_be_finished_ends_the_rest") {
  const ThreadLimit limit(3);
  std::vector<Index> finished;
  CHECK_THROWS_WITH_AS(for_each_in_order(
                           quiet, 1000, 4, [](Index) {},
                           [&](Index i) {
                             if (i == 7) throw Error("number 7");
                             finished.push_back(i);
                           }),
                       "number 7", Error);
  CHECK(finished == std::vector<Index>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("a_loop_is_timed_under_its_name") {
  Timers timers;
  for_each(Exec{&timers}, "mpm.update_grid", 10, [](Index) {});
  for_each(Exec{&timers}, "mpm.update_grid", 10, [](Index) {});
  REQUIRE(timers.root().children.size() == 1);
  CHECK(timers.root().children[0]->name == std::string("mpm.update_grid"));
  CHECK(timers.root().children[0]->calls == 2);
}

TEST_CASE("threads_are_counted_by_starting_them") {
  CHECK(startable_threads(0) == 0);
  CHECK(startable_threads(3) == 3);
  CHECK(scheduler_threads() >= 1);
  check_startable(3);
}
