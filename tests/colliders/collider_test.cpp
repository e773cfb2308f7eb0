#include "phyxel/colliders/collider.h"

#include <doctest/doctest.h>

using namespace phyxel;

namespace {

constexpr Real rounding = 20 * std::numeric_limits<Real>::epsilon();

Collider moving_sphere() {
  Collider ball;
  ball.shape = shape_sphere(Real(0.5));
  ball.motion.times = {0, 2};
  ball.motion.positions = {{0, 0, 0}, {4, 0, 0}};
  return ball;
}

}  // namespace

TEST_CASE("the_surface_of_a_rotating_disk_moves_with_omega_cross_r") {
  Collider disk;
  disk.shape = transformed(shape_cylinder(1, Real(0.2)), {Mat3::identity(), {2, 0, 0}});
  disk.motion.times = {0, 10};
  disk.motion.rotations = {{0, 0, 0}, {0, 3600, 0}};  // 2 pi rad/s about y
  disk.motion.pivot = {2, 0, 0};
  const Vec3 omega{0, static_cast<Real>(2 * M_PI), 0};
  for (const double time : {0.0, 0.123, 7.7}) {
    move_to(disk, time);
    for (const Vec3& arm : {Vec3{Real(0.5), Real(0.1), 0}, Vec3{0, Real(-0.1), Real(-0.8)},
                            Vec3{Real(0.6), Real(0.05), Real(0.8)}}) {
      const Contact contact = contact_at(disk, cast<Real>(disk.motion.pivot) + arm);
      CHECK(std::abs(contact.distance) < rounding);
      CHECK(length(contact.velocity - cross(omega, arm)) < 10 * rounding);  // speeds of 2 pi
    }
  }
}

TEST_CASE("the_velocity_is_that_of_the_nearest_surface_point") {
  Collider wheel;
  wheel.shape = shape_sphere(1);
  wheel.motion.times = {0, 1};
  wheel.motion.rotations = {{0, 0, 0}, {0, 0, 180}};
  move_to(wheel, 0.25);
  const Contact near = contact_at(wheel, {1, 0, 0}), far = contact_at(wheel, {3, 0, 0});
  CHECK(length(near.velocity - far.velocity) < rounding);
  CHECK(near.velocity[1] == doctest::Approx(M_PI).epsilon(1e-6));
}

TEST_CASE("the_distance_to_a_moving_sphere_follows_it") {
  Collider ball = moving_sphere();
  for (const double time : {0.0, 0.5, 1.25}) {
    move_to(ball, time);
    const Contact contact = contact_at(ball, {5, 0, 0});
    CHECK(std::abs(contact.distance - static_cast<Real>(4.5 - 2 * time)) < rounding);
    CHECK(length(contact.normal - Vec3{1, 0, 0}) < rounding);
    CHECK(length(contact.velocity - Vec3{2, 0, 0}) < rounding);
  }
}

TEST_CASE("a_collider_outside_its_keys_is_at_rest") {
  Collider ball = moving_sphere();
  for (const double time : {-1.0, 2.0, 50.0}) {
    move_to(ball, time);
    CHECK(contact_at(ball, {5, 1, 0}).velocity == Vec3::zero());
  }
  CHECK(std::abs(contact_at(ball, {5, 0, 0}).distance - Real(0.5)) < rounding);
}

TEST_CASE("normals_turn_with_the_collider") {
  Collider ramp;
  ramp.shape = shape_plane({0, 0, 0}, {0, 1, 0});
  ramp.motion.times = {0};
  ramp.motion.rotations = {{0, 0, 90}};
  move_to(ramp, 0);
  const Contact contact = contact_at(ramp, {-2, 5, 1});
  CHECK(length(contact.normal - Vec3{-1, 0, 0}) < rounding);
  CHECK(std::abs(contact.distance - 2) < rounding);
}

TEST_CASE("a_collider_without_motion_needs_no_move") {
  Collider ground;
  ground.shape = shape_plane({0, 0, 0}, {0, 1, 0});
  const Contact contact = contact_at(ground, {1, Real(-0.25), 1});
  CHECK(contact.distance == Real(-0.25));
  CHECK(contact.velocity == Vec3::zero());
}
