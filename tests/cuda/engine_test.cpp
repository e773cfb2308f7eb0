#include "cuda/engine.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <numeric>

#include "cuda/both_devices.h"
#include "methods/lennard_jones/kernel_scenes.h"
#include "phyxel/core/device_memory.h"
#include "phyxel/core/random.h"
#include "phyxel/neighbours/neighbour_rows.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

std::vector<Vec3> random_points(int n, const Vec3& min, const Vec3& size) {
  std::vector<Vec3> x(n);
  for (int i = 0; i < n; ++i) x[i] = min + scaled(size, Random{7, 1}.uniform3(i));
  return x;
}

test::Rows rows_on_host(const std::vector<Vec3>& points, Real radius, const PeriodicBox& box) {
  Column<Vec3> x(points.begin(), points.end()), scratch;
  CellTable cells;
  NeighbourRows rows;
  build_cells_for_rows({}, x, radius, box, cells);
  permute({}, "permute", x, cells.order, scratch);
  build_rows({}, x, cells, radius, rows);
  const auto plain = [](const Column<Index>& c) { return std::vector<Index>(c.begin(), c.end()); };
  return {plain(cells.order), plain(rows.start), plain(rows.count), plain(rows.neighbour)};
}

}  // namespace

TEST_CASE("a_device_sort_is_stable") {
  test::Pairs pairs;
  for (Index i = 0; i < 100'000; ++i) {
    pairs.keys.push_back(Random{6}.words(i).word[0] % 1000);
    pairs.values.push_back(i);
  }
  std::vector<Index> expected = pairs.values;
  std::stable_sort(expected.begin(), expected.end(),
                   [&](Index a, Index b) { return pairs.keys[a] < pairs.keys[b]; });
  const test::Pairs sorted = test::sorted_on_device(pairs, 10);
  CHECK(sorted.values == expected);
  CHECK(std::is_sorted(sorted.keys.begin(), sorted.keys.end()));
}

TEST_CASE("a_device_scan_is_the_exclusive_prefix_sum_and_refuses_what_is_no_index") {
  std::vector<Index> values(100'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Index>(i % 13);
  std::vector<Index> expected(values.size());
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), Index(0));
  const test::Scanned scanned = test::scanned_on_device(values);
  CHECK(scanned.values == expected);
  CHECK(scanned.total == std::accumulate(values.begin(), values.end(), Index(0)));
  CHECK_THROWS_AS(test::scanned_on_device(std::vector<Index>(3000, 1'000'000)), Error);
}

TEST_CASE("a_device_sum_has_the_same_bits_every_time") {
  std::vector<double> values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(Random{8}.uniform(i));
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double first = test::sum_on_device(values);
  CHECK(first == doctest::Approx(sum).epsilon(1e-12));
  for (int k = 0; k < 5; ++k) CHECK(test::sum_on_device(values) == first);
}

TEST_CASE("rows_on_the_device_are_those_of_the_host_entry_by_entry") {
  for (int axes = 0; axes < 8; ++axes) {
    const Vec3 min{-1, 0, 2}, size{3, 2, Real(2.5)};
    const PeriodicBox box{{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0}, min, size};
    const auto x = random_points(20000, min, size);
    const test::Rows device = test::rows_on_device(x, Real(0.15), box);
    const test::Rows host = rows_on_host(x, Real(0.15), box);
    CAPTURE(axes);
    CHECK(device.order == host.order);
    CHECK(device.start == host.start);
    CHECK(device.count == host.count);
    CHECK(device.neighbour == host.neighbour);
  }
}

TEST_CASE("a_non_finite_position_on_the_device_is_refused_by_its_number") {
  auto x = random_points(3000, {0, 0, 0}, {1, 1, 1});
  x[1042][1] = std::numeric_limits<Real>::quiet_NaN();
  CHECK_THROWS_WITH_AS(test::rows_on_device(x, Real(0.1), {}),
                       doctest::Contains("particle 1042 has the non-finite position"), Error);
}

TEST_CASE("two_hundred_steps_on_the_gpu_end_where_those_on_the_cpu_do") {
  for (const char* text : {crystal_scene, busy_scene}) {
    World cpu = begun_world_on({}, text), gpu = begun_world_on(on_gpu, text);
    CAPTURE(cpu.methods.front()->particles().size());
    const double dt = 0.5 * std::min(stable_step(cpu).dt, stable_step(gpu).dt);
    // The CPU estimates the stiffness with chords, up to 15 % too large.
    CHECK(stable_step(gpu).dt == doctest::Approx(stable_step(cpu).dt).epsilon(0.08));
    CHECK(stable_step(gpu).dt > 0.99 * stable_step(cpu).dt);
    take_steps(cpu, 200, dt);
    take_steps(gpu, 200, dt);
    // Forces differ by rounding and by the table of the CPU (1e-5 of them); neighbours drift apart
    // by a factor of e in about 1/omega = 20 steps, so that 1e-6 spacings grow to some 1e-2 in a
    // collision, and stay far smaller in a crystal.
    const double difference = largest_difference(positions_by_id(cpu), positions_by_id(gpu));
    MESSAGE("largest difference of positions after 200 steps: ", difference, " spacings");
    CHECK(difference < (text == crystal_scene ? 1e-3 : 0.05));
    const Diagnostics a = diagnose(cpu), b = diagnose(gpu);
    CHECK(b.particles == a.particles);
    CHECK(b.kinetic_energy == doctest::Approx(a.kinetic_energy).epsilon(0.01));
    CHECK(b.potential_energy == doctest::Approx(a.potential_energy).epsilon(0.001));
    for (std::size_t k = 0; k < a.extra.size(); ++k) CHECK(a.extra[k].first == b.extra[k].first);
  }
}

TEST_CASE("the_same_run_on_the_gpu_has_the_same_bits") {
  std::vector<std::vector<Vec3>> results;
  for (int k = 0; k < 2; ++k) {
    World world = begun_world_on(on_gpu, busy_scene);
    take_steps(world, 300, 0.4 * stable_step(world).dt);
    results.push_back(positions_by_id(world));
  }
  CHECK(results[0] == results[1]);
}

TEST_CASE("energy_of_a_free_crystal_stays_on_the_gpu") {
  World world = begun_world_on(on_gpu, crystal_scene);
  const Diagnostics before = diagnose(world);
  take_steps(world, 1000, 0.25 * stable_step(world).dt);
  const Diagnostics after = diagnose(world);
  const double start = before.kinetic_energy + before.potential_energy;
  CHECK(after.kinetic_energy + after.potential_energy == doctest::Approx(start).epsilon(1e-4));
}

TEST_CASE("what_the_host_writes_between_frames_reaches_the_gpu") {
  World world = begun_world_on(on_gpu, crystal_scene);
  for (Vec3& v : world.methods.front()->particles().v) v = {1, 0, 0};
  world.methods.front()->begin(world.environment);
  const double before = diagnose(world).centre()[0];
  take_steps(world, 10, 0.01);
  CHECK(diagnose(world).centre()[0] - before == doctest::Approx(0.1).epsilon(1e-4));
}

TEST_CASE("more_memory_than_the_gpu_has_is_refused_in_words") {
  CHECK_THROWS_WITH_AS(device::allocate(std::size_t{1} << 50),
                       doctest::Contains("the GPU's memory is full"), Error);
}
