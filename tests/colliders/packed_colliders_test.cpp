#include "phyxel/colliders/packed_colliders.h"

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

#include "colliders/every_collider.h"
#include "geometry/meshes.h"
#include "phyxel/colliders/collider_tree.h"
#include "phyxel/geometry/mesh_distance.h"

using namespace phyxel;
using namespace phyxel::test;

namespace {

void check_same_bits(const std::vector<Collider>& colliders, const ColliderViews& views) {
  REQUIRE(views.count == static_cast<Index>(colliders.size()));
  for (Index k = 0; k < views.count; ++k) {
    CAPTURE(k);
    int different = 0;
    for (const Vec3& x : random_points(2000)) {
      const Contact a = contact_at(colliders[k], x), b = contact_at(views.data[k], x);
      different += std::memcmp(&a, &b, sizeof(Contact)) != 0;
    }
    CHECK(different == 0);
    CHECK(views.data[k].friction == colliders[k].friction);
    CHECK(views.data[k].restitution == colliders[k].restitution);
    CHECK(views.data[k].contact == colliders[k].contact);
  }
}

/// What a device does with a block: its memory, written only from changed_from on.
struct Receiver {
  HostColumn<std::byte> memory;

  ColliderViews receive(PackedColliders& packed) {
    memory.resize(packed.bytes.size());
    rebase(packed, memory.data());
    if (packed.changed_from < packed.bytes.size())
      std::memcpy(memory.data() + packed.changed_from, packed.bytes.data() + packed.changed_from,
                  packed.bytes.size() - packed.changed_from);
    return views_of(packed);
  }
};

}  // namespace

TEST_CASE("packed_colliders_give_the_same_bits_as_the_colliders") {
  std::vector<Collider> colliders = every_collider();
  PackedColliders packed;
  for (const double time : {0.04, 0.11, 3.0}) {
    move_to(colliders, time);
    pack(colliders, packed);
    rebase(packed, packed.bytes.data());
    check_same_bits(colliders, views_of(packed));
  }
}

TEST_CASE("a_receiver_that_copies_only_what_changed_has_the_same_colliders") {
  std::vector<Collider> colliders = every_collider();
  PackedColliders packed;
  Receiver receiver;
  for (const double time : {0.04, 0.05, 0.11, 0.12, 3.0, 4.0}) {
    move_to(colliders, time);
    pack(colliders, packed);
    const ColliderViews views = receiver.receive(packed);
    check_same_bits(colliders, views);
  }
}

TEST_CASE("still_shapes_are_packed_once_and_nothing_is_copied_while_nothing_moves") {
  std::vector<Collider> colliders = every_collider();
  move_to(colliders, 0.04);
  PackedColliders packed;
  Receiver receiver;
  pack(colliders, packed);
  CHECK(packed.changed_from == 0);
  receiver.receive(packed);
  const std::byte* const bytes = packed.bytes.data();
  pack(colliders, packed);
  CHECK(packed.changed_from == packed.bytes.size());
  CHECK(packed.bytes.data() == bytes);
  move_to(colliders, 0.05);
  pack(colliders, packed);
  CHECK(packed.changed_from < packed.still_size);  // voxels of a sequence are made anew
  CHECK(packed.changed_from > 100000);  // the mesh of 5120 triangles is among what comes before
  receiver.receive(packed);
  move_to(colliders, 0.0501);
  pack(colliders, packed);
  CHECK(packed.changed_from == packed.still_size);
  colliders.pop_back();
  pack(colliders, packed);
  CHECK(packed.changed_from == packed.still_size);
}

TEST_CASE("a_changed_shape_is_packed_anew") {
  std::vector<Collider> colliders = {
      still(shape_mesh(make_mesh_distance(mesh_icosphere(1, 2), "ball"))), still(hills())};
  PackedColliders packed;
  Receiver receiver;
  pack(colliders, packed);
  receiver.receive(packed);
  colliders[0].shape = shape_mesh(make_mesh_distance(mesh_icosphere(Real(0.5), 2), "ball"));
  pack(colliders, packed);
  CHECK(packed.changed_from == 0);
  check_same_bits(colliders, receiver.receive(packed));
  colliders[1].friction = Real(0.7);
  colliders[1].shape = shape_sphere(Real(0.3));
  pack(colliders, packed);
  check_same_bits(colliders, receiver.receive(packed));
}

TEST_CASE("another_kind_of_contact_is_a_change") {
  std::vector<Collider> colliders = {still(shape_sphere(1)), still(shape_sphere(2))};
  PackedColliders packed;
  Receiver receiver;
  pack(colliders, packed);
  receiver.receive(packed);
  colliders[1].contact = ContactKind::sticky;
  pack(colliders, packed);
  CHECK(packed.changed_from == packed.still_size);
  const ColliderViews views = receiver.receive(packed);
  CHECK(views.data[0].contact == ContactKind::separate);
  CHECK(views.data[1].contact == ContactKind::sticky);
}

TEST_CASE("meshes_shared_by_colliders_are_packed_once") {
  const Shape ball = shape_mesh(make_mesh_distance(mesh_icosphere(1, 4), "ball"));
  PackedColliders one, many;
  pack({still(ball)}, one);
  pack({still(ball), still(unite(ball, ball)), still(ball)}, many);
  CHECK(many.still_size == one.still_size);
}

TEST_CASE("no_colliders_are_no_bytes") {
  PackedColliders packed;
  pack({}, packed);
  CHECK(packed.bytes.empty());
  CHECK(views_of(packed).count == 0);
  pack({still(shape_sphere(1))}, packed);
  rebase(packed, packed.bytes.data());
  CHECK(contact_at(*views_of(packed).begin(), {2, 0, 0}).distance == 1);
}

TEST_CASE("a_sequence_that_was_never_moved_is_empty_packed_or_not") {
  const std::vector<Collider> colliders = {sequence({mesh_icosphere(1, 1)})};
  PackedColliders packed;
  pack(colliders, packed);
  rebase(packed, packed.bytes.data());
  check_same_bits(colliders, views_of(packed));
}

TEST_CASE("many_colliders_are_found_by_their_boxes_in_the_order_of_all") {
  std::vector<Collider> colliders;
  for (const Vec3& x : random_points(300)) {
    Collider ball;
    ball.shape = transformed(shape_sphere(Real(0.05)), {Mat3::identity(), x});
    if (colliders.size() % 3 == 0) {
      ball.motion.times = {0, 1};
      ball.motion.positions = {Vec3::zero(), Vec3{1, Real(0.5), 0}};
    }
    colliders.push_back(ball);
  }
  colliders[7].shape = shape_plane(Vec3{0, Real(-0.9), 0}, Vec3{0, 1, 0});
  PackedColliders packed;
  constexpr double dt = 0.1;
  constexpr Real reach = Real(0.08);
  for (const double time : {0.1, 0.5}) {
    move_to(colliders, time);
    pack(colliders, packed, time, dt);
    rebase(packed, packed.bytes.data());
    const ColliderViews views = views_of(packed);
    REQUIRE(views.tree);
    std::size_t visited = 0;
    for (const Vec3& x : random_points(500)) {
      std::vector<const ColliderView*> near;
      for (const ColliderView& collider : colliders_near(views, x, reach))
        near.push_back(&collider);
      CHECK(std::is_sorted(near.begin(), near.end()));
      visited += near.size();
      for (const ColliderView& collider : views) {
        // Where it is now, and where it was at the start of the step.
        const bool touches = contact_at(collider, x).distance < reach ||
                             contact_at(collider, apply(collider.moved, x)).distance < reach;
        if (touches) CHECK(std::find(near.begin(), near.end(), &collider) != near.end());
      }
    }
    CHECK(visited < 500 * 30);  // of 500 * 300
  }
}
