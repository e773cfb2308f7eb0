#pragma once

#include <string>
#include <vector>

#include "phyxel/colliders/motion.h"

// What acted on matter from outside, for engineers: forces on walls, weights, thrusts.

namespace phyxel {

/// What acts. inflow: the momentum that the new matter of an emitter brings along; outflow: what
/// removed matter takes with it. damping: the loss of momentum by a damping of all motion, as that
/// of lennard_jones. fields: all force fields together.
enum class ReactionKind { collider, pin, emitter, inflow, outflow, damping, fields, gravity };

/// The force on matter by one collider, pin or the like over a frame; matter exerts the opposite
/// force on it. Means are those over the time of the frame, peaks those over its steps.
struct Reaction {
  ReactionKind kind = ReactionKind::collider;
  std::string name;
  Vec3d force = Vec3d::zero();          // N, mean
  double peak_force = 0;                // N, the largest of a step
  double normal_force = 0;              // N, mean sum of what presses matter away from surfaces
  Vec3d friction = Vec3d::zero();       // N, mean, the part of the force along surfaces
  bool has_torque = true;               // false: it is not counted
  Vec3d torque = Vec3d::zero();         // N m, mean, about the pivot where it is at each step
  double peak_torque = 0;               // N m, the largest of a step
  Vec3d pivot = Vec3d::zero();          // m, in the world, at the end of the frame
  Vec3d origin_torque = Vec3d::zero();  // N m, mean, about the origin of the world
};

/// The word for files: "collider".
std::string word_of(ReactionKind kind);

/// Impulses over some steps, as a method counts them. Positions are relative to the scene's origin.
struct ReactionSum {
  Vec3d impulse = Vec3d::zero();        // N s, on matter
  Vec3d friction = Vec3d::zero();       // N s, along surfaces
  double pressed = 0;                   // N s, along normals
  Vec3d angular = Vec3d::zero();        // N m s, about the scene's origin
  Vec3d pivot_angular = Vec3d::zero();  // N m s, about the pivot
  double peak_force = 0;                // N
  double peak_torque = 0;               // N m
};

/// The point that torques are counted about, relative to the scene's origin: that about which a
/// motion turns, where it is now; the origin of the world where nothing turns.
Vec3d torque_pivot(const Motion& motion, const Pose& pose, const Vec3d& origin);

/// a + b; the peak of both together is no larger than the sum of their peaks.
ReactionSum combine(const ReactionSum& a, const ReactionSum& b);

/// What a method has counted: empty where it counts none.
struct ReactionSums {
  std::vector<ReactionSum> colliders, pins;  // one each of the environment's
  ReactionSum damping;
  Vec3d fields = Vec3d::zero();   // N s, by force fields
  Vec3d gravity = Vec3d::zero();  // N s
  bool are_counted = false;       // false: the method does not count
};

}  // namespace phyxel
