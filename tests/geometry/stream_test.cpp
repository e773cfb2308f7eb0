#include "phyxel/geometry/stream.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

namespace phyxel {
namespace {

Shape ball_at(const Vec3& centre, Real radius) {
  return transformed(shape_sphere(radius), {Mat3::identity(), centre});
}

Shape disc(Real radius) {
  return shape_cylinder(radius, 1);
}

/// Six layers as they lie behind each other.
std::vector<Vec3> piece(const Stream& s) {
  std::vector<Vec3> points;
  for (int k = 0; k < 6; ++k)
    for (const Vec3& p : s.layers[k % 2]) points.push_back(p - s.direction * (s.thickness * k));
  return points;
}

/// How many points lie one spacing from `p`; none may be nearer.
int neighbours(const std::vector<Vec3>& points, const Vec3& p, Real spacing) {
  int count = 0;
  for (const Vec3& q : points) {
    const Real r = length(p - q);
    CHECK((r == 0 || r > Real(0.999) * spacing));
    if (r > 0 && r < Real(1.001) * spacing) ++count;
  }
  return count;
}

int most_neighbours(const std::vector<Vec3>& points, Real spacing) {
  int most = 0;
  for (const Vec3& p : points) most = std::max(most, neighbours(points, p, spacing));
  return most;
}

}  // namespace

TEST_CASE("layers_of_a_stream_follow_each_other_as_in_the_packing") {
  const Real d = Real(0.1);
  const Vec3 aslant{1, -2, Real(0.5)};
  CHECK(most_neighbours(piece(make_stream(disc(Real(0.35)), {0, -1, 0}, Packing::closest, d, 3)),
                        d) == 12);
  const Shape ball = ball_at({1, 2, 3}, Real(0.35));
  CHECK(most_neighbours(piece(make_stream(ball, aslant, Packing::closest, d, 3)), d) == 12);
  CHECK(most_neighbours(piece(make_stream(ball, aslant, Packing::cubic, d, 3)), d) == 6);
  const Shape flat = ball_at({1, 2, 0}, Real(0.35));
  CHECK(most_neighbours(piece(make_stream(flat, {1, -1, 0}, Packing::hexagonal, d, 2)), d) == 6);
}

TEST_CASE("the_mouth_is_the_cut_across_the_middle") {
  const Vec3 centre{1, 2, 3}, direction = normalized(Vec3{1, -2, Real(0.5)});
  const Stream s =
      make_stream(ball_at(centre, Real(0.5)), direction, Packing::closest, Real(0.02), 3);
  for (const auto& layer : s.layers)
    for (const Vec3& p : layer) {
      CHECK(std::abs(dot(p - centre, direction)) < Real(1e-5));
      CHECK(length(p - centre) < Real(0.5));
    }
  // A lattice of 25 points across gives the area of a disc within a few percent.
  CHECK(s.area == doctest::Approx(M_PI * 0.25).epsilon(0.03));
  CHECK(length(s.direction) == doctest::Approx(1));
  const Stream line =
      make_stream(ball_at({0, 0, 0}, Real(0.5)), {0, -1, 0}, Packing::hexagonal, Real(0.01), 2);
  CHECK(line.area == doctest::Approx(1.0).epsilon(0.03));
}

TEST_CASE("a_mouth_too_narrow_for_the_spacing_has_an_empty_stream") {
  CHECK(make_stream(disc(Real(0.01)), {0, -1, 0}, Packing::closest, Real(0.1), 3).empty());
  CHECK(!make_stream(disc(Real(0.01)), {0, -1, 0}, Packing::cubic, Real(0.1), 3).empty());
}

TEST_CASE("a_stream_without_order_keeps_its_distances_and_has_no_layers") {
  const Real d = Real(0.1);
  for (const int dimensions : {2, 3}) {
    CAPTURE(dimensions);
    const Shape ball = ball_at({1, 2, 0}, Real(0.45));
    const Vec3 direction = dimensions == 2 ? Vec3{1, -1, 0} : normalized(Vec3{1, -2, Real(0.5)});
    const Stream s = make_stream(ball, direction, Packing::poisson, d, dimensions, 7);
    REQUIRE(!s.empty());
    // Once around and a little more: the end fits the beginning.
    std::vector<Vec3> points;
    std::vector<Real> along;
    const int layers = static_cast<int>(s.layers.size());
    for (int k = 0; k < layers + 16; ++k)
      for (const Vec3& p : s.layer(k)) {
        CHECK(std::abs(dot(p - s.mouth, s.direction)) <= Real(0.5001) * s.thickness);
        points.push_back(p - s.direction * (s.thickness * Real(k)));
        along.push_back(dot(points.back() - s.mouth, s.direction));
      }
    Real nearest = 1;
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        nearest = std::min(nearest, length(points[i] - points[j]));
    CHECK(nearest > Real(0.999) * d);
    // No gap between layers: points lie everywhere along the stream.
    std::sort(along.begin(), along.end());
    Real gap = 0;
    for (std::size_t i = 1; i < along.size(); ++i) gap = std::max(gap, along[i] - along[i - 1]);
    CHECK(gap < (dimensions == 2 ? Real(0.8) : Real(0.25)) * d);
    const double area = dimensions == 2 ? 0.9 : M_PI * 0.45 * 0.45;
    CHECK(s.area == doctest::Approx(area).epsilon(0.15));  // darts leave some room, borders too
    CHECK(make_stream(ball, direction, Packing::poisson, d, dimensions, 7).layers == s.layers);
    CHECK(make_stream(ball, direction, Packing::poisson, d, dimensions, 8).layers != s.layers);
  }
}

}  // namespace phyxel
