#include "phyxel/matter/environment.h"

namespace phyxel {

Vec3 velocity_at(const Pin& pin, const Vec3& x) {
  return velocity_at(pin.pose, cast<Real>(pin.motion.pivot), x);
}

void view_pins(const Environment& environment, Real dt, std::vector<PinView>& views) {
  views.clear();
  for (const Pin& pin : environment.pins) {
    const Pose before = pose_at(pin.motion, environment.time - dt);
    const Mat3 turn = pin.pose.transform.rotation * transpose(before.transform.rotation);
    const Vec3 shift = pin.pose.transform.translation - turn * before.transform.translation +
                       rotate(pin.pose.transform, pin.flow) * dt;
    views.push_back({pin, {turn, shift}, pin.pose, cast<Real>(pin.motion.pivot)});
  }
}

void move_to(Environment& environment, double time) {
  environment.time = time;
  for (Collider& collider : environment.colliders) move_to(collider, time);
  for (Pin& pin : environment.pins) {
    pin.pose = pose_at(pin.motion, time);
    pin.pose.velocity += rotate(pin.pose.transform, pin.flow);
  }
}

}  // namespace phyxel
