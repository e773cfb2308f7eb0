#pragma once

#include <vector>

#include "phyxel/core/range.h"
#include "phyxel/geometry/transform.h"

namespace phyxel {

/// How a motion passes from key to key. linear: at constant speed. smooth: with continuous
/// velocity, starting and ending at rest, never beyond the values of the two keys around. step:
/// jumps.
enum class Interpolation { linear, smooth, step };

/// Keyframes of position and rotation: one of each for each time, or none. No keys: at rest.
struct Motion {
  std::vector<double> times;    // s, rising
  std::vector<Vec3> positions;  // m, offset from where the shape was made
  std::vector<Vec3> rotations;  // degrees about x, then y, then z; 0 to 720 turns twice
  Vec3d pivot = Vec3d::zero();  // m, what rotations turn about
  Interpolation interpolation = Interpolation::linear;
};

template <class Fields>
void describe(Fields& field, Motion& m) {
  field("times", m.times, "s", any_number, "times of the keys, rising");
  field("positions", m.positions, "m", any_number,
        "where it has moved at each key, from where its shape was described");
  field("rotations", m.rotations, "degrees", any_number,
        "how it has turned at each key, about x, then y, then z");
  field("pivot", m.pivot, "m", any_number, "the point it turns about");
  field.choice("interpolation", m.interpolation, {"linear", "smooth", "step"}, "between keys");
}

/// Position, rotation and velocities at one time.
struct Pose {
  Transform transform;
  Vec3 velocity = Vec3::zero();          // m/s, of the pivot
  Vec3 angular_velocity = Vec3::zero();  // rad/s
};

/// The pose at `time` s. Before the first and from the last key on it is held, at rest. Velocities
/// are the exact derivatives of the pose; at a key, those after it.
Pose pose_at(const Motion& motion, double time);

/// The largest speeds of a motion between two times: of its pivot, m/s, and of its rotation, rad/s.
/// A jump from key to key has none.
struct LargestSpeeds {
  double velocity = 0, angular = 0;
};
LargestSpeeds largest_speeds(const Motion& motion, double from, double to);

inline namespace PHYXEL_BACKEND {

/// Velocity at x of a solid that moves with the pose, m/s; `pivot` is that of the motion.
PHYXEL_FN Vec3 velocity_at(const Pose& pose, const Vec3& pivot, const Vec3& x) {
  return pose.velocity + cross(pose.angular_velocity, x - apply(pose.transform, pivot));
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
