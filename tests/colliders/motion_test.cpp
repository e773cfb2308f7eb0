#include "phyxel/colliders/motion.h"

#include <doctest/doctest.h>
#include <string>

#include "phyxel/core/error.h"

using namespace phyxel;

namespace {

// One rounding of the pose (values of about 2) over the time step of a central difference, and the
// third derivative of the paths below times the step squared.
constexpr double step = sizeof(Real) == 4 ? 1e-2 : 1e-5;
constexpr double rate_tolerance = sizeof(Real) == 4 ? 2e-2 : 1e-6;

Motion path(Interpolation interpolation) {
  Motion motion;
  motion.times = {0.5, 1.0, 2.0, 4.0};
  motion.positions = {{0, 0, 0}, {Real(0.2), Real(0.4), 0}, {1, Real(0.3), Real(-0.5)}, {1, 0, 0}};
  motion.rotations = {{0, 0, 0}, {20, -10, 5}, {60, 30, -40}, {60, 90, 0}};
  motion.pivot = {Real(0.3), Real(-0.2), Real(0.1)};
  motion.interpolation = interpolation;
  return motion;
}

Vec3 pivot_at(const Motion& motion, double time) {
  return apply(pose_at(motion, time).transform, cast<Real>(motion.pivot));
}

/// Velocity of the material point that starts at p, from two poses.
Vec3 measured_velocity(const Motion& motion, double time, const Vec3& p) {
  const Vec3 after = apply(pose_at(motion, time + step).transform, p);
  const Vec3 before = apply(pose_at(motion, time - step).transform, p);
  return (after - before) / static_cast<Real>(2 * step);
}

Vec3 stated_velocity(const Motion& motion, double time, const Vec3& p) {
  const Pose pose = pose_at(motion, time);
  const Vec3 arm = apply(pose.transform, p) - pivot_at(motion, time);
  return pose.velocity + cross(pose.angular_velocity, arm);
}

bool is_at_rest(const Pose& pose) {
  return pose.velocity == Vec3::zero() && pose.angular_velocity == Vec3::zero();
}

}  // namespace

TEST_CASE("a_motion_without_keys_is_the_identity_at_rest") {
  const Pose pose = pose_at({}, 3.0);
  CHECK(apply(pose.transform, {1, 2, 3}) == Vec3{1, 2, 3});
  CHECK(is_at_rest(pose));
}

TEST_CASE("the_stated_velocity_is_the_derivative_of_the_pose") {
  for (const auto interpolation :
       {Interpolation::linear, Interpolation::smooth, Interpolation::step})
    for (const double time : {0.6, 0.75, 0.9, 1.2, 1.5, 1.8, 2.5, 3.0, 3.7})
      for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, 1}}) {
        const Motion motion = path(interpolation);
        CAPTURE(static_cast<int>(interpolation));
        CAPTURE(time);
        CHECK(length(stated_velocity(motion, time, p) - measured_velocity(motion, time, p)) <
              rate_tolerance);
      }
}

TEST_CASE("every_interpolation_meets_its_keys") {
  for (const auto interpolation :
       {Interpolation::linear, Interpolation::smooth, Interpolation::step}) {
    const Motion motion = path(interpolation);
    for (std::size_t k = 0; k < motion.times.size(); ++k) {
      const Vec3 moved = pivot_at(motion, motion.times[k]) - cast<Real>(motion.pivot);
      // Three roundings of coordinates of about 1.
      CHECK(length(moved - motion.positions[k]) < 8 * std::numeric_limits<Real>::epsilon());
    }
  }
}

TEST_CASE("before_the_first_and_after_the_last_key_the_pose_is_held_at_rest") {
  for (const auto interpolation :
       {Interpolation::linear, Interpolation::smooth, Interpolation::step}) {
    const Motion motion = path(interpolation);
    for (const double time : {-1.0, 0.4999, 4.0, 100.0}) CHECK(is_at_rest(pose_at(motion, time)));
    CHECK(pivot_at(motion, -1) == pivot_at(motion, 0.5));
    CHECK(pivot_at(motion, 9) == pivot_at(motion, 4.0));
  }
}

TEST_CASE("a_smooth_motion_has_no_jump_of_velocity_at_any_key") {
  const Motion motion = path(Interpolation::smooth);
  const double moment = 1e-6;  // accelerations are below 10 / s^2
  for (const double key : motion.times) {
    const Pose before = pose_at(motion, key - moment), after = pose_at(motion, key + moment);
    CHECK(length(after.velocity - before.velocity) < 1e-4);
    CHECK(length(after.angular_velocity - before.angular_velocity) < 1e-4);
  }
}

TEST_CASE("a_smooth_motion_stays_between_its_keys") {
  Motion motion;
  motion.times = {0, 1, 2, 3};
  motion.positions = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
  motion.interpolation = Interpolation::smooth;
  for (double time = 0; time <= 3; time += 0.01) {
    const Real x = pose_at(motion, time).transform.translation[0];
    CHECK(x >= 0);
    CHECK(x <= 1);
  }
  CHECK(pose_at(motion, 0.5).velocity == Vec3::zero());
  CHECK(pose_at(motion, 1.5).velocity[0] > 1);
}

TEST_CASE("a_step_motion_jumps_at_its_keys") {
  const Motion motion = path(Interpolation::step);
  CHECK(pivot_at(motion, 1.999) == pivot_at(motion, 1.0));
  CHECK_FALSE(pivot_at(motion, 2.0) == pivot_at(motion, 1.999));
}

TEST_CASE("angles_from_0_to_720_turn_twice") {
  Motion motion;
  motion.times = {0, 2};
  motion.rotations = {{0, 0, 0}, {0, 720, 0}};
  const Vec3 quarter = apply(pose_at(motion, 0.25).transform, {1, 0, 0});
  const Vec3 half = apply(pose_at(motion, 1.5).transform, {1, 0, 0});
  CHECK(length(quarter - Vec3{0, 0, -1}) < 1e-6);  // rounding of a unit vector
  CHECK(length(half - Vec3{-1, 0, 0}) < 1e-6);
  CHECK(pose_at(motion, 0.3).angular_velocity[1] == doctest::Approx(2 * M_PI).epsilon(1e-6));
}

TEST_CASE("rotation_leaves_the_pivot_where_it_is") {
  Motion motion;
  motion.times = {0, 1};
  motion.rotations = {{0, 0, 0}, {100, 200, 300}};
  motion.pivot = {3, -2, 1};
  for (const double time : {0.0, 0.3, 0.9})
    CHECK(length(pivot_at(motion, time) - cast<Real>(motion.pivot)) <
          2e-6);  // rounding of coordinates of 3
}

TEST_CASE("a_motion_with_a_missing_position_is_refused") {
  Motion motion;
  motion.times = {0, 1, 2};
  motion.positions = {{0, 0, 0}, {1, 0, 0}};
  CHECK_THROWS_AS(pose_at(motion, 0.5), Error);
}
