#include "phyxel/colliders/voxel_distance.h"

#include <cstring>
#include <doctest/doctest.h>
#include <numbers>
#include <string>

#include "colliders/every_collider.h"
#include "geometry/meshes.h"
#include "phyxel/colliders/collider_view.h"
#include "phyxel/core/error.h"
#include "phyxel/core/exec.h"
#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/mesh_distance_view.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

constexpr Real h = Real(0.02);

Real bump(const Vec3& direction, const Vec3& at, Real width) {
  return std::exp(-length_squared(direction - at) / (width * width));
}

/// A body with two long ears and bumps, about 1 m high, 20480 triangles.
TriangleMesh hare() {
  TriangleMesh mesh = mesh_icosphere(1, 5);
  const Vec3 left = normalized(Vec3{Real(-0.4), 1, 0}), right = normalized(Vec3{Real(0.4), 1, 0});
  for (Vec3& v : mesh.vertices) {
    const Real ears = bump(v, left, Real(0.2)) + bump(v, right, Real(0.2));
    const Real fur = Real(0.01) * std::sin(12 * v[0]) * std::sin(11 * v[1]) * std::sin(13 * v[2]);
    v = v * (Real(0.3) + Real(0.4) * ears + fur);
  }
  return mesh;
}

std::shared_ptr<const MeshDistance> solid(TriangleMesh mesh) {
  return make_mesh_distance(std::move(mesh), "mesh");
}

Real angle_between(const Vec3& a, const Vec3& b) {
  return std::acos(std::clamp(dot(a, b), Real(-1), Real(1))) * 180 / std::numbers::pi_v<Real>;
}

/// How voxels differ from the exact distance, in the places where each is asked.
struct Difference {
  Real distance = 0;                  // largest within the band, voxels
  Real normal = 0;                    // largest on smooth parts within the band, degrees
  int near = 0, smooth = 0;           // points within the band, and those on smooth parts
  int wrong_side = 0;                 // points farther than half a voxel from the surface
  Real too_large = 0, too_small = 0;  // beyond the band, voxels
};

/// Where the exact normal is the same a voxel away there is no edge, ridge or middle.
bool is_smooth(const MeshDistance& mesh, const Vec3& x, const Vec3& normal) {
  for (int k = 0; k < 6; ++k) {
    Vec3 beside = x;
    beside[k / 2] += k % 2 ? h : -h;
    if (dot(signed_distance(mesh, beside).normal, normal) < Real(0.98)) return false;
  }
  return true;
}

Difference difference(const MeshDistance& mesh, const VoxelDistance& voxels, Real reach, int n) {
  Difference result;
  Draw draw(4);
  for (int k = 0; k < n; ++k) {
    const Vec3 x = draw.vector(-reach, reach);
    const SignedDistance a = signed_distance(mesh, x), b = signed_distance(view_of(voxels), x);
    const Real size = std::abs(a.distance) / h, error = std::abs(a.distance - b.distance) / h;
    if (size > Real(0.5)) result.wrong_side += (a.distance < 0) != (b.distance < 0);
    if (size < VoxelDistance::band) {
      ++result.near;
      result.distance = std::max(result.distance, error);
      if (!is_smooth(mesh, x, a.normal)) continue;
      ++result.smooth;
      result.normal = std::max(result.normal, angle_between(a.normal, b.normal));
    } else {
      const Real larger = std::abs(b.distance) / h - size;
      result.too_large = std::max(result.too_large, larger);
      result.too_small = std::max(result.too_small, -larger);
    }
  }
  return result;
}

Collider voxelised(Collider collider, Real voxel = h) {
  collider.voxel = voxel;
  return collider;
}

std::string message_of(Collider collider) {
  try {
    phyxel::move_to(collider, 0);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool same_bits(const VoxelDistance& a, const VoxelDistance& b) {
  const auto same = [](const auto& p, const auto& q) {
    return p.size() == q.size() &&
           (p.empty() || std::memcmp(p.data(), q.data(), p.size() * sizeof(p[0])) == 0);
  };
  return same(a.block, b.block) && same(a.corner, b.corner) && same(a.value, b.value) &&
         same(a.velocity, b.velocity) && same(a.corner_velocity, b.corner_velocity);
}

}  // namespace

TEST_CASE("voxels_of_a_ball_are_within_half_a_voxel_of_the_exact_distance") {
  const auto mesh = solid(mesh_icosphere(Real(0.5), 5));
  const Difference d = difference(*mesh, *voxelise(mesh, h), Real(0.7), 20000);
  CHECK(d.near > 2000);
  CHECK(d.distance <
        Real(0.1));  // a parabola over a voxel leaves h^2 / 8 R = 0.01 h along each axis
  CHECK(d.smooth > 2000);
  CHECK(d.normal < 3);  // half a voxel over the radius is 1.1 degrees
  CHECK(d.wrong_side == 0);
}

TEST_CASE("voxels_of_a_hare_are_within_half_a_voxel_of_the_exact_distance") {
  const auto mesh = solid(hare());
  const Difference d = difference(*mesh, *voxelise(mesh, h), Real(0.8), 20000);
  CHECK(d.near > 500);
  CHECK(d.distance < Real(0.5));
  CHECK(d.smooth > 200);
  CHECK(d.normal < 8);  // is_smooth lets the normal turn by 11 degrees from voxel to voxel
  CHECK(d.wrong_side == 0);
}

TEST_CASE("beyond_the_band_voxels_give_the_side_and_a_distance_that_is_not_too_large") {
  const auto mesh = solid(hare());
  const auto voxels = voxelise(mesh, h);
  for (const Real reach : {Real(0.8), Real(4), Real(400)}) {
    CAPTURE(reach);
    const Difference d = difference(*mesh, *voxels, reach, 4000);
    CHECK(d.wrong_side == 0);
    CHECK(d.too_large < Real(0.5));
    // Half the diagonal of a place twice, or what a right angle at the border of the table hides:
    // less than the size of the mesh, which is 50 voxels.
    CHECK(d.too_small < 50);
  }
  const Contact far = contact_at(Pose{}, Vec3::zero(), view_of(*voxels), {1000, 2000, 2000});
  CHECK(far.distance == doctest::Approx(3000).epsilon(1e-3));
  CHECK(angle_between(far.normal, normalized(Vec3{1, 2, 2})) < 1);
}

TEST_CASE("normals_lead_out_from_everywhere_inside") {
  const auto mesh = solid(hare());
  const auto voxels = voxelise(mesh, h);
  const VoxelDistanceView view = view_of(*voxels);
  int inside = 0, trapped = 0, deep = 0;
  for (const Vec3& start : random_points(20000)) {
    Vec3 x = start * Real(0.8);
    SignedDistance s = signed_distance(view, x);
    if (s.distance >= 0) continue;
    ++inside;
    deep += s.distance < -VoxelDistance::band * h;
    for (int step = 0; step < 40 && s.distance < 0; ++step) {
      x += s.normal * (h / 4 - s.distance);
      s = signed_distance(view, x);
    }
    trapped += s.distance < 0;
  }
  CHECK(inside > 500);
  CHECK(deep > 200);
  CHECK(trapped == 0);
  const auto ball = voxelise(solid(mesh_icosphere(Real(0.5), 4)), h);
  const SignedDistance centre = signed_distance(view_of(*ball), Vec3::zero());
  CHECK(centre.distance < Real(-0.3));
  CHECK(length(centre.normal) == doctest::Approx(1));
}

TEST_CASE("a_cavity_is_outside_and_small_holes_are_forgiven") {
  TriangleMesh shell = mesh_icosphere(Real(0.5), 5);
  append(shell, flipped(mesh_icosphere(Real(0.3), 5)));
  const auto mesh = solid(shell);
  CHECK(difference(*mesh, *voxelise(mesh, h), Real(0.6), 4000).wrong_side == 0);
  CHECK(signed_distance(view_of(*voxelise(mesh, h)), Vec3::zero()).distance > Real(0.2));
  TriangleMesh torn = mesh_icosphere(Real(0.5), 4);
  torn.triangles.resize(torn.triangles.size() - 6);
  const auto open = solid(torn);
  int wrong = 0;
  const auto voxels = voxelise(open, h);
  for (const Vec3& x : random_points(20000))
    if (std::abs(length(x) - Real(0.5)) > Real(0.1))
      wrong += (signed_distance(view_of(*voxels), x).distance < 0) != (length(x) < Real(0.5));
  CHECK(wrong == 0);
}

TEST_CASE("a_voxelised_collider_that_moves_is_the_still_one_seen_from_it") {
  const Shape shape = shape_mesh(solid(hare()));
  Collider at_rest = voxelised(still(shape)), glides = moving(voxelised(still(shape)));
  phyxel::move_to(at_rest, 0);
  phyxel::move_to(glides, 0.4);
  const VoxelDistance* const made = glides.voxels.get();
  phyxel::move_to(glides, 0.7);
  CHECK(glides.voxels.get() == made);
  const Real rounding = 100 * std::numeric_limits<Real>::epsilon();
  for (const Vec3& x : random_points(500)) {
    const Contact a = contact_at(at_rest, x);
    const Contact b = contact_at(glides, apply(glides.pose.transform, x));
    // Where slopes cancel directions magnify rounding.
    CHECK(std::abs(a.distance - b.distance) < rounding);
    CHECK(length(rotate(glides.pose.transform, a.normal) - b.normal) < 1000 * rounding);
    const Vec3 surface = apply(glides.pose.transform, x) - b.normal * b.distance;
    CHECK(length(b.velocity - velocity_at(glides.pose, cast<Real>(glides.motion.pivot), surface)) <
          rounding);
  }
}

TEST_CASE("a_mesh_placed_and_scaled_by_its_shape_is_voxelised_there") {
  const auto ball = solid(mesh_icosphere(1, 4));
  const Shape shape = transformed(shape_mesh(ball), {Mat3::identity(), {1, 2, 3}}, Real(0.25));
  Collider exact = still(shape), grid = voxelised(still(shape));
  phyxel::move_to(grid, 0);
  for (const Vec3& x : random_points(500)) {
    const Vec3 p = Vec3{1, 2, 3} + x * Real(0.3);
    const Contact a = contact_at(exact, p), b = contact_at(grid, p);
    if (std::abs(a.distance) < 3 * h) CHECK(std::abs(a.distance - b.distance) < h / 4);
  }
}

TEST_CASE("a_voxelised_sequence_has_the_distance_and_velocity_of_the_exact_one") {
  std::vector<TriangleMesh> frames;
  for (int k = 0; k < 4; ++k) {  // grows, turns and rises by up to 6 voxels a frame
    frames.push_back(mesh_icosphere(Real(0.4) + Real(0.03) * k, 4));
    const Mat3 turn = rotation_degrees({0, Real(6) * k, 0});
    for (Vec3& v : frames.back().vertices) v = turn * v + Vec3{0, Real(0.08) * k, 0};
  }
  Collider exact = moving(sequence(frames)), grid = voxelised(moving(sequence(frames)));
  for (const double time : {0.0, 0.013, 0.1, 0.177, 0.29, 0.5}) {
    CAPTURE(time);
    phyxel::move_to(exact, time);
    phyxel::move_to(grid, time);
    Real distance = 0, velocity = 0;
    for (const Vec3& x : random_points(1500)) {
      const Contact a = contact_at(exact, x), b = contact_at(grid, x);
      if (std::abs(a.distance) > 2 * h) continue;
      distance = std::max(distance, std::abs(a.distance - b.distance));
      velocity = std::max(velocity, length(a.velocity - b.velocity));
    }
    CHECK(distance < h / 4);
    CHECK(velocity < 0.02);  // of about 1 m/s, which turns by a voxel over the radius
  }
}

TEST_CASE("a_voxelised_sequence_with_other_triangles_moves_along_the_normal") {
  std::vector<TriangleMesh> frames;
  for (int k = 0; k < 5; ++k)  // 1 m/s along x
    frames.push_back(moved(mesh_icosphere(Real(0.5), 3 + k % 2), {Real(0.1) * k, 0, 0}));
  Collider exact = sequence(frames), grid = voxelised(sequence(frames));
  for (const double time : {0.22, 0.39, 0.4, 0.6}) {
    CAPTURE(time);
    phyxel::move_to(exact, time);
    phyxel::move_to(grid, time);
    for (const Vec3& direction : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, normalized(Vec3{1, 2, -3})}) {
      const Vec3 x = Vec3{Real(0.2), 0, 0} + direction * Real(0.52);
      const Contact a = contact_at(exact, x), b = contact_at(grid, x);
      CHECK(std::abs(a.distance - b.distance) < h / 2);
      CHECK(length(a.velocity - b.velocity) < 0.1);  // normals of facets
    }
  }
}

TEST_CASE("a_sequence_is_voxelised_again_only_when_it_has_moved_half_a_voxel") {
  std::vector<TriangleMesh> frames;
  for (int k = 0; k < 3; ++k)  // nearly a voxel a frame
    frames.push_back(moved(mesh_icosphere(Real(0.3), 3), {Real(0.9) * h * k, 0, 0}));
  Collider grid = voxelised(sequence(frames));
  int made = 0;
  const VoxelDistance* last = nullptr;
  for (int k = 0; k < 40; ++k) {
    phyxel::move_to(grid, 0.005 * k);
    made += grid.voxels.get() != last;
    last = grid.voxels.get();
    const Real reached = Real(0.9) * h * Real(0.05) * k;
    const Contact contact = contact_at(grid, {reached + Real(0.31), 0, 0});
    CHECK(contact.distance == doctest::Approx(0.01).epsilon(0.1));
    CHECK(contact.velocity[0] == doctest::Approx(0.18));
  }
  CHECK(made == 4);
  phyxel::move_to(grid, 7);
  CHECK(contact_at(grid, {Real(0.4), 0, 0}).velocity == Vec3::zero());
  Collider other = voxelised(sequence(frames));
  phyxel::move_to(other, 0.043);
  phyxel::move_to(grid, 0.043);
  CHECK(same_bits(*grid.voxels, *other.voxels));
  CHECK(grid.moving.ahead == other.moving.ahead);
}

TEST_CASE("voxels_have_the_same_bits_for_any_number_of_threads") {
  const auto mesh = solid(hare());
  MovingMesh grows;
  const auto frames = make_mesh_sequence({mesh_icosphere(1, 3), mesh_icosphere(2, 3)}, 10, 0, "x");
  move_to(grows, *frames, 0.05);
  std::shared_ptr<const VoxelDistance> one, one_moving;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    const auto voxels = voxelise(mesh, h), with_velocity = voxelise(grows, Real(0.1), true);
    CHECK(with_velocity->velocity.size() == with_velocity->value.size());
    if (!one) one = voxels;
    if (!one_moving) one_moving = with_velocity;
    CHECK(same_bits(*one, *voxels));
    CHECK(same_bits(*one_moving, *with_velocity));
  }
}

TEST_CASE("voxels_that_cannot_be_had_are_refused_with_the_reason") {
  const Shape ball = shape_mesh(solid(mesh_icosphere(Real(0.5), 3)));
  const std::string fine = message_of(voxelised(still(ball), Real(1e-6)));
  CHECK(fine.find("voxel = 1e-06 m is too fine for a mesh of 1.73 m") != std::string::npos);
  CHECK(fine.find("the limit is 1 GB") != std::string::npos);
  CHECK(message_of(voxelised(sequence({mesh_icosphere(1, 2)}), Real(1e-30))).find("too fine") !=
        std::string::npos);
  Collider sphere = voxelised(still(shape_sphere(1)));
  sphere.name = "globe";
  CHECK(message_of(sphere).find("collider.globe.voxel = 0.02 is for a mesh") == 0);
  CHECK(message_of(voxelised(still(unite(ball, ball)))) != "");
  const auto plate = solid(moved(mesh_box({Real(0.2), Real(0.002), Real(0.2)}), {0, h / 2, 0}));
  CHECK_FALSE(has_inside(*voxelise(plate, h)));
  CHECK(has_inside(*voxelise(plate, Real(0.0009))));
}

TEST_CASE("points_that_are_no_numbers_do_no_harm_to_voxels") {
  const auto voxels = voxelise(solid(mesh_icosphere(Real(0.5), 3)), Real(0.1));
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const SignedDistance s = signed_distance(view_of(*voxels), {nan, nan, nan});
  CHECK_FALSE(s.distance < 0);
}
