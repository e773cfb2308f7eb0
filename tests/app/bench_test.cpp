#include "phyxel/app/bench/bench.h"

#include <doctest/doctest.h>

#include "phyxel/app/bench/bench_sweep.h"
#include "phyxel/app/device.h"
#include "phyxel/core/error.h"
#include "sanitized.h"
#include "scene/json_check.h"

namespace phyxel {
namespace {

BenchResult result(const char* name, std::size_t particles, double nanoseconds) {
  BenchResult r;
  r.name = name;
  r.particles = particles;
  r.updates_per_second = 1e9 / nanoseconds;
  return r;
}

std::vector<Sweep> two_sweeps() {
  return {{"pairs", {result("pairs", 10100, 40), result("pairs", 990000, 50)}},
          {"mpm", {result("mpm", 10100, 200), result("mpm", 990000, 180)}}};
}

/// Pixels that are neither white nor grey.
int coloured(const render::Image& image) {
  int count = 0;
  for (const render::Colour& c : image.pixels)
    count += std::max({c[0], c[1], c[2]}) - std::min({c[0], c[1], c[2]}) > 0.2f;
  return count;
}

}  // namespace

TEST_CASE("a_number_of_particles_is_read_as_people_write_it") {
  CHECK(parse_count("5000") == 5000);
  CHECK(parse_count("10k") == 10000);
  CHECK(parse_count("1.5M") == 1500000);
  CHECK(parse_count("1e5") == 100000);
  for (const char* bad : {"", "k", "10K", "10kk", "-10k", "99", "2000M", "nan", "ten", "1M "})
    CHECK_THROWS_AS(parse_count(bad), InputError);
  for (const char* text : {"500", "10k", "256k", "1M", "1.5M"})
    CHECK(readable_count(parse_count(text)) == text);
}

TEST_CASE("every_benchmark_measures_about_as_many_particles_as_asked") {
  for (const BenchInfo& info : benchmarks()) {
    BenchOptions options;
    options.particles = 4000;
    options.repeats = 1;
    const BenchResult r = measure(info, options);
    CHECK(r.name == info.name);
    CHECK(r.particles == doctest::Approx(4000).epsilon(0.2));  // a whole number of layers
    CHECK(r.updates_per_second == doctest::Approx(double(r.particles) * r.steps / r.seconds));
    CHECK(r.threads == thread_count());
    // A particle has at least a position, a place in the order of cells and a result.
    CHECK(r.bytes_per_particle > 50);
    CHECK(is_json(to_json({r, r})));
  }
}

TEST_CASE("timers_tell_the_stages_of_a_benchmark_apart") {
  Timers timers;
  BenchOptions options;
  options.particles = 1000;
  options.repeats = 3;
  options.timers = &timers;
  measure(find_benchmark("neighbours"), options);
  REQUIRE(timers.root().children.size() == 1);
  const Timers::Node& all = *timers.root().children[0];
  CHECK(all.name == std::string("neighbours"));
  const auto calls = [&](const std::string& name) {
    for (const auto& child : all.children)
      if (child->name == name) return child->calls;
    return std::int64_t{0};
  };
  CHECK(calls("warm_up") == 1);
  CHECK(calls("repetition") == 3);
}

TEST_CASE("an_unknown_device_is_refused") {
  CHECK_NOTHROW(exec_on("cpu"));
  CHECK_THROWS_AS(exec_on("abacus"), InputError);
}

#ifndef PHYXEL_SANITIZED  // the thread sanitizer holds four bytes for each of ours
TEST_CASE("resident_memory_grows_and_shrinks_with_what_is_held") {
  const std::size_t before = bytes_in_use(Device::cpu);
  std::vector<char> held(64 << 20, 1);
  const double growth = static_cast<double>(bytes_in_use(Device::cpu) - before);
  CHECK(growth == doctest::Approx(held.size()).epsilon(0.2));
}
#endif

TEST_CASE("the_table_of_a_sweep_has_a_row_for_each_size_and_the_spread_below") {
  CHECK(sweep_table({10000, 1000000}, two_sweeps()) ==
        "ns per particle and step\n"
        "   particles        pairs          mpm\n"
        "         10k         40.0        200.0\n"
        "          1M         50.0        180.0\n"
        "most / least         1.25         1.11\n");
  std::vector<Sweep> interrupted = two_sweeps();
  interrupted[0].results.pop_back();
  interrupted[1].results.clear();
  CHECK(sweep_table({10000, 1000000}, interrupted) ==
        "ns per particle and step\n"
        "   particles        pairs          mpm\n"
        "         10k         40.0            -\n"
        "          1M            -            -\n"
        "most / least         1.00            -\n");
}

TEST_CASE("the_plot_has_a_line_for_each_benchmark") {
  const std::vector<Sweep> both = two_sweeps();
  const int of_both = coloured(sweep_plot(both)), of_one = coloured(sweep_plot({both[0]}));
  CHECK(of_one > 1000);  // hundreds of pixels long, some wide
  CHECK(of_both > 1.5 * of_one);
  CHECK(coloured(sweep_plot({{"empty", {}}})) < 200);  // the dot of the legend
}

}  // namespace phyxel
