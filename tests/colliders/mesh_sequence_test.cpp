#include <doctest/doctest.h>
#include <string>

#include "geometry/meshes.h"
#include "phyxel/colliders/collider.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/mesh.h"
#include "phyxel/geometry/mesh_distance.h"

using namespace phyxel;

namespace {

constexpr Real rounding = 50 * std::numeric_limits<Real>::epsilon();
constexpr double fps = 10;

TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& v : mesh.vertices) v += by;
  return mesh;
}

/// A unit cube that slides along x at 1 m/s for half a second, then rises at 2 m/s.
std::vector<TriangleMesh> sliding_box() {
  std::vector<TriangleMesh> frames;
  for (int k = 0; k <= 10; ++k)
    frames.push_back(moved(mesh_box({1, 1, 1}),
                           {Real(0.1) * std::min(k, 5), Real(0.2) * std::max(k - 5, 0), 0}));
  return frames;
}

Collider collider_of(std::vector<TriangleMesh> frames, double start = 0) {
  Collider collider;
  collider.sequence = make_mesh_sequence(std::move(frames), fps, start, "box");
  move_to(collider, start);
  return collider;
}

std::string message_of(std::vector<TriangleMesh> frames, double rate = fps) {
  try {
    make_mesh_sequence(std::move(frames), rate, 0, "collider.box");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a_mesh_sequence_of_a_sliding_box_moves_and_knows_its_velocity") {
  Collider box = collider_of(sliding_box(), 1.0);
  for (const double time : {0.0, 0.01, 0.23, 0.4}) {
    move_to(box, 1.0 + time);
    const Contact contact = contact_at(box, {2, Real(0.1), Real(-0.3)});
    CHECK(std::abs(contact.distance - static_cast<Real>(1.5 - time)) < rounding);
    CHECK(length(contact.normal - Vec3{1, 0, 0}) < rounding);
    CHECK(length(contact.velocity - Vec3{1, 0, 0}) < rounding);
  }
  move_to(box, 1.75);
  const Contact contact = contact_at(box, {Real(0.6), 3, 0});
  CHECK(std::abs(contact.distance - 2) < rounding);
  CHECK(length(contact.velocity - Vec3{0, 2, 0}) < rounding);
}

TEST_CASE("a_mesh_sequence_outside_its_frames_is_at_rest") {
  Collider box = collider_of(sliding_box());
  for (const double time : {-3.0, 1.0, 20.0}) {
    move_to(box, time);
    CHECK(contact_at(box, {2, 0, 0}).velocity == Vec3::zero());
  }
  CHECK(std::abs(contact_at(box, {Real(0.5), 0, 0}).distance - Real(0.5)) < rounding);
}

TEST_CASE("a_growing_mesh_has_the_velocity_of_its_nearest_point") {
  Collider ball = collider_of({mesh_icosphere(1, 3), mesh_icosphere(2, 3)});
  move_to(ball, 0.05);  // radius 1.5, growing at 10 m/s
  for (const Vec3& direction : {Vec3{1, 0, 0}, normalized(Vec3{1, 2, -3})}) {
    const Contact contact = contact_at(ball, direction * 2);
    // Faces of the icosphere lie up to 1 % inside the sphere.
    CHECK(length(contact.velocity - direction * 10) < 0.15);
  }
}

TEST_CASE("a_sequence_on_a_keyframed_path_adds_both_velocities") {
  Collider box = collider_of(sliding_box());
  box.motion.times = {0, 1};
  box.motion.positions = {{0, 0, 0}, {0, 0, 3}};
  box.motion.rotations = {{0, 90, 0}, {0, 90, 0}};  // x of the mesh points along -z
  move_to(box, 0.2);
  const Contact contact = contact_at(box, {0, 2, 0});
  CHECK(length(contact.velocity - Vec3{0, 0, 2}) < rounding);
}

TEST_CASE("frames_with_other_triangles_show_the_nearest_one_and_move_along_the_normal") {
  std::vector<TriangleMesh> frames;
  for (int k = 0; k < 5; ++k)  // 1 m/s along x, a different mesh every time
    frames.push_back(moved(mesh_icosphere(1, 3 + k % 2), {Real(0.1) * k, 0, 0}));
  Collider ball = collider_of(frames);
  CHECK_FALSE(ball.sequence->same_triangles);
  move_to(ball, 0.22);
  const Contact ahead = contact_at(ball, {Real(1.3), 0, 0});
  const Contact beside = contact_at(ball, {Real(0.2), Real(1.1), 0});
  CHECK(ahead.distance == doctest::Approx(0.1).epsilon(0.1));  // frame 2, faceted
  CHECK(ahead.velocity[0] == doctest::Approx(1).epsilon(0.05));
  CHECK(length(beside.velocity) < 0.1);  // slides along: unknown, and small facets
}

TEST_CASE("the_same_time_is_not_prepared_again_and_history_leaves_no_trace") {
  Collider box = collider_of(sliding_box());
  move_to(box, 0.33);
  const MeshDistance* const before = box.shape.meshes[0].get();
  move_to(box, 0.33);
  CHECK(box.shape.meshes[0].get() == before);
  Collider other = collider_of(sliding_box());
  for (const double time : {0.9, 0.1, 0.31, 0.33}) move_to(other, time);
  const Vec3 p{Real(0.7), Real(0.4), Real(0.1)};
  CHECK(contact_at(box, p).distance == contact_at(other, p).distance);
  CHECK(contact_at(box, p).velocity == contact_at(other, p).velocity);
}

TEST_CASE("a_mesh_turned_inside_out_is_turned_back") {
  std::vector<TriangleMesh> frames;
  for (TriangleMesh& mesh : sliding_box()) frames.push_back(flipped(mesh));
  Collider box = collider_of(frames);
  CHECK(contact_at(box, {0, 0, 0}).distance < 0);
  CHECK(contact_at(box, {2, 0, 0}).distance > 0);
}

TEST_CASE("bad_mesh_sequences_are_refused_by_name_and_frame") {
  CHECK(message_of({}).find("collider.box: a mesh sequence needs") == 0);
  CHECK(message_of(sliding_box(), 0).find("fps = 0 must be positive") != std::string::npos);
  auto frames = sliding_box();
  frames[7].triangles.clear();
  CHECK(message_of(frames).find("collider.box, frame 7") == 0);
}
