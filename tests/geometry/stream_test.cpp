#include "phyxel/geometry/stream.h"

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

/// How many points lie as near to `p` as neighbours do; nobody may be nearer.
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

}  // namespace phyxel
