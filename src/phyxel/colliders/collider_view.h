#pragma once

#include "phyxel/colliders/collider_parameters.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/colliders/moving_mesh_view.h"
#include "phyxel/colliders/voxel_distance.h"
#include "phyxel/colliders/voxel_distance_view.h"
#include "phyxel/geometry/shape_view.h"

namespace phyxel {

/// How paths of particles are tested against a collider. none: it fills half of space, so that no
/// path passes it.
enum class Sweep : std::int32_t { none, convex, general };

/// Non-owning view of a Collider, on the host or on a device.
struct ColliderView : ContactParameters {
  Pose pose;
  Transform moved;            // what the motion did in this step
  Vec3 pivot = Vec3::zero();  // m, of the motion
  Real withdrawn = 0;         // m, behind its surface, after a jump
  Real push_speed = 0;        // m/s, at which it comes out again; 0 while it jumps
  Sweep sweep = Sweep::none;
  ShapeView shape;
  const MovingMeshView* moving = nullptr;     // of a sequence, otherwise null
  const VoxelDistanceView* voxels = nullptr;  // instead of shape and moving, where not null
};

/// A box around some colliders, through the whole step: those at the leaves below it in a complete
/// binary tree, where node k has the children 2k and 2k + 1 and the root is 1. See collider_tree.h.
struct ColliderTreeNode {
  Vec3 low, high;   // m
  Index first = 0;  // the smallest number of the colliders below
  Index last = -1;  // the largest
};

/// Non-owning view of all colliders of a scene, for kernels; made by pack().
struct ColliderViews {
  const ColliderView* data = nullptr;
  Index count = 0;
  const ColliderTreeNode* tree = nullptr;  // null where there are few
  Index leaves = 0;                        // of the tree, a power of two

  PHYXEL_FN const ColliderView* begin() const { return data; }
  PHYXEL_FN const ColliderView* end() const { return data + count; }
};

inline namespace PHYXEL_BACKEND {

/// Contact with a shape at a pose; `moving` is null where the shape does not change.
PHYXEL_FN_APART Contact contact_at(const Pose& pose, const Vec3& pivot, const ShapeView& shape,
                                   const MovingMeshView* moving, const Vec3& x) {
  const Vec3 local = apply_inverse(pose.transform, x);
  const SignedDistance s = signed_distance(shape, local);
  const Vec3 normal = rotate(pose.transform, s.normal);
  Vec3 velocity = velocity_at(pose, pivot, x - normal * s.distance);
  if (moving) velocity += rotate(pose.transform, surface_velocity(*moving, local));
  return {s.distance, normal, velocity};
}

/// Contact with voxels at a pose: x is moved back by the surface's motion since it was voxelised.
PHYXEL_FN_APART Contact contact_at(const Pose& pose, const Vec3& pivot,
                                   const VoxelDistanceView& voxels, const Vec3& x) {
  const Vec3 local = apply_inverse(pose.transform, x), v = surface_velocity(voxels, local);
  const SignedDistance s = signed_distance(voxels, local - v * voxels.ahead);
  const Vec3 normal = rotate(pose.transform, s.normal);
  const Vec3 velocity = velocity_at(pose, pivot, x - normal * s.distance);
  return {s.distance, normal, velocity + rotate(pose.transform, v)};
}

/// The contact with a solid that is withdrawn behind its surface and comes out at `push_speed`; a
/// solid that jumps has no velocity.
PHYXEL_FN Contact withdrawn_by(Real depth, Real push_speed, Contact contact) {
  contact.distance += depth;
  contact.velocity = push_speed > 0 ? contact.velocity + contact.normal * push_speed : Vec3::zero();
  return contact;
}

/// Distance, normal and surface velocity at x, the same as of the Collider.
PHYXEL_FN Contact contact_at(const ColliderView& collider, const Vec3& x) {
  const Contact contact =
      collider.voxels
          ? contact_at(collider.pose, collider.pivot, *collider.voxels, x)
          : contact_at(collider.pose, collider.pivot, collider.shape, collider.moving, x);
  if (collider.withdrawn == 0) return contact;
  return withdrawn_by(collider.withdrawn, collider.push_speed, contact);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
