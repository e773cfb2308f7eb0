#pragma once

#include "reactions/cases.h"

// Scenes in which everything reacts at once.

namespace phyxel {

/// A block that slides on a floor and meets a paddle that swings, and one that a pin swings.
inline std::string busy_scene(const MethodCase& method, int dimensions) {
  return fmt::format(R"(
dimensions = {2}
fps = 20
[world]
gravity = [0.0, -9.81, 0.0]
[material.m]
{0}
[body.falls]
material = "m"
shape = {{ type = "box", centre = [0, 0.35, 0], size = [0.6, 0.6, 0.4] }}
spacing = {1}
velocity = [-0.5, -1.0, 0.0]
[body.held]
material = "m"
shape = {{ type = "box", centre = [2, 1.35, 0], size = [0.4, 0.9, 0.4] }}
spacing = {1}
[collider.floor]
shape = {{ type = "plane" }}
friction = 0.3
restitution = 0.3
[collider.paddle]
shape = {{ type = "box", centre = [-0.5, 0.4, 0], size = [0.3, 0.8, 2] }}
motion = {{ times = [0, 1], positions = [[0, 0, 0], [0.6, 0, 0]] }}
[pin.hand]
body = "held"
shape = {{ type = "box", centre = [2, 1.7, 0], size = [1, 0.25, 1] }}
[pin.hand.motion]
times = [0, 1]
positions = [[0, 0, 0], [0, 0.4, 0]]
rotations = [[0, 0, 0], [0, 0, 60]]
pivot = [2, 1.7, 0]
)",
                     method.material, method.spacing, dimensions);
}

inline Vec3d sum_of_forces(const World& world) {
  Vec3d sum = Vec3d::zero();
  for (const Reaction& r : reactions(world)) sum += r.force;
  return sum;
}

}  // namespace phyxel
