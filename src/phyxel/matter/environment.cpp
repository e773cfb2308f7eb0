#include "phyxel/matter/environment.h"

namespace phyxel {

Vec3 velocity_at(const Pin& pin, const Vec3& x) {
  return velocity_at(pin.pose, pin.motion.pivot, x);
}

void move_to(Environment& environment, double time) {
  environment.time = time;
  for (Collider& collider : environment.colliders) move_to(collider, time);
  for (Pin& pin : environment.pins) pin.pose = pose_at(pin.motion, time);
}

}  // namespace phyxel
