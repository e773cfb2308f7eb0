#include "phyxel/methods/pbd/constraints/triangle.h"

#include <doctest/doctest.h>

#include "methods/pbd/kinds.h"
#include "phyxel/methods/pbd/constraints/isometric_bend.h"
#include "phyxel/methods/pbd/constraints/long_range.h"
#include "phyxel/methods/pbd/constraints/plastic.h"

using namespace phyxel;
using namespace phyxel::pbd;
using namespace phyxel::pbd::test;

namespace {

constexpr Points<TriangleArea> triangle = {Vec3d{0, 0, 0}, Vec3d{0.9, 0.1, 0.2},
                                           Vec3d{0.2, 1.1, -0.3}};
constexpr Points<TriangleArea> strained = {Vec3d{0.1, 0, -0.1}, Vec3d{1.2, 0.1, 0.3},
                                           Vec3d{0.1, 0.9, -0.5}};
constexpr Points<IsometricBend> flat = {Vec3d{-0.7, 0.4, 0}, Vec3d{0.9, 0.7, 0}, Vec3d{0, 0, 0},
                                        Vec3d{0, 1, 0}};
constexpr Points<IsometricBend> bent = {Vec3d{-0.7, 0.4, 0.3}, Vec3d{0.9, 0.7, 0.2},
                                        Vec3d{0, 0.1, 0}, Vec3d{0.1, 1, -0.1}};

template <std::size_t N>
struct Raw {
  Vec3d x[N];
};
template <std::size_t N>
Raw<N> raw(const std::array<Vec3d, N>& points) {
  Raw<N> r;
  for (std::size_t k = 0; k < N; ++k) r.x[k] = points[k];
  return r;
}

Vec<double, 4> rest_of(const Points<TriangleArea>& points) {
  return triangle_rest(raw(points).x, Vec3d{1, 0, 0});
}
Vec<double, 2> stretch_of(const Vec<double, 4>& rest) {
  return {rest[0], rest[1]};
}

}  // namespace

TEST_CASE("an_area_has_its_gradients_and_closes") {
  const Vec<double, 1> rest = {length(cross(triangle[1], triangle[2])) / 2};
  check_kind<TriangleArea>(strained, rest);
  check_rest<TriangleArea>(triangle, rest);
  check_projection<TriangleArea>(strained, rest);
}

TEST_CASE("stretch_and_shear_of_a_triangle_have_their_gradients_and_close") {
  const Vec<double, 4> rest = rest_of(triangle);
  check_kind<TriangleStretch>(strained, stretch_of(rest));
  check_rest<TriangleStretch>(triangle, stretch_of(rest));
  check_projection<TriangleStretch>(strained, stretch_of(rest));
  check_kind<TriangleShear>(strained, rest);
  check_rest<TriangleShear>(triangle, rest);
  check_projection<TriangleShear>(strained, rest);
}

TEST_CASE("the_strain_of_a_triangle_is_that_of_the_plane_it_lies_in") {
  // F stretches x by 1.3 and y by 0.9, and shears x towards y by 0.2.
  Points<TriangleArea> flat_triangle = {Vec3d{0.2, 0.1, 0}, Vec3d{1.2, 0.3, 0}, Vec3d{0.4, 0.9, 0}};
  const Vec<double, 4> rest = rest_of(flat_triangle);
  for (Vec3d& p : flat_triangle) p = Vec3d{1.3 * p[0] + 0.2 * p[1], 0.9 * p[1], 0};
  CHECK(slope_at<TriangleStretch>(flat_triangle, stretch_of(rest)).value ==
        doctest::Approx(0.3).epsilon(1e-12));
  CHECK(slope_at<TriangleStretch>(flat_triangle, {rest[2], rest[3]}).value ==
        doctest::Approx(std::hypot(0.2, 0.9) - 1).epsilon(1e-12));
  CHECK(slope_at<TriangleShear>(flat_triangle, rest).value ==
        doctest::Approx(1.3 * 0.2).epsilon(1e-12));
}

TEST_CASE("isometric_bending_has_its_gradients_and_closes") {
  const Vec<double, 4> rest = isometric_bend_rest(raw(flat).x);
  CHECK(std::abs(rest[3]) < 1e-14);
  check_kind<IsometricBend>(bent, rest, 10);
  check_rest<IsometricBend>(flat, rest);
  check_projection<IsometricBend>(bent, rest);
}

TEST_CASE("isometric_bending_is_the_angle_times_the_edge_for_small_angles") {
  const Vec<double, 4> rest = isometric_bend_rest(raw(flat).x);
  const double angle = 1e-3;
  Points<IsometricBend> folded = flat;
  // x_1 turns about the edge, which lies along y.
  folded[1] = {0.9 * std::cos(angle), 0.7, 0.9 * std::sin(angle)};
  CHECK(slope_at<IsometricBend>(folded, rest).value == doctest::Approx(angle).epsilon(1e-5));
}

TEST_CASE("a_stretched_flat_pair_does_not_bend") {
  const Vec<double, 4> rest = isometric_bend_rest(raw(flat).x);
  Points<IsometricBend> wide = flat;
  for (Vec3d& p : wide) p = {1.4 * p[0] + 0.3 * p[1], 0.8 * p[1], 0.1 * p[0]};
  CHECK(std::abs(slope_at<IsometricBend>(wide, rest).value) < 1e-14);
}

TEST_CASE("a_long_range_attachment_holds_beyond_its_length_and_nowhere_else") {
  const Points<LongRange> near = {Vec3d{0.3, 0.2, -0.1}, Vec3d{0, 0, 0}};
  check_kind<LongRange>(near, {0.2});
  check_projection<LongRange>(near, {0.2});
  const auto slack = slope_at<LongRange>(near, {0.5});
  CHECK(slack.value == 0);
  CHECK(slack.gradient[0] == Vec3d::zero());
  double lambda = 0;
  const double w[2] = {1, 0};
  Vec3d x[2] = {near[0], near[1]};
  project<LongRange>({0.5}, w, 0.0, lambda, x);
  CHECK(x[0] == near[0]);
}

TEST_CASE("rest_values_yield_creep_and_end_at_their_limit") {
  const double yield = 0.1, limit = 0.5, unit = 2, first = 2;
  const auto flow = [&](double rest, double now, double share) {
    return plastic_rest(rest, now, first, unit, yield, share, limit);
  };
  // Below the yield strain nothing is permanent, in both directions.
  CHECK(flow(2, 2.19, 1) == 2);
  CHECK(flow(2, 1.81, 1) == 2);
  // All of what is beyond it in the long run, and a share of it in a step.
  CHECK(flow(2, 2.6, 1) == doctest::Approx(2.4));
  CHECK(flow(2, 2.6, 0.25) == doctest::Approx(2.1));
  CHECK(flow(2, 1.4, 1) == doctest::Approx(1.6));
  CHECK(flow(2, 9, 1) == doctest::Approx(3));
  CHECK(flow(2, 0.1, 1) == doctest::Approx(1));
}

TEST_CASE("creep_does_not_depend_on_the_step") {
  double once = 1, often = 1;
  const auto flow = [](double rest, double share) {
    return plastic_rest(rest, 1.5, 1.0, 1.0, 0.1, share, 1.0);
  };
  once = flow(once, double(creep_share(3, Real(0.2))));
  for (int k = 0; k < 10; ++k) often = flow(often, double(creep_share(3, Real(0.02))));
  CHECK(once == doctest::Approx(1 + 0.4 * (1 - std::exp(-0.6))).epsilon(1e-6));
  CHECK(often == doctest::Approx(once).epsilon(1e-6));
}
