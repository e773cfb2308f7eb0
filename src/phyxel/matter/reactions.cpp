#include "phyxel/matter/reactions.h"

namespace phyxel {

std::string word_of(ReactionKind kind) {
  constexpr const char* words[] = {"collider", "pin",     "emitter", "inflow",
                                   "outflow",  "damping", "fields",  "gravity"};
  return words[static_cast<int>(kind)];
}

Vec3d torque_pivot(const Motion& motion, const Pose& pose, const Vec3d& origin) {
  for (const Vec3& rotation : motion.rotations)
    if (length_squared(rotation) > 0)
      return cast<double>(apply(pose.transform, cast<Real>(motion.pivot)));
  return -origin;
}

ReactionSum combine(const ReactionSum& a, const ReactionSum& b) {
  return {
      a.impulse + b.impulse,        a.friction + b.friction,           a.pressed + b.pressed,
      a.angular + b.angular,        a.pivot_angular + b.pivot_angular, a.peak_force + b.peak_force,
      a.peak_torque + b.peak_torque};
}

}  // namespace phyxel
