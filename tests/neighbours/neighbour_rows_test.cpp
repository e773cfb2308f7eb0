#include <doctest/doctest.h>
#include <limits>
#include <string>

#include "brute_force.h"
#include "phyxel/core/error.h"

using namespace phyxel;

namespace {

constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

PeriodicBox box_of(int axes, const Vec3& min, const Vec3& size) {
  return {{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0}, min, size};
}

std::string message_of(const Column<Vec3>& x, Real radius, const PeriodicBox& box = {}) {
  try {
    search(x, radius, box);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a_random_cloud_has_the_neighbours_that_testing_all_pairs_finds") {
  for (const Real radius : {0.05, 0.13, 0.4, 3.0}) {
    const auto x = random_points(900, {-0.5, -0.5, -0.5}, {1, 1, 1});
    CHECK(search(x, radius) == brute_force(x, radius, {}));
  }
}

TEST_CASE("all_combinations_of_periodic_axes_agree_with_testing_all_pairs") {
  const Vec3 min{-1, Real(0.3), 2}, size{1, Real(1.2), Real(0.9)};
  for (int axes = 0; axes < 8; ++axes)
    for (const Real radius : {0.07, 0.14, 0.21, 0.3, 0.45}) {  // 12 to 2 cells along an axis
      const auto x = random_points(500, min, size, axes);
      const PeriodicBox box = box_of(axes, min, size);
      CAPTURE(axes);
      CAPTURE(radius);
      CHECK(search(x, radius, box) == brute_force(x, radius, box));
    }
}

TEST_CASE("boxes_of_one_to_four_cells_list_no_neighbour_twice") {
  for (const Real cells : {2.0, 2.3, 3.0, 3.1, 4.0, 4.2}) {  // cells of one radius in the box
    const Vec3 size = Vec3::filled(Real(0.1) * cells);
    const PeriodicBox box = box_of(7, {0, 0, 0}, size);
    const auto x = random_points(80, {0, 0, 0}, size, 3);
    CAPTURE(cells);
    CHECK(search(x, Real(0.1), box) == brute_force(x, Real(0.1), box));
  }
}

TEST_CASE("positions_outside_a_periodic_box_count_as_their_copies_inside") {
  const PeriodicBox box = box_of(5, {0, 0, 0}, {1, 1, 1});
  auto x = random_points(300, {-3, 0, -2}, {7, 1, 5});
  CHECK(search(x, Real(0.2), box) == brute_force(x, Real(0.2), box));
  for (Vec3& p : x) p = wrap(box, p);
  CHECK(search(x, Real(0.2), box) == brute_force(x, Real(0.2), box));
}

TEST_CASE("rows_are_exactly_symmetric_on_a_lattice_whose_spacing_is_the_radius") {
  // Rounding decides which pairs are in: it must decide the same way from both sides.
  const Real spacing = Real(0.1);
  Column<Vec3> x;
  for (int k = 0; k < 9; ++k)
    for (int j = 0; j < 9; ++j)
      for (int i = 0; i < 9; ++i) x.push_back({spacing * i, spacing * j, spacing * k});
  for (const PeriodicBox& box : {PeriodicBox{}, box_of(7, {0, 0, 0}, Vec3::filled(9 * spacing))}) {
    const Lists lists = search(x, spacing, box);
    CHECK(lists == brute_force(x, spacing, box));
    bool symmetric = true;
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const Index j : lists[i])
        symmetric &= std::binary_search(lists[j].begin(), lists[j].end(), static_cast<Index>(i));
    CHECK(symmetric);
  }
}

TEST_CASE("particles_at_the_same_place_are_neighbours_but_not_of_themselves") {
  Column<Vec3> x(600, Vec3{1, 2, 3});  // more than one batch of candidates
  x.push_back({5, 5, 5});
  const Lists lists = search(x, Real(0.5));
  CHECK(lists == brute_force(x, Real(0.5), {}));
  CHECK(lists[17].size() == 599);
  CHECK(lists[600].empty());
}

TEST_CASE("no_one_or_two_particles_are_fine") {
  CHECK(search({}, 1).empty());
  CHECK(search({{0, 0, 0}}, 1) == Lists{{}});
  CHECK(search({{0, 0, 0}, {Real(0.9), 0, 0}}, 1) == Lists{{1}, {0}});
  CHECK(search({{0, 0, 0}, {1, 0, 0}}, 1) == Lists{{}, {}});  // the radius itself is outside
}

TEST_CASE("a_flat_layer_and_a_line_agree_with_testing_all_pairs") {
  for (const Vec3& size : {Vec3{1, 0, 1}, Vec3{1, 1, 0}, Vec3{0, 0, 1}, Vec3{2, 0, 0}}) {
    const auto x = random_points(700, {-1, 2, 0}, size);
    CHECK(search(x, Real(0.06)) == brute_force(x, Real(0.06), {}));
  }
}

TEST_CASE("particles_that_fly_off_change_nothing_for_the_others") {
  auto x = random_points(2000, {0, 0, 0}, {1, 1, 1});
  const Lists near = search(x, Real(0.1));
  for (const Vec3& away : {Vec3{1e6, 0, 0}, Vec3{-1e6, 2e6, -3e6}, Vec3{0, -1e12, 1e12},
                           Vec3{1e30, 1e30, -1e30}, Vec3{1e38, -1e38, 3e38}}) {
    x.push_back(away);
    // Long keys are sorted in other steps than short ones; neighbours stay the same.
    Lists far = search(x, Real(0.1));
    CHECK(far.back().empty());
    far.resize(near.size());
    CHECK(far == near);
  }
}

TEST_CASE("clusters_kilometres_apart_take_memory_by_particles_not_by_distance") {
  Column<Vec3> x;
  for (int c = 0; c < 20; ++c) {
    const Vec3 corner = Random{3, 1}.uniform3(c) * Real(1e5);
    for (const Vec3& p : random_points(150, corner, {1, 1, 1}, c)) x.push_back(p);
  }
  SearchedPoints points;
  points.search(x, Real(0.2));
  CHECK(sorted_lists(points) == brute_force(x, Real(0.2), {}));
  CHECK(points.cells.cells() <= 3000);
}

TEST_CASE("an_exploded_body_is_searched_as_quickly_as_a_compact_one") {
  // Every particle in a cell of its own, 1e9 to 1e30 radii from the others.
  for (const Real extent : {1e9, 1e18, 1e30}) {
    const auto x = random_points(20000, Vec3::filled(-extent), Vec3::filled(2 * extent));
    SearchedPoints points;
    const double before = now_seconds();
    points.search(x, 1);
    CHECK(now_seconds() - before < 1);  // takes 10 ms; testing all pairs would take seconds
    CHECK(points.cells.cells() > 19000);
    CHECK(points.rows.neighbour.empty());
  }
}

TEST_CASE("rows_do_not_depend_on_the_number_of_threads") {
  const PeriodicBox box = box_of(2, {0, 0, 0}, {1, 1, 1});
  const auto x = random_points(30000, {0, 0, 0}, {1, 1, 1});
  SearchedPoints one, many;
  {
    const ThreadLimit limit(1);
    one.search(x, Real(0.05), box);
  }
  for (const int threads : {2, 3}) {
    const ThreadLimit limit(threads);
    many.search(x, Real(0.05), box);
    CHECK(one.rows.start == many.rows.start);
    CHECK(one.rows.count == many.rows.count);
    CHECK(one.rows.neighbour == many.rows.neighbour);
  }
}

TEST_CASE("a_rebuild_of_the_same_size_keeps_its_memory") {
  auto x = random_points(5000, {0, 0, 0}, {1, 1, 1});
  SearchedPoints points;
  points.search(x, Real(0.1));
  const Index* const before = points.rows.neighbour.data();
  const std::size_t entries = points.rows.neighbour.size();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += (Random{1, 1}.uniform3(i) - Vec3::filled(Real(0.5))) * Real(0.01);
  points.search(x, Real(0.1));
  CHECK(points.rows.neighbour.size() != entries);
  CHECK(points.rows.neighbour.data() == before);
  CHECK(sorted_lists(points) == brute_force(x, Real(0.1), {}));
}

TEST_CASE("rows_ascend_and_end_in_pads_that_name_the_particle_far_away") {
  SearchedPoints points;
  points.search(random_points(2000, {0, 0, 0}, {1, 1, 1}), Real(0.1));
  const NeighbourRows& rows = points.rows;
  bool ascend = true, padded = true;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const auto row = rows.neighbour.begin() + rows.start[i];
    ascend &= std::is_sorted(row, row + rows.count[i]);
    padded &=
        rows.start[i] % row_pad == 0 && rows.start[i + 1] - rows.start[i] < rows.count[i] + row_pad;
    for (Index e = rows.count[i]; e < rows.start[i + 1] - rows.start[i]; ++e)
      padded &= row[e] == static_cast<Index>(points.x.size());
  }
  CHECK(ascend);
  CHECK(padded);
}

TEST_CASE("cells_of_another_radius_or_of_other_particles_are_refused") {
  SearchedPoints points;
  points.search(random_points(100, {0, 0, 0}, {1, 1, 1}), Real(0.1));
  CHECK_THROWS_AS(build_rows(Exec{}, points.x, points.cells, Real(0.2), points.rows), Error);
  points.x.pop_back();
  CHECK_THROWS_AS(build_rows(Exec{}, points.x, points.cells, Real(0.1), points.rows), Error);
}

TEST_CASE("a_non_finite_position_is_refused_by_the_number_of_its_particle") {
  for (const Real bad : {not_a_number, std::numeric_limits<Real>::infinity()}) {
    auto x = random_points(3000, {0, 0, 0}, {1, 1, 1});
    x[1042][1] = bad;
    x[2000][0] = bad;
    CHECK(mentions(message_of(x, Real(0.1)), "particle 1042 has the non-finite position"));
  }
}

TEST_CASE("a_periodic_box_narrower_than_twice_the_radius_is_refused") {
  const auto x = random_points(10, {0, 0, 0}, {1, 1, 1});
  const std::string message = message_of(x, Real(0.3), box_of(2, {0, 0, 0}, {1, Real(0.5), 1}));
  CHECK(mentions(message, "0.5 m along y, must be at least 0.6 m"));
  CHECK(message_of(x, Real(0.25), box_of(2, {0, 0, 0}, {1, Real(0.5), 1})) == "");
  CHECK(mentions(message_of(x, Real(0.1), box_of(1, {0, 0, 0}, {not_a_number, 1, 1})), "along x"));
}

TEST_CASE("a_radius_whose_square_is_nothing_is_refused") {
  for (const Real radius : {Real(0), Real(-1), std::numeric_limits<Real>::min(), not_a_number})
    CHECK(mentions(message_of({{0, 0, 0}}, radius), "must be finite and above"));
}

TEST_CASE("a_collapsed_body_is_refused_before_its_pairs_are_counted") {
  const Column<Vec3> x(200000, Vec3{1, 1, 1});
  const double before = now_seconds();
  CHECK(mentions(message_of(x, 1), "at most 2147483647 can be listed"));
  CHECK(now_seconds() - before < 5);  // sanitizers take 1 s; counting 4e10 pairs would take longer
}

TEST_CASE("the_largest_move_is_measured_across_a_periodic_boundary") {
  const PeriodicBox box = box_of(1, {0, 0, 0}, {1, 1, 1});
  const Column<Vec3> before = {{Real(0.99), 0, 0}, {Real(0.5), Real(0.2), 0}};
  const Column<Vec3> now = {{Real(0.01), 0, 0}, {Real(0.5), Real(0.21), 0}};
  // Three roundings of numbers near 1.
  const auto rounding = 4 * std::numeric_limits<Real>::epsilon();
  CHECK(std::abs(largest_move(Exec{}, now, before, box) - Real(0.02)) < rounding);
  CHECK(std::abs(largest_move(Exec{}, now, before, {}) - Real(0.98)) < rounding);
  CHECK(largest_move(Exec{}, now, now, box) == 0);
}

TEST_CASE("a_lost_particle_has_moved_infinitely_far") {
  const Column<Vec3> before = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const Column<Vec3> now = {{0, 0, 0}, {not_a_number, 0, 0}, {2, 0, 0}};
  CHECK(largest_move(Exec{}, now, before, {}) == std::numeric_limits<Real>::infinity());
}
