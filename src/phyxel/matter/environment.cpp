#include "phyxel/matter/environment.h"

namespace phyxel {

void move_to(Environment& environment, double time) {
  environment.time = time;
  for (Collider& collider : environment.colliders) move_to(collider, time);
  for (Pin& pin : environment.pins) pin.pose = pose_at(pin.motion, time);
}

}  // namespace phyxel
