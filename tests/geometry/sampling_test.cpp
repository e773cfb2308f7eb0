#include "phyxel/geometry/sampling.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>

#include "geometry/random_shapes.h"
#include "geometry/sample_surface.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/models.h"

using namespace phyxel;
using doctest::Approx;

namespace {

const std::vector<Packing> packings_3d = {Packing::closest, Packing::cubic, Packing::jittered,
                                          Packing::poisson, Packing::random};
const std::vector<Packing> packings_2d = {Packing::closest,  Packing::hexagonal, Packing::cubic,
                                          Packing::jittered, Packing::poisson,   Packing::random};

/// Points by cell, to find near ones.
struct Cells {
  Real width;
  std::map<std::array<int, 3>, std::vector<Vec3>> points;

  Cells(const std::vector<Vec3>& all, Real w) : width(w) {
    for (const Vec3& p : all) points[cell(p)].push_back(p);
  }
  std::array<int, 3> cell(const Vec3& p) const {
    return {int(std::floor(p[0] / width)), int(std::floor(p[1] / width)),
            int(std::floor(p[2] / width))};
  }
  /// Distance from p to the nearest point other than `own`, or the width.
  Real nearest(const Vec3& p, const Vec3* own = nullptr) const {
    Real best = width;
    const auto [x, y, z] = cell(p);
    for (int k = 0; k < 27; ++k) {
      const auto it = points.find({x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1});
      if (it == points.end()) continue;
      for (const Vec3& q : it->second)
        if (!own || !(q == *own)) best = std::min(best, length(p - q));
    }
    return best;
  }
};

Real smallest_gap(const std::vector<Vec3>& points, Real spacing) {
  const Cells cells(points, 2 * spacing);
  Real best = 2 * spacing;
  for (const Vec3& p : points) best = std::min(best, cells.nearest(p, &p));
  return best;
}

}  // namespace

TEST_CASE("a_box_of_whole_spacings_holds_the_product_of_them") {
  CHECK(sample_inside(shape_box({1, 0.5, 0.2}), Packing::cubic, 0.1, 1, 3).size() == 100);
  CHECK(sample_inside(shape_box({1, 0.5, 9}), Packing::cubic, 0.1, 1, 2).size() == 50);
  CHECK(sample_inside(shape_box({0.1, 0.1, 0.1}), Packing::cubic, 0.1, 1, 3).size() == 1);
}

TEST_CASE("packings_have_their_number_density") {
  const Real s = 0.05;
  const Shape ball = shape_sphere(1);
  const double cells = 4.0 / 3 * M_PI / std::pow(double(s), 3);
  const auto count = [&](Packing p) { return double(sample_inside(ball, p, s, 1, 3).size()); };
  // A rim of less than a cell at a radius of 20 cells; random adds sqrt(n).
  CHECK(count(Packing::closest) == Approx(std::sqrt(2.0) * cells).epsilon(0.02));
  CHECK(count(Packing::cubic) == Approx(cells).epsilon(0.02));
  CHECK(count(Packing::jittered) == Approx(cells).epsilon(0.02));
  CHECK(count(Packing::random) == Approx(cells).epsilon(0.02));
  // Saturated random packing of balls fills 0.384 of space (Torquato 2002): 0.733 per spacing^3,
  // and more at the border.
  CHECK(count(Packing::poisson) == Approx(0.76 * cells).epsilon(0.05));
  const double squares = M_PI / (s * s);
  CHECK(sample_inside(ball, Packing::hexagonal, s, 1, 2).size() ==
        Approx(2 / std::sqrt(3.0) * squares).epsilon(0.03));
}

TEST_CASE("points_times_their_volume_are_the_volume_of_a_big_box") {
  const Real s = Real(0.05);
  // Lattices leave less than half a spacing at a border of 40, random counts scatter by sqrt(n), a
  // Poisson sample crowds at the border as if it went on for a third of the spacing.
  const auto filled = [&](Packing packing, int dimensions) {
    const double n = double(sample_inside(shape_box({2, 2, 2}), packing, s, 1, dimensions).size());
    const double edge = packing == Packing::poisson ? 2 + 2 * s / 3 : 2.0;
    return n * volume_per_point(packing, s, dimensions) / std::pow(edge, dimensions);
  };
  for (const Packing p : packings_3d) CHECK(filled(p, 3) == Approx(1).epsilon(0.03));
  for (const Packing p : packings_2d) CHECK(filled(p, 2) == Approx(1).epsilon(0.04));
}

TEST_CASE("volume_per_point_is_that_of_the_lattice_and_goes_with_the_spacing") {
  CHECK(volume_per_point(Packing::cubic, 0.5, 3) == Approx(0.125));
  CHECK(volume_per_point(Packing::jittered, 0.5, 2) == Approx(0.25));
  CHECK(volume_per_point(Packing::closest, 0.5, 3) == Approx(0.125 / std::sqrt(2.0)));
  CHECK(volume_per_point(Packing::closest, 0.5, 2) == Approx(0.25 * std::sqrt(0.75)));
  CHECK(volume_per_point(Packing::hexagonal, 0.5, 2) == volume_per_point(Packing::closest, 0.5, 2));
  CHECK(volume_per_point(Packing::poisson, 1, 3) ==
        Approx(8 * volume_per_point(Packing::poisson, 0.5, 3)));
}

TEST_CASE("neighbours_in_a_packing_keep_the_spacing") {
  const Real s = 0.1;
  const Shape ball = shape_sphere(1);
  for (const Packing p : {Packing::closest, Packing::cubic})
    CHECK(smallest_gap(sample_inside(ball, p, s, 1, 3), s) == Approx(s).epsilon(1e-4));
  CHECK(smallest_gap(sample_inside(ball, Packing::hexagonal, s, 1, 2), s) ==
        Approx(s).epsilon(1e-4));
  CHECK(smallest_gap(sample_inside(ball, Packing::poisson, s, 1, 3), s) >= s);
  CHECK(smallest_gap(sample_inside(ball, Packing::poisson, s, 1, 2), s) >= s);
  CHECK(smallest_gap(sample_inside(ball, Packing::jittered, s, 1, 3), s) >= Real(0.5) * s);
}

TEST_CASE("a_point_of_closest_packing_has_twelve_neighbours") {
  const std::vector<Vec3> points = sample_inside(shape_sphere(0.35), Packing::closest, 0.1, 1, 3);
  CHECK(std::count(points.begin(), points.end(), Vec3{0, 0, 0}) == 1);
  int near = 0;
  for (const Vec3& p : points) near += length(p) > 0.05 && length(p) < 0.11;
  CHECK(near == 12);
}

TEST_CASE("lattices_are_mirror_images_of_themselves_about_the_middle_of_the_bounds") {
  const Shape box = transformed(shape_box({1, 0.63, 0.44}), {Mat3::identity(), {3, 2, 0}});
  const auto check = [&](Packing packing, int dimensions) {
    const std::vector<Vec3> points = sample_inside(box, packing, 0.1, 1, dimensions);
    REQUIRE(points.size() > 10);
    const Cells cells(points, 0.1);
    for (int axis = 0; axis < dimensions; ++axis)
      for (Vec3 p : points) {
        p[axis] = 2 * (axis == 0 ? 3 : axis == 1 ? 2 : 0) - p[axis];
        REQUIRE(cells.nearest(p) < 1e-5);
      }
  };
  for (const Packing p : {Packing::closest, Packing::cubic}) check(p, 3);
  for (const Packing p : {Packing::hexagonal, Packing::cubic}) check(p, 2);
}

TEST_CASE("all_points_lie_inside_and_none_is_missed_by_skipping") {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    test::Draw draw(seed);
    const Shape shape = intersect(test::random_shape(draw), shape_box({1.5, 1.5, 1.5}));
    for (const Packing packing : packings_3d)
      for (const Vec3& p : sample_inside(shape, packing, 0.08, seed, 3)) REQUIRE(inside(shape, p));
    std::size_t expected = 0;
    const Bounds b = bounds_of(shape);
    if (b.empty()) continue;
    Int3 n;
    for (int k = 0; k < 3; ++k) n[k] = std::max(1, int(std::round(b.size()[k] / Real(0.08))));
    for (Index k = 0; k < n[0] * n[1] * n[2]; ++k) {
      const Vec3 i = {Real(k % n[0]), Real(k / n[0] % n[1]), Real(k / (n[0] * n[1]))};
      const Vec3 middle = (cast<Real>(n) - Vec3::filled(1)) * Real(0.5);
      const Vec3 p = b.centre() + (i - middle) * Real(0.08);
      expected += signed_distance(shape, p).distance < Real(-1e-3 * 0.08);
    }
    const double got = sample_inside(shape, Packing::cubic, 0.08, 1, 3).size();
    REQUIRE(std::abs(got - double(expected)) <= 1);  // one may lie on the border of rounding
  }
}

TEST_CASE("flat_scenes_are_sampled_at_z_zero") {
  for (const Packing p : packings_2d) {
    const std::vector<Vec3> points = sample_inside(shape_sphere(1), p, 0.1, 1, 2);
    CHECK(points.size() > 150);
    CHECK(std::all_of(points.begin(), points.end(), [](const Vec3& q) { return q[2] == 0; }));
  }
  const Shape aside = transformed(shape_sphere(1), {Mat3::identity(), {0, 0, 5}});
  CHECK(sample_inside(aside, Packing::cubic, 0.1, 1, 2).empty());
  CHECK_THROWS_WITH_AS(sample_inside(shape_sphere(1), Packing::hexagonal, 0.1, 1, 3),
                       doctest::Contains("use closest"), InputError);
}

TEST_CASE("samples_are_the_same_bits_on_any_number_of_threads") {
  const Shape bunny = model_bunny(1);
  for (const int dimensions : {2, 3})
    for (const Packing p : dimensions == 2 ? packings_2d : packings_3d) {
      std::vector<Vec3> first;
      for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        const std::vector<Vec3> points = sample_inside(bunny, p, 0.04, 7, dimensions);
        if (threads == 1) first = points;
        REQUIRE(points == first);
      }
    }
  SurfaceSamples first;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    const SurfaceSamples samples = sample_surface(bunny, 0.08, 7);
    if (threads == 1) first = samples;
    REQUIRE(samples.points == first.points);
  }
}

TEST_CASE("the_seed_changes_random_packings_and_leaves_lattices_alone") {
  const Shape ball = shape_sphere(1);
  for (const Packing p : packings_3d) {
    const bool same = sample_inside(ball, p, 0.2, 1, 3) == sample_inside(ball, p, 0.2, 2, 3);
    CHECK(same == (p == Packing::closest || p == Packing::cubic));
  }
}

TEST_CASE("a_poisson_sample_has_no_room_for_another_point") {
  const Real s = 0.1;
  for (const int dimensions : {2, 3}) {
    const Shape shape = unite(shape_sphere(0.5), shape_box({1.4, 0.3, 0.3}));
    const Cells cells(sample_inside(shape, Packing::poisson, s, 3, dimensions), 2 * s);
    test::Draw draw(5);
    for (int k = 0; k < 20000; ++k) {
      Vec3 p = draw.vector(-0.7, 0.7);
      if (dimensions == 2) p[2] = 0;
      // Gaps below a sixteenth of a cell are left: about 4 % of the spacing.
      if (inside(shape, p)) REQUIRE(cells.nearest(p) < Real(1.04) * s);
    }
  }
}

TEST_CASE("the_estimate_is_within_a_tenth_of_the_count") {
  const std::vector<Shape> shapes = {
      shape_sphere(0.5), shape_box({1, 0.1, 0.4}), model_bunny(1), shape_torus(1, 0.1),
      transformed(shape_capsule(0.02, 2), {rotation_degrees({30, 0, 40}), {0, 0, 0}})};
  for (const Shape& shape : shapes)
    for (const Packing p : packings_3d)
      for (const Real spacing : {Real(0.06), Real(0.03)}) {
        const double count = sample_inside(shape, p, spacing, 1, 3).size();
        const double estimate = estimate_count(shape, p, spacing, 3);
        // A random packing strays by the root of its number.
        REQUIRE(std::abs(estimate - count) < 0.1 * count + 3 * std::sqrt(count));
      }
  for (const Packing p : packings_2d) {
    const double count = sample_inside(model_bunny(1), p, 0.01, 1, 2).size();
    CHECK(estimate_count(model_bunny(1), p, 0.01, 2) == Approx(count).epsilon(0.1));
  }
}

TEST_CASE("a_mistyped_spacing_is_estimated_at_once_and_refused_before_allocation") {
  CHECK(double(estimate_count(shape_sphere(1), Packing::cubic, 1e-6, 3)) ==
        Approx(4.0 / 3 * M_PI * 1e18).epsilon(0.02));
  for (const Packing p : packings_3d)
    CHECK_THROWS_AS(sample_inside(shape_sphere(1), p, 1e-6, 1, 3), InputError);
  CHECK_THROWS_AS(sample_inside(shape_sphere(1), Packing::cubic, 0, 1, 3), InputError);
  CHECK_THROWS_AS(sample_inside(shape_sphere(1), Packing::cubic, NAN, 1, 3), InputError);
  CHECK_THROWS_WITH_AS(sample_inside(shape_plane({0, 0, 0}, {0, 1, 0}), Packing::cubic, 1, 1, 3),
                       doctest::Contains("intersect it with a box"), InputError);
}

TEST_CASE("volumes_of_shapes_are_those_of_school") {
  CHECK(volume(shape_sphere(0.5)) == Approx(M_PI / 6).epsilon(0.005));
  CHECK(volume(shape_torus(1, 0.1)) == Approx(2 * M_PI * M_PI * 0.01).epsilon(0.01));
  CHECK(volume(shape_box({1, 2, 3})) == Approx(6).epsilon(0.001));
  CHECK(volume(shape_sphere(0.5), 2) == Approx(M_PI / 4).epsilon(0.002));
  CHECK(volume(shape_sphere(0.5), 3, 0.1) == Approx(M_PI / 6 * 1.728).epsilon(0.005));
}

TEST_CASE("surface_samples_lie_on_the_surface_spread_evenly_with_outward_normals") {
  const Real s = 0.1;
  const Shape ball = shape_sphere(1);
  const SurfaceSamples samples = sample_surface(ball, s, 1);
  for (std::size_t k = 0; k < samples.points.size(); ++k) {
    REQUIRE(std::abs(length(samples.points[k]) - 1) < 1e-3 * s + 1e-6);
    REQUIRE(dot(samples.normals[k], samples.points[k]) > 0.999);
  }
  CHECK(smallest_gap(samples.points, s) >= s);
  const Cells cells(samples.points, 2 * s);
  test::Draw draw(6);
  for (int k = 0; k < 3000; ++k)
    REQUIRE(cells.nearest(normalized(draw.vector(-1, 1))) < Real(1.25) * s);
}
