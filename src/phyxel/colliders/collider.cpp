#include "phyxel/colliders/collider.h"

#include "phyxel/colliders/collider_view.h"

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
  const Vec3& pivot = collider.motion.pivot;
  const ShapeView shape = view_of(collider.shape);
  if (!collider.sequence) return contact_at(pose, pivot, shape, nullptr, x);
  const MovingMeshView moving = view_of(collider.moving);
  return contact_at(pose, pivot, shape, &moving, x);
}

}  // namespace phyxel
