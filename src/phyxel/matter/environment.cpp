#include "phyxel/matter/environment.h"

namespace phyxel {

Vec3 velocity_at(const Pin& pin, const Vec3& x) {
  const Vec3 arm = x - apply(pin.pose.transform, pin.motion.pivot);
  return pin.pose.velocity + cross(pin.pose.angular_velocity, arm);
}

void move_to(Environment& environment, double time) {
  environment.time = time;
  for (Collider& collider : environment.colliders) move_to(collider, time);
  for (Pin& pin : environment.pins) pin.pose = pose_at(pin.motion, time);
}

}  // namespace phyxel
