#include "phyxel/surfaces/flow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "flow/cases.h"
#include "phyxel/core/error.h"
#include "phyxel/core/random.h"
#include "phyxel/surfaces/flow_cells.h"
#include "phyxel/surfaces/flow_frame.h"
#include "phyxel/surfaces/mean_distance.h"

using namespace phyxel;

namespace {

Column<Vec3> random_points(Index n, const Vec3& size, std::uint32_t seed = 1) {
  const Random random{seed, 3};
  Column<Vec3> x(n);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) x[i][k] = size[k] * random.uniform3(i)[k];
  return x;
}

/// Dense lumps far apart, and points alone: cells of one width are too wide here and too narrow
/// there.
Column<Vec3> lumps() {
  Column<Vec3> x = random_points(600, {3, 3, 3}, 2);
  const Random random{4, 0};
  for (Index i = 0; i < 900; ++i)
    x.push_back(random.uniform3(i) * Real(0.3) + Vec3{Real(i % 3) * 2, 0, Real(i % 2) * 20});
  return x;
}

double exact_mean(const Column<Vec3>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += length(cast<double>(x[i]) - cast<double>(x[j]));
  return sum / (double(x.size()) * double(x.size() - 1) / 2);
}

FlowStructure structure_of(const Column<Vec3>& x, Real edge, const FlowOptions& options = {}) {
  FlowScratch scratch;
  FlowStructure flow;
  structure_flow({}, x, edge, options, scratch, flow);
  return flow;
}

/// The definition, pair by pair.
struct Neighbourhood {
  Index count = 0;
  Vec3d mean = Vec3d::zero();
  double squares = 0;
  Real longest = 0;  // of the vectors of neighbours, as given
};
Neighbourhood neighbourhood(const Column<Vec3>& x, Index i, Real edge, const FlowStructure& flow) {
  Neighbourhood found;
  found.longest = length(flow.close.mean[i]);
  for (Index j = 0; j < static_cast<Index>(x.size()); ++j) {
    const Vec3 d = x[j] - x[i];
    if (j == i || !(std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0])) < edge * edge))
      continue;
    ++found.count;
    found.mean += cast<double>(d);
    found.squares += double(length_squared(d));
    found.longest = std::max(found.longest, length(flow.close.mean[j]));
  }
  if (found.count > 0) found.mean = found.mean / double(found.count);
  return found;
}

Mat3 turned() {
  const Real c = std::cos(Real(0.7)), s = std::sin(Real(0.7));
  return Mat3{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}} * Mat3{{{1, 0, 0}, {0, s, -c}, {0, c, s}}};
}

template <class T>
bool same_bits(const Column<T>& a, const Column<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace

TEST_CASE("the_mean_distance_of_few_points_is_exact") {
  const Column<Vec3> x = random_points(300, {2, 1, 1});
  const PairDistances d = pair_distances({}, x);
  const MeanDistance mean = mean_distance({&d, 1});
  CHECK(mean.is_exact);
  CHECK(mean.error == 0);
  CHECK(mean.mean == doctest::Approx(exact_mean(x)).epsilon(1e-12));
}

TEST_CASE("each_pair_of_each_frame_counts_once") {
  const PairDistances frames[] = {pair_distances({}, random_points(10, {1, 1, 1})),
                                  pair_distances({}, random_points(100, {3, 3, 3}))};
  const double pairs = 45 + 4950;
  CHECK(mean_distance(frames).mean ==
        doctest::Approx((45 * frames[0].mean + 4950 * frames[1].mean) / pairs).epsilon(1e-12));
}

TEST_CASE("a_sampled_mean_distance_is_within_its_error") {
  for (const Vec3& size : {Vec3{1, 1, 1}, Vec3{10, Real(0.1), Real(0.1)}, Vec3{5, 5, 0}})
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      const Column<Vec3> x = random_points(4500, size, seed);
      const PairDistances d = pair_distances({}, x, seed);
      const MeanDistance mean = mean_distance({&d, 1});
      CHECK(!mean.is_exact);
      CHECK(std::abs(mean.mean - exact_mean(x)) <= mean.error);
      CHECK(mean.error < 0.01 * mean.mean);  // a bound that says something
    }
}

TEST_CASE("one_far_point_is_in_the_error_of_the_mean_distance") {
  Column<Vec3> x = random_points(4500, {1, 1, 1});
  x[17] = {1000, 0, 0};
  const PairDistances d = pair_distances({}, x);
  CHECK(std::abs(d.mean - exact_mean(x)) <= mean_distance({&d, 1}).error);
}

TEST_CASE("average_close_vectors_are_the_means_over_all_pairs") {
  for (const Real edge : {Real(0.05), Real(0.4), Real(1.3), Real(30)}) {
    CAPTURE(edge);
    const Column<Vec3> x = lumps();
    const FlowStructure flow = structure_of(x, edge);
    for (Index i = 0; i < static_cast<Index>(x.size()); i += 7) {
      const Neighbourhood found = neighbourhood(x, i, edge, flow);
      REQUIRE(flow.close.count[i] == found.count);
      // Single numbers are rounded to a share of 1e-7 of the edge, sums of a thousand of them more.
      CHECK(length(cast<double>(flow.close.mean[i]) - found.mean) < 3e-6 * double(edge));
      if (found.count > 0)
        CHECK(double(flow.close.spread[i]) ==
              doctest::Approx(std::sqrt(found.squares / found.count)).epsilon(1e-4));
    }
  }
}

TEST_CASE("the_border_is_where_vectors_are_long") {
  const Column<Vec3> x = random_points(3000, {1, 1, 1});
  const Real edge = Real(0.2);
  FlowOptions options;
  options.relative_to = BorderRule::frame;
  const FlowStructure frame = structure_of(x, edge, options), local = structure_of(x, edge);
  Index marked = 0;
  for (Index i = 0; i < 3000; ++i) {
    const Real own = length(frame.close.mean[i]);
    CHECK(bool(frame.border[i]) == (own >= options.border * frame.largest_vector));
    if (!local.border[i]) continue;
    ++marked;
    CHECK(own >= options.border * neighbourhood(x, i, edge, local).longest);
  }
  CHECK(marked == local.border_points);
  CHECK(frame.border_points < local.border_points / 10);  // only corners
}

TEST_CASE("with_neighbours_all_around_there_is_no_vector_and_no_border") {
  Column<Vec3> x;
  for (int i = -6; i <= 6; ++i)
    for (int j = -6; j <= 6; ++j)
      for (int k = -6; k <= 6; ++k) x.push_back({Real(i), Real(j), Real(k)});
  const FlowStructure flow = structure_of(x, Real(2.5));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real outside = std::max({std::abs(x[i][0]), std::abs(x[i][1]), std::abs(x[i][2])});
    if (outside <= 4) {
      CHECK(length(flow.close.mean[i]) < 1e-5);
      CHECK(flow.border[i] == 0);
    }
  }
}

TEST_CASE("a_rigid_motion_turns_the_vectors_along") {
  const Column<Vec3> x = random_points(2000, {1, 2, 1});
  const Mat3 turn = turned();
  Column<Vec3> moved(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) moved[i] = turn * x[i] + Vec3{3, -2, 1};
  const FlowStructure before = structure_of(x, Real(0.25)), after = structure_of(moved, Real(0.25));
  Index other_neighbours = 0, other_border = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // A pair just as far apart as the longest edge may be counted in one and not in the other.
    other_neighbours += before.close.count[i] != after.close.count[i];
    other_border += before.border[i] != after.border[i];
    if (before.close.count[i] == after.close.count[i])
      CHECK(length(after.close.mean[i] - turn * before.close.mean[i]) < 1e-5);
  }
  CHECK(other_neighbours <= 4);
  CHECK(other_border <= 4);
}

TEST_CASE("the_structure_has_the_same_bits_on_any_number_of_threads") {
  const Column<Vec3> x = lumps();
  const auto on = [&](int threads) {
    const ThreadLimit limit(threads);
    return structure_of(x, Real(0.35));
  };
  const FlowStructure one = on(1);
  const double mean = pair_distances({}, random_points(9000, {1, 1, 1})).mean;
  for (const int threads : {2, 3, 7}) {
    const FlowStructure many = on(threads);
    CHECK(same_bits(one.close.count, many.close.count));
    CHECK(same_bits(one.close.mean, many.close.mean));
    CHECK(same_bits(one.close.spread, many.close.spread));
    CHECK(same_bits(one.border, many.border));
    const ThreadLimit limit(threads);
    CHECK(pair_distances({}, random_points(9000, {1, 1, 1})).mean == mean);
  }
}

TEST_CASE("points_alone_and_pairs_are_borders") {
  const Column<Vec3> x = {{0, 0, 0}, {Real(0.1), 0, 0}, {5, 0, 0}, {9, 9, 9}};
  const FlowStructure flow = structure_of(x, 1);
  CHECK(flow.edges == 1);
  CHECK(flow.lone_points == 2);
  CHECK(flow.border_points == 4);
  CHECK(structure_of({}, 1).border_points == 0);
}

TEST_CASE("the_graph_lists_each_edge_once") {
  const Column<Vec3> x = lumps();
  const FlowStructure flow = structure_of(x, Real(0.3));
  const auto edges = flow_graph({}, x, flow, 1e6);
  CHECK(double(edges.size()) == flow.edges);
  Column<Index> ends(x.size(), 0);
  for (const Vec<Index, 2>& e : edges) {
    CHECK(length(x[e[0]] - x[e[1]]) < Real(0.3));
    ++ends[e[0]], ++ends[e[1]];
  }
  CHECK(same_bits(ends, flow.close.count));
  CHECK_THROWS_AS(flow_graph({}, x, flow, 10), InputError);
}

TEST_CASE("materials_are_flows_of_their_own") {
  const Column<Vec3> x = random_points(2000, {1, 1, 1});
  std::vector<std::int32_t> material(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) material[i] = x[i][0] < Real(0.5) ? 3 : 1;
  Frame frame;
  frame.count = x.size();
  frame.columns = {make_frame_column("position", "m", x.data(), x.size()),
                   make_frame_column("material", "", material.data(), x.size())};
  FlowScratch scratch;
  FlowStructure together, apart;
  structure_frame({}, frame, Real(0.2), {}, false, scratch, together);
  structure_frame({}, frame, Real(0.2), {}, true, scratch, apart);
  CHECK(apart.edges < together.edges);
  const auto near_middle = [&](const FlowStructure& flow) {
    Index border = 0;
    for (const std::size_t i : border_points(flow))
      border += std::abs(x[i][0] - Real(0.5)) < Real(0.05) &&
                std::abs(x[i][1] - Real(0.5)) < Real(0.3) &&
                std::abs(x[i][2] - Real(0.5)) < Real(0.3);
    return border;
  };
  CHECK(near_middle(together) == 0);
  CHECK(near_middle(apart) > 5);
  CHECK(double(frame_graph({}, frame, true, apart, 1e6).size()) == apart.edges);
  add_columns(apart, frame);
  add_columns(apart, frame);  // again: nothing is there twice
  CHECK(frame.columns.size() == 5);
  CHECK(frame.find("border")->number(0) == apart.border[0]);
}

TEST_CASE("a_border_is_found_on_bodies_with_a_known_surface") {
  for (const std::string name : {"ball", "torus", "slab"}) {
    CAPTURE(name);
    const validation::PointBody body = validation::point_body(name, 60000, Real(0.2));
    FlowOptions frame;
    frame.relative_to = BorderRule::frame;
    const validation::BorderScore local = validation::score_border(body, {});
    const validation::BorderScore global = validation::score_border(body, frame);
    MESSAGE(name << ", local: precision " << local.precision << ", recall " << local.recall
                 << "; frame: " << global.precision << ", " << global.recall);
    CHECK(local.precision > 0.98);
    CHECK(local.recall > 0.3);
    CHECK(local.covered > 0.85);
    CHECK(global.recall < local.recall);
  }
}

TEST_CASE("options_of_a_flow_are_checked") {
  const auto refuses = [](auto change) {
    FlowOptions options;
    change(options);
    CHECK_THROWS_AS(check(options), InputError);
  };
  refuses([](FlowOptions& o) { o.alpha = 0; });
  refuses([](FlowOptions& o) { o.alpha = 11; });
  refuses([](FlowOptions& o) { o.border = Real(1.1); });
  refuses([](FlowOptions& o) { o.longest_edge = -1; });
  CHECK_THROWS_AS(longest_edge({}, 0), InputError);
  CHECK(longest_edge({}, 2) == doctest::Approx(0.2));
}
