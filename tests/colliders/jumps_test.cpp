#include "phyxel/colliders/jumps.h"

#include <doctest/doctest.h>

#include "phyxel/colliders/collider.h"
#include "phyxel/colliders/packed_colliders.h"

namespace phyxel {
namespace {

constexpr JumpLimits limits{Real(0.1), 1e-3, Real(1)};  // a spacing, a step, a speed

Motion along_x(std::vector<double> times, std::vector<Real> xs, Interpolation interpolation) {
  Motion motion;
  motion.times = times;
  for (const Real x : xs) motion.positions.push_back({x, 0, 0});
  motion.interpolation = interpolation;
  return motion;
}

const Bounds unit_cube{{Real(-0.5), Real(-0.5), Real(-0.5)}, {Real(0.5), Real(0.5), Real(0.5)}};

}  // namespace

TEST_CASE("keys_that_are_not_joined_are_jumps_where_they_are_a_spacing_apart") {
  const Motion motion = along_x({0, 1, 2}, {0, Real(0.05), Real(0.4)}, Interpolation::step);
  const std::vector<Jump> jumps = find_jumps(motion, unit_cube, limits);
  REQUIRE(jumps.size() == 1);
  CHECK(jumps[0].from == 2);
  CHECK(jumps[0].to == 2);
  CHECK(jumps[0].distance == doctest::Approx(0.35));
  // By what it has moved, and the distance that particles keep.
  CHECK(jumps[0].depth == doctest::Approx(0.35 + 0.15));
}

TEST_CASE("a_motion_is_a_jump_where_it_passes_twenty_spacings_in_a_step_or_ends_within_one") {
  CHECK(find_jumps(along_x({0, 0.01}, {0, 10}, Interpolation::linear), unit_cube, limits).empty());
  CHECK(find_jumps(along_x({0, 9e-4}, {0, Real(0.2)}, Interpolation::linear), unit_cube, limits)
            .size() == 1);
  const auto jumps =
      find_jumps(along_x({0, 4e-3}, {0, 10}, Interpolation::smooth), unit_cube, limits);
  REQUIRE(jumps.size() == 1);
  CHECK(jumps[0].to == doctest::Approx(4e-3));
  // Nothing is deeper in a cube than half of it.
  CHECK(jumps[0].depth == doctest::Approx(0.5 + 0.15));
}

TEST_CASE("a_steady_motion_is_no_jump_however_near_its_keys_are") {
  // 150 m/s: one and a half spacings in a step.
  std::vector<double> times;
  std::vector<Real> xs;
  for (int k = 0; k <= 40; ++k) {
    times.push_back(8e-4 * k);
    xs.push_back(Real(0.12) * Real(k));
  }
  CHECK(find_jumps(along_x(times, xs, Interpolation::linear), unit_cube, limits).empty());
  // One of the moves is three times as fast as what is around it.
  for (std::size_t k = 20; k < xs.size(); ++k) xs[k] += Real(1.5);
  CHECK(find_jumps(along_x(times, xs, Interpolation::linear), unit_cube, limits).size() == 1);
}

TEST_CASE("a_fast_turn_is_a_jump_though_it_comes_back_to_where_it_was") {
  Motion motion;
  motion.times = {0, 9e-4};
  motion.rotations = {{0, 0, 0}, {0, 0, 360}};
  CHECK(find_jumps(motion, unit_cube, limits).size() == 1);
  motion.times = {0, 1};
  CHECK(find_jumps(motion, unit_cube, limits).empty());
}

TEST_CASE("after_a_jump_the_surface_comes_out_at_a_steady_speed") {
  Collider ball;
  ball.shape = shape_sphere(Real(0.5));
  ball.motion = along_x({0, 1}, {0, 3}, Interpolation::step);
  ball.jumps = find_jumps(ball.motion, bounds_of(ball.shape), limits);
  REQUIRE(ball.jumps.size() == 1);
  const Vec3 inside{Real(2.8), 0, 0};  // 0.3 m below the surface of the ball at x = 3
  move_to(ball, 0.99);
  CHECK(contact_at(ball, inside).distance > 2);
  move_to(ball, 1);
  CHECK(contact_at(ball, inside).distance == doctest::Approx(-0.3 + 0.65));
  CHECK(contact_at(ball, inside).velocity[0] == doctest::Approx(-1));  // outwards
  move_to(ball, 1.25);
  CHECK(contact_at(ball, inside).distance == doctest::Approx(-0.3 + 0.4));
  move_to(ball, 1.66);
  CHECK(contact_at(ball, inside).distance == doctest::Approx(-0.3));
  CHECK(contact_at(ball, inside).velocity == Vec3::zero());
}

TEST_CASE("kernels_see_a_withdrawn_collider_as_the_host_does") {
  std::vector<Collider> colliders(1);
  colliders[0].shape = shape_sphere(Real(0.5));
  colliders[0].motion = along_x({0, 1}, {0, 3}, Interpolation::step);
  colliders[0].jumps = find_jumps(colliders[0].motion, bounds_of(colliders[0].shape), limits);
  move_to(colliders[0], 1.2);
  PackedColliders packed;
  pack(colliders, packed);
  rebase(packed, packed.bytes.data());
  const Vec3 x{Real(2.7), Real(0.1), 0};
  const Contact seen = contact_at(*views_of(packed).begin(), x),
                known = contact_at(colliders[0], x);
  CHECK(seen.distance == known.distance);
  CHECK(seen.velocity == known.velocity);
}

TEST_CASE("a_mesh_sequence_that_leaps_between_two_frames_jumps") {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  TriangleMesh near = mesh, far = mesh;
  for (Vec3& v : near.vertices) v[0] += Real(0.01);
  for (Vec3& v : far.vertices) v[0] += Real(200);
  const auto sequence = make_mesh_sequence({mesh, near, far}, 24, 0, "leaping");
  const std::vector<Jump> jumps = find_jumps(*sequence, limits);
  REQUIRE(jumps.size() == 1);
  CHECK(jumps[0].from == doctest::Approx(1.0 / 24));
}

}  // namespace phyxel
