#include "phyxel/render/camera.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "phyxel/core/error.h"
#include "phyxel/core/random.h"

using namespace phyxel;
using namespace phyxel::render;

namespace {

constexpr Real aspect = Real(16) / 9;

struct Extent {
  Real x = 0, y = 0;  // largest distance from the middle of the picture, 1 is the edge
};

Extent extent_of(const Camera& camera, const Bounds& b) {
  Extent e;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1 ? b.max : b.min)[0], (corner & 2 ? b.max : b.min)[1],
                 (corner & 4 ? b.max : b.min)[2]};
    const Vec2 q = project(camera, aspect, p);
    e.x = std::max(e.x, std::abs(q[0]));
    e.y = std::max(e.y, std::abs(q[1]));
  }
  return e;
}

/// Boxes of all proportions, sizes from 1 mm to 1 km, near and far from the origin.
Bounds random_box(const Random& random, int k) {
  const Vec3 u = random.uniform3(k, 0), v = random.uniform3(k, 1);
  const Real scale = std::pow(Real(10), 6 * random.uniform(k, 2) - 3);
  const Vec3 size = (u + Vec3::filled(Real(0.05))) * scale;
  const Vec3 centre = (v - Vec3::filled(Real(0.5))) * (20 * scale);
  return {centre - size * Real(0.5), centre + size * Real(0.5)};
}

}  // namespace

TEST_CASE("a_framed_box_lies_in_the_picture_and_touches_its_margin") {
  const Random random{7, 1};
  for (int k = 0; k < 200; ++k) {
    const Bounds box = random_box(random, k);
    Vec3 direction = random.uniform3(k, 3) * Real(2) - Vec3::filled(1);
    const Real fov = 10 + 60 * random.uniform(k, 4);
    const Extent e = extent_of(frame_bounds(box, direction, fov, aspect), box);
    CAPTURE(k);
    CHECK(e.x <= 1);
    CHECK(e.y <= 1);
    // 6 % stay free at the tightest edge; centres at 20 sizes cost five digits of float.
    CHECK(std::max(e.x, e.y) == doctest::Approx(0.94).epsilon(0.01));
  }
}

TEST_CASE("a_flat_scene_is_seen_straight_from_the_front") {
  const Bounds box{{-1, 0, 0}, {3, 1, 0}};
  const Camera camera = frame_bounds(box, {1, 1, 1}, 30, aspect, true);
  CHECK(camera.orthographic_height > 0);
  const CameraFrame f = frame_of(camera);
  CHECK(f.forward == Vec3{0, 0, -1});
  const Extent e = extent_of(camera, box);
  CHECK(e.x == doctest::Approx(0.94).epsilon(1e-3));
  CHECK(e.y < e.x);
}

TEST_CASE("a_camera_looks_at_its_target_with_up_upwards") {
  const Camera camera{{1, 2, 3}, {-1, 0.5, 0}, {0, 1, 0}, 40, 0};
  const Vec2 middle = project(camera, aspect, camera.target);
  CHECK(middle[0] == doctest::Approx(0).epsilon(1e-5));
  CHECK(middle[1] == doctest::Approx(0).epsilon(1e-5));
  CHECK(project(camera, aspect, camera.target + Vec3{0, Real(0.1), 0})[1] > 0);
  const CameraFrame f = frame_of(camera);
  CHECK(dot(f.right, f.forward) == doctest::Approx(0).epsilon(1e-5));
  CHECK(length(cross(f.right, f.forward) - f.up) == doctest::Approx(0).epsilon(1e-5));
}

TEST_CASE("looking_straight_down_is_possible") {
  const Bounds box{{-1, -1, -1}, {1, 1, 1}};
  const Extent e = extent_of(frame_bounds(box, {0, 1, 0}), box);
  CHECK(std::max(e.x, e.y) == doctest::Approx(0.94).epsilon(0.01));
}

TEST_CASE("points_and_nothing_can_be_framed") {
  const Bounds point{{2, 3, 4}, {2, 3, 4}};
  const Camera camera = frame_bounds(point);
  CHECK(is_finite(camera.position));
  CHECK(length(camera.position - camera.target) > 0);
  CHECK(is_finite(frame_bounds(Bounds{}).position));
}

TEST_CASE("a_camera_refuses_what_it_cannot_show") {
  const Bounds box{{-1, -1, -1}, {1, 1, 1}};
  CHECK_THROWS_AS(frame_bounds(box, {0, 0, 1}, 180), InputError);
  CHECK_THROWS_AS(frame_bounds(box, {0, 0, 1}, -5), InputError);
  const Bounds endless{{-1, -1, -1}, {1, std::numeric_limits<Real>::infinity(), 1}};
  CHECK_THROWS_AS(frame_bounds(endless), InputError);
}
