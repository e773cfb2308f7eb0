#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numeric>
#include <tuple>

#include "brute_force.h"

using namespace phyxel;

namespace {

Column<Index> order_of(const Column<Vec3>& x, Real cell, const PeriodicBox& box = {}) {
  CellSort scratch;
  Column<Index> order;
  Column<Int3> cells;
  cell_order(Exec{}, x, cell, box, scratch, order, cells);
  return order;
}

}  // namespace

TEST_CASE("cells_are_walked_with_x_fastest_and_ties_by_index") {
  const auto x = random_points(5000, {-2, -1, 0}, {3, 2, 4});
  const double edge = 0.25;
  const auto key = [&](Index i) {
    const auto c = [&](int k) { return static_cast<int>(std::floor(x[i][k] / edge)); };
    return std::tuple(c(2), c(1), c(0), i);
  };
  Column<Index> expected(x.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::sort(expected.begin(), expected.end(), [&](Index a, Index b) { return key(a) < key(b); });
  CHECK(order_of(x, Real(edge)) == expected);
}

TEST_CASE("sorted_particles_stay_as_they_are") {
  auto x = random_points(5000, {0, 0, 0}, {1, 1, 1});
  Column<Vec3> scratch;
  permute(Exec{}, "permute", x, order_of(x, Real(0.1)), scratch);
  const auto order = order_of(x, Real(0.1));
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("cells_never_overlap_from_the_origin_to_the_largest_number") {
  // Monotone, and neighbours by less than an edge are in the same or the next cell.
  const CellGrid grid = make_cell_grid(1, {});
  Index previous = cell_of(grid, {0, 0, 0})[0];
  bool monotone = true, next = true;
  for (double q = 0.5; q < 3e38; q *= 1.0007) {
    const Index cell = cell_of(grid, {static_cast<Real>(q), 0, 0})[0];
    const Index beside = cell_of(grid, {static_cast<Real>(q) + Real(0.99), 0, 0})[0];
    const Index mirrored = cell_of(grid, {-static_cast<Real>(q), 0, 0})[0];
    monotone &= cell >= previous && mirrored <= -cell;
    next &= beside - cell <= 1 && beside >= cell;
    previous = cell;
  }
  CHECK(monotone);
  CHECK(next);
  CHECK(previous < (1 << 30));
}

TEST_CASE("wrapping_lands_in_the_box_and_keeps_what_is_there") {
  const PeriodicBox box{{true, false, true}, {-1, 0, 2}, {Real(0.7), 0, 3}};
  for (const Vec3& p : random_points(2000, {-20, -5, -20}, {40, 10, 40})) {
    const Vec3 w = wrap(box, p);
    CHECK(w[0] >= box.min[0]);
    CHECK(w[0] < box.min[0] + box.size[0]);
    CHECK(w[1] == p[1]);
    CHECK(w[2] >= box.min[2]);
    CHECK(w[2] < box.min[2] + box.size[2]);
    CHECK(wrap(box, w) == w);
    // Coordinates of 20 are rounded to 20 epsilon.
    CHECK(length(minimum_image(box, w - p)) < 100 * std::numeric_limits<Real>::epsilon());
  }
  const Real below = std::nextafter(box.min[0], Real(-10));
  CHECK(wrap(box, {below, 0, 2})[0] < box.min[0] + box.size[0]);
}

TEST_CASE("the_minimum_image_is_the_shortest_copy_and_odd") {
  const PeriodicBox box{{true, true, false}, {0, 0, 0}, {1, Real(0.3), 0}};
  for (const Vec3& d : random_points(500, {-4, -4, -4}, {8, 8, 8})) {
    const Vec3 m = minimum_image(box, d);
    CHECK(std::abs(m[0]) <= Real(0.5));
    CHECK(std::abs(m[1]) <= Real(0.15) + Real(1e-6));  // rounding of a coordinate of 4
    CHECK(m[2] == d[2]);
    CHECK(minimum_image(box, -d) == -m);
  }
}
