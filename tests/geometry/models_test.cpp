#include "phyxel/geometry/models.h"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <map>

#include "geometry/sample_surface.h"
#include "phyxel/geometry/sampling.h"

using namespace phyxel;
using doctest::Approx;

namespace {

/// Numbers of points in the connected parts of a cubic sample, largest first.
std::vector<int> parts(const std::vector<Vec3>& points, Real spacing) {
  std::map<std::array<int, 3>, int> todo;
  for (const Vec3& p : points)
    todo[{int(std::lround(p[0] / spacing * 2)), int(std::lround(p[1] / spacing * 2)),
          int(std::lround(p[2] / spacing * 2))}] = 1;
  std::vector<int> sizes;
  while (!todo.empty()) {
    std::vector<std::array<int, 3>> front = {todo.begin()->first};
    todo.erase(todo.begin());
    int size = 0;
    while (!front.empty()) {
      const auto c = front.back();
      front.pop_back();
      ++size;
      for (int k = 0; k < 6; ++k) {
        auto d = c;
        d[k / 2] += k % 2 ? 2 : -2;
        if (todo.erase(d)) front.push_back(d);
      }
    }
    sizes.push_back(size);
  }
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

Bounds surface_bounds(const Shape& shape, Real spacing) {
  Bounds b;
  for (const Vec3& p : sample_surface(shape, spacing, 1).points) b.include(p);
  return b;
}

}  // namespace

TEST_CASE("models_fill_their_size_about_the_origin") {
  const Real size = 0.4;
  for (const Shape& model : {model_bunny(size), model_bust(size), model_die(size)}) {
    const Bounds b = surface_bounds(model, size / 25);
    // Points of the surface a 25th of the size apart miss a tip by less than that.
    CHECK(b.min[1] == Approx(-size / 2).epsilon(0.06));
    CHECK(b.max[1] == Approx(size / 2).epsilon(0.06));
    CHECK(bounds_of(model).size()[1] == Approx(size).epsilon(0.02));
    CHECK(std::abs(b.centre()[0]) < 0.02 * size);
  }
}

TEST_CASE("models_are_one_piece_without_loose_parts") {
  for (const Shape& model : {model_bunny(1), model_bust(1), model_die(1)}) {
    const std::vector<Vec3> points = sample_inside(model, Packing::cubic, 0.02, 1, 3);
    CHECK(points.size() > 5000);
    CHECK(parts(points, 0.02).size() == 1);
  }
}

TEST_CASE("models_scale_with_their_size") {
  for (const auto& model : {model_bunny, model_bust, model_die})
    CHECK(volume(model(2)) == Approx(8 * volume(model(1))).epsilon(0.01));
}

TEST_CASE("bunny_and_bust_are_the_same_on_the_left_and_on_the_right") {
  for (const Shape& model : {model_bunny(1), model_bust(1)})
    for (const Vec3& p : sample_inside(shape_box({0.8, 1, 0.8}), Packing::random, 0.05, 1, 3)) {
      const Vec3 q = {-p[0], p[1], p[2]};
      REQUIRE(std::abs(signed_distance(model, p).distance - signed_distance(model, q).distance) <
              1e-5);
    }
}

TEST_CASE("the_bunny_has_two_ears_and_stands_on_flat_feet") {
  const Shape bunny = model_bunny(1);
  const Shape ears = intersect(bunny, shape_plane({0, 0.27, 0}, {0, -1, 0}));
  CHECK(parts(sample_inside(ears, Packing::cubic, 0.01, 1, 3), 0.01).size() == 2);
  const Shape soles = intersect(bunny, shape_plane({0, -0.49, 0}, {0, 1, 0}));
  CHECK(volume(soles) > 0.01 * 0.01);  // more than a hundredth of a square metre at size 1
}

TEST_CASE("opposite_faces_of_the_die_sum_to_seven") {
  const Shape die = model_die(1);
  const auto count_pips = [&](int axis, Real side) {
    // A slice just under the face: the pips are the holes in it.
    int pips = 0;
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b) {
        Vec3 p = Vec3::zero();
        p[axis] = side * Real(0.48);
        p[(axis + 1) % 3] = a * Real(0.24);
        p[(axis + 2) % 3] = b * Real(0.24);
        pips += !inside(die, p);
      }
    return pips;
  };
  CHECK(count_pips(1, 1) == 1);
  CHECK(count_pips(2, 1) == 2);
  CHECK(count_pips(0, 1) == 3);
  for (int axis = 0; axis < 3; ++axis) CHECK(count_pips(axis, 1) + count_pips(axis, -1) == 7);
}
