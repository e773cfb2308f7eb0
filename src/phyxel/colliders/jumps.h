#pragma once

#include <vector>

#include "phyxel/colliders/motion.h"
#include "phyxel/core/vec.h"

namespace phyxel {

struct MeshSequence;

/// A move of a collider that no step can follow: from one key to the next at once or within a step,
/// or by twenty spacings of the particles in a step. It does not throw out matter in its way: the
/// solid is withdrawn behind its surface by as much as matter can be inside, and comes out again at
/// a limited speed.
struct Jump {
  double from = 0;    // s
  double to = 0;      // s; the same where it takes no time
  Real distance = 0;  // m, that the surface moves
  Real depth = 0;     // m, behind the surface to which the solid is withdrawn
  Real speed = 0;     // m/s, at which it comes out again
};

/// What counts as a jump, and how fast solids come out again.
struct JumpLimits {
  Real spacing = 0;     // m, of the particles
  double dt = 0;        // s, a step
  Real push_speed = 0;  // m/s
};

/// Jumps of a solid within `bounds` (before its motion) in order of time.
std::vector<Jump> find_jumps(const Motion& motion, const Bounds& bounds, const JumpLimits& limits);
std::vector<Jump> find_jumps(const MeshSequence& sequence, const JumpLimits& limits);

/// How far a solid is withdrawn at a time, and at which speed it comes out; {0, 0}: as it is.
struct Withdrawal {
  Real depth = 0;  // m
  Real speed = 0;  // m/s; 0 while it jumps
};
Withdrawal withdrawal_at(const std::vector<Jump>& jumps, double time);

/// Whether one of the jumps begins, ends or goes on after `from`, up to `to`.
bool jumps_between(const std::vector<Jump>& jumps, double from, double to);

}  // namespace phyxel
