#include "phyxel/colliders/sweep.h"

#include <doctest/doctest.h>

#include "colliders/every_collider.h"
#include "phyxel/colliders/packed_colliders.h"
#include "phyxel/geometry/mesh_distance.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

constexpr Real least = Real(0.001);

/// A collider as kernels see it, at the end of a step.
struct Seen {
  std::vector<Collider> colliders;
  PackedColliders packed;

  explicit Seen(Collider collider, double time = 0, double dt = 0) {
    colliders.push_back(std::move(collider));
    phyxel::move_to(colliders[0], time);
    pack(colliders, packed, time, dt);
    rebase(packed, packed.bytes.data());
  }
  const ColliderView& view() const { return *views_of(packed).begin(); }
};

Shape plate(Real thickness) {
  return shape_box({2, thickness, 2});
}
Shape as_mesh(const Shape& shape) {
  // Two sheets and a rim: a plate as other programs make it.
  const Bounds b = bounds_of(shape);
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        {k & 1 ? b.max[0] : b.min[0], k & 2 ? b.max[1] : b.min[1], k & 4 ? b.max[2] : b.min[2]});
  for (const auto& q :
       {Vec<Index, 4>{0, 4, 6, 2}, Vec<Index, 4>{1, 3, 7, 5}, Vec<Index, 4>{0, 1, 5, 4},
        Vec<Index, 4>{2, 6, 7, 3}, Vec<Index, 4>{0, 2, 3, 1}, Vec<Index, 4>{4, 5, 7, 6}}) {
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return shape_mesh(make_mesh_distance(std::move(mesh), "plate"));
}

}  // namespace

TEST_CASE("a_path_through_a_thin_plate_meets_its_near_side") {
  for (const Real thickness : {Real(0.0005), Real(0.01), Real(0.2)})
    for (const bool mesh : {false, true})
      for (const Real side : {Real(1), Real(-1)}) {
        CAPTURE(thickness);
        CAPTURE(mesh);
        const Shape shape = plate(thickness);
        const Seen seen(still(mesh ? as_mesh(shape) : shape));
        const Vec3 from{Real(0.1), side * Real(0.3), Real(0.2)}, to{Real(0.2), -from[1], 0};
        const FirstContact first = first_contact(seen.view(), from, to, least);
        REQUIRE(first.met);
        CHECK(first.contact.normal[1] * side > Real(0.99));
        CHECK(first.part == doctest::Approx((0.3 - thickness / 2) / 0.6).epsilon(0.01));
        CHECK(contact_on_path(seen.view(), from, to, 1, least).distance < 0);
        const Vec3 end = stopped_by(seen.view(), from, to, 1, least);
        CHECK(end[1] * side > thickness / 2 - Real(0.001));
      }
}

TEST_CASE("a_path_beside_along_or_away_from_a_collider_meets_nothing") {
  const Seen thin(still(plate(Real(0.001)))), ball(still(shape_sphere(Real(0.5)))),
      mesh(still(as_mesh(plate(Real(0.001)))));
  for (const Seen* seen : {&thin, &mesh}) {
    CHECK_FALSE(
        first_contact(seen->view(), {0, Real(0.01), 0}, {Real(0.5), Real(0.01), 0}, least).met);
    CHECK_FALSE(first_contact(seen->view(), {0, Real(0.01), 0}, {0, Real(0.5), 0}, least).met);
    CHECK_FALSE(
        first_contact(seen->view(), {Real(1.5), Real(0.1), 0}, {Real(1.5), Real(-0.1), 0}, least)
            .met);
    // One that slides on the surface is not held there.
    const Vec3 from{0, Real(0.0005), 0}, to{Real(0.3), Real(0.0005), 0};
    CHECK(stopped_by(seen->view(), from, to, 1, least) == to);
  }
  CHECK_FALSE(
      first_contact(ball.view(), {Real(-0.6), Real(0.6), 0}, {Real(0.6), Real(0.6), 0}, least).met);
  CHECK(
      first_contact(ball.view(), {Real(-0.6), Real(0.4), 0}, {Real(0.6), Real(0.4), 0}, least).met);
}

TEST_CASE("a_narrow_slot_between_plates_is_no_plate") {
  const Transform up{Mat3::identity(), {0, Real(0.05), 0}},
      down{Mat3::identity(), {0, Real(-0.05), 0}};
  const Seen slot(
      still(unite(transformed(plate(Real(0.09)), up), transformed(plate(Real(0.09)), down))));
  CHECK_FALSE(
      first_contact(slot.view(), {0, Real(-0.004), 0}, {Real(0.5), Real(0.004), 0}, least).met);
}

TEST_CASE("what_begins_inside_a_plate_leaves_it_on_its_own_side") {
  const Seen seen(still(plate(Real(0.02))));
  const Vec3 from{0, Real(0.004), 0};
  CHECK(first_contact(seen.view(), from, {0, -1, 0}, least).met);
  CHECK(first_contact(seen.view(), from, {0, -1, 0}, least).contact.normal[1] == 1);
  CHECK_FALSE(first_contact(seen.view(), from, {0, 1, 0}, least).met);
}

TEST_CASE("paths_are_relative_to_a_plate_that_moves_and_turns") {
  // It sweeps over a point that does not move.
  Collider lift = still(plate(Real(0.01)));
  lift.motion.times = {0, 1};
  lift.motion.positions = {{0, -1, 0}, {0, 1, 0}};
  const Seen lifted(lift, 0.55, 0.1);  // from -0.1 to 0.1
  const Vec3 x{0, 0, 0};
  CHECK(contact_on_path(lifted.view(), x, x, Real(0.1), least).normal[1] == 1);
  CHECK(contact_on_path(lifted.view(), x, x, Real(0.1), least).distance < 0);
  CHECK(stopped_by(lifted.view(), x, x, Real(0.1), least)[1] > Real(0.1));
  // One that moves with it stays where it is.
  const Vec3 along{0, Real(0.2), 0};
  CHECK(contact_on_path(lifted.view(), x - Vec3{0, Real(0.05), 0}, along - Vec3{0, Real(0.05), 0},
                        Real(0.1), least)
            .distance > 0);
  Collider blade = still(plate(Real(0.01)));
  blade.motion.times = {0, 1};
  blade.motion.rotations = {{0, 0, -90}, {0, 0, 90}};
  const Seen turned(blade, 0.55, 0.1);  // from -9 to 9 degrees
  for (const Real arm : {Real(0.3), Real(-0.8)}) {
    const Contact contact =
        contact_on_path(turned.view(), {arm, 0, 0}, {arm, 0, 0}, Real(0.1), least);
    CHECK(contact.distance < 0);
    CHECK(contact.normal[1] * arm > 0);
  }
}

TEST_CASE("no_kind_of_collider_lets_a_path_through") {
  std::vector<Collider> colliders = every_collider();
  move_to(colliders, 0.11);
  PackedColliders packed;
  pack(colliders, packed, 0.11, 0.01);
  rebase(packed, packed.bytes.data());
  const std::vector<Vec3> points = random_points(200);
  for (Index k = 0; k < views_of(packed).count; ++k) {
    CAPTURE(k);
    const ColliderView& view = views_of(packed).data[k];
    if (view.sweep == Sweep::none) continue;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const Vec3 &from = points[i], &to = points[i + 1];
      if (contact_at(view, from).distance < 0) continue;
      // Corners that a path cuts off by less than it steps do not count.
      const Real deep = length(to - from) / 16;
      bool enters = false;
      for (int s = 1; s <= 200; ++s)
        enters = enters || contact_at(view, from + (to - from) * (Real(s) / 200)).distance < -deep;
      const FirstContact first = first_contact(view, from, to, least);
      if (enters) CHECK(first.met);
      if (first.met)
        for (int s = 0; s < 50; ++s)
          CHECK(contact_at(view, from + (to - from) * (first.part * Real(s) / 50)).distance >
                -2 * least);
    }
  }
}

TEST_CASE("speeds_of_a_motion_are_known_ahead") {
  Motion motion;
  motion.times = {0, 1, 2};
  motion.positions = {{0, 0, 0}, {0, 0, 0}, {3, 0, 0}};
  CHECK(largest_speeds(motion, 0.2, 0.9).velocity == 0);
  CHECK(largest_speeds(motion, 0.9, 1.01).velocity == doctest::Approx(3));
  CHECK(largest_speeds(motion, 1.99, 2.5).velocity == doctest::Approx(3));
  CHECK(largest_speeds(motion, 2.1, 2.5).velocity == 0);
  Collider wheel = still(shape_cylinder(2, 1));
  wheel.motion.times = {0, 1};
  wheel.motion.rotations = {{0, 0, 0}, {0, 360, 0}};
  phyxel::move_to(wheel, 0.5);
  const Bounds near{{-1, -1, -1}, {1, 1, 1}};
  CHECK(largest_speed(wheel, 0.5, 0.6, near) == doctest::Approx(2 * M_PI * std::sqrt(3.0)));
}
