#include "phyxel/colliders/collider.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "phyxel/colliders/collider_view.h"
#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/core/error.h"
#include "phyxel/geometry/box_tree.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel {

namespace {

/// What messages call the size of the voxels.
std::string key_of(const Collider& collider) {
  return "collider." + collider.name + ".voxel";
}

bool is_identity(const Transform& t) {
  const Mat3 none = Mat3::identity();
  for (int k = 0; k < 3; ++k)
    if (!(t.rotation[k] == none[k])) return false;
  return t.translation == Vec3::zero();
}

/// The mesh that a shape is, where the shape has put it.
std::shared_ptr<const MeshDistance> mesh_in_place(const Collider& collider) {
  const std::vector<Shape::Node>& nodes = collider.shape.nodes;
  if (nodes.size() != 1 || nodes[0].op != Shape::Op::mesh)
    throw InputError(
        fmt::format("{} = {} is for a mesh or a mesh sequence; other shapes are as "
                    "quick without",
                    key_of(collider), collider.voxel));
  const auto& mesh = collider.shape.meshes[nodes[0].index];
  const Transform& pose = nodes[0].pose;
  if (nodes[0].scale == 1 && is_identity(pose)) return mesh;
  TriangleMesh moved = mesh->mesh;
  for (Vec3& v : moved.vertices) v = apply(pose, v * nodes[0].scale);
  return make_mesh_distance(std::move(moved), "collider." + collider.name);
}

/// True where the voxels are those of the sequence as it is now.
bool are_current(const VoxelDistance& voxels, const MovingMesh& moving) {
  return voxels.mesh == moving.mesh &&
         voxels.corner_velocity.empty() == !is_moving(view_of(moving));
}

void move_sequence(Collider& collider, double time) {
  MovingMesh& moving = collider.moving;
  // Half a voxel: the mesh is met where it was, so that fewer of its steps must be voxelised.
  move_to(moving, *collider.sequence, time, is_given(collider.voxel) ? collider.voxel / 2 : 0);
  const auto& shown = collider.shape.meshes;
  if (shown.empty() || shown[0] != moving.mesh) collider.shape = shape_mesh(moving.mesh);
  if (collider.voxel > 0 && !(collider.voxels && are_current(*collider.voxels, moving)))
    collider.voxels = voxelise(moving, collider.voxel, collider.sequence->closed, key_of(collider));
}

/// From a point to the farthest corner of a box, m.
double farthest(const Bounds& box, const Vec3& from) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double away = std::max(std::abs(double(box.min[k]) - double(from[k])),
                                 std::abs(double(box.max[k]) - double(from[k])));
    squared += away * away;
  }
  return std::sqrt(squared);
}

}  // namespace

void move_to(Collider& collider, double time) {
  collider.pose = pose_at(collider.motion, time);
  collider.withdrawal = withdrawal_at(collider.jumps, time);
  if (collider.sequence)
    move_sequence(collider, time);
  else if (collider.voxel > 0 && !collider.voxels)
    collider.voxels = voxelise(mesh_in_place(collider), collider.voxel, key_of(collider));
}

Bounds bounds_now(const Collider& collider) {
  const Bounds own = bounds_of(collider.shape);
  Bounds box;
  if (collider.sequence || own.empty() || !is_bounded(own))
    return {Vec3::filled(-endless), Vec3::filled(endless)};
  for (int corner = 0; corner < 8; ++corner)
    box.include(apply(collider.pose.transform, corner_of(own, corner)));
  return box;
}

double largest_speed(const Collider& collider, double from, double to, const Bounds& near) {
  if (jumps_between(collider.jumps, from, to)) return 0;
  const LargestSpeeds rigid = largest_speeds(collider.motion, from, to);
  double speed = rigid.velocity;
  if (rigid.angular > 0) {
    const Vec3 pivot = cast<Real>(collider.motion.pivot);
    speed += rigid.angular * std::min(farthest(bounds_of(collider.shape), pivot),
                                      farthest(near, apply(collider.pose.transform, pivot)));
  }
  double own = 0;
  for (const Vec3& v : collider.moving.velocity) own = std::max(own, double(length_squared(v)));
  return speed + std::sqrt(own);
}

Contact surface_contact_at(const Collider& collider, const Vec3& x) {
  const Pose& pose = collider.pose;
  const Vec3 pivot = cast<Real>(collider.motion.pivot);
  if (collider.voxels)
    return contact_at(pose, pivot, view_of(*collider.voxels, collider.moving.ahead), x);
  const ShapeView shape = view_of(collider.shape);
  if (!collider.sequence) return contact_at(pose, pivot, shape, nullptr, x);
  const MovingMeshView moving = view_of(collider.moving);
  return contact_at(pose, pivot, shape, &moving, x);
}

Contact contact_at(const Collider& collider, const Vec3& x) {
  const Contact contact = surface_contact_at(collider, x);
  const Withdrawal& w = collider.withdrawal;
  return w.depth == 0 ? contact : withdrawn_by(w.depth, w.speed, contact);
}

}  // namespace phyxel
