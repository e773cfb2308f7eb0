#pragma once

#include "phyxel/colliders/contact.h"
#include "phyxel/colliders/motion.h"
#include "phyxel/colliders/moving_mesh_view.h"
#include "phyxel/colliders/voxel_distance_view.h"
#include "phyxel/geometry/shape_view.h"

namespace phyxel {

/// A Collider that somebody else owns, on the host or on a device.
struct ColliderView {
  Pose pose;
  Vec3 pivot = Vec3::zero();  // m, of the motion
  Real friction = 0;          // Coulomb's coefficient
  Real restitution = 0;       // part of the normal speed that comes back, 0 to 1
  Real temperature = 0;       // degrees C; NaN: passes no heat
  Real heat_flux = 0;         // W/m^2
  Real filling = 0;           // no padding: equal colliders are equal bytes
  ContactKind contact = ContactKind::separate;
  std::int32_t more_filling = 0;
  ShapeView shape;
  const MovingMeshView* moving = nullptr;     // of a sequence, otherwise null
  const VoxelDistanceView* voxels = nullptr;  // instead of shape and moving, where not null
};

/// All colliders of a scene as kernels see them; made by pack().
struct ColliderViews {
  const ColliderView* data = nullptr;
  Index count = 0;

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

/// Contact with voxels at a pose. What has moved on since it was voxelised is met where it was.
PHYXEL_FN_APART Contact contact_at(const Pose& pose, const Vec3& pivot,
                                   const VoxelDistanceView& voxels, const Vec3& x) {
  const Vec3 local = apply_inverse(pose.transform, x), v = surface_velocity(voxels, local);
  const SignedDistance s = signed_distance(voxels, local - v * voxels.ahead);
  const Vec3 normal = rotate(pose.transform, s.normal);
  const Vec3 velocity = velocity_at(pose, pivot, x - normal * s.distance);
  return {s.distance, normal, velocity + rotate(pose.transform, v)};
}

/// Distance, normal and surface velocity at x, as of the Collider.
PHYXEL_FN Contact contact_at(const ColliderView& collider, const Vec3& x) {
  if (collider.voxels) return contact_at(collider.pose, collider.pivot, *collider.voxels, x);
  return contact_at(collider.pose, collider.pivot, collider.shape, collider.moving, x);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
