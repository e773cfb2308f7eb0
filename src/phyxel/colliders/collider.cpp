#include "phyxel/colliders/collider.h"

namespace phyxel {

void move_to(Collider& collider, double time) {
  collider.pose = pose_at(collider.motion, time);
  if (!collider.sequence) return;
  move_to(collider.moving, *collider.sequence, time);
  const auto& shown = collider.shape.meshes;
  if (shown.empty() || shown[0] != collider.moving.mesh)
    collider.shape = shape_mesh(collider.moving.mesh);
}

Contact contact_at(const Collider& collider, const Vec3& x) {
  const Pose& pose = collider.pose;
  const Vec3 local = apply_inverse(pose.transform, x);
  const SignedDistance s = signed_distance(collider.shape, local);
  const Vec3 normal = rotate(pose.transform, s.normal);
  const Vec3 pivot = apply(pose.transform, collider.motion.pivot);
  const Vec3 arm = x - normal * s.distance - pivot;
  Vec3 velocity = pose.velocity + cross(pose.angular_velocity, arm);
  if (collider.sequence)
    velocity += rotate(pose.transform, surface_velocity(collider.moving, local));
  return {s.distance, normal, velocity};
}

}  // namespace phyxel
