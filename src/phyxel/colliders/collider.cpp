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
  const MovingMesh* const moving = collider.sequence ? &collider.moving : nullptr;
  return contact_at(collider.pose, collider.motion.pivot, collider.shape, moving, x);
}

}  // namespace phyxel
