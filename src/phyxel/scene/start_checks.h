#pragma once

#include "phyxel/scene/world.h"

// What can be wrong with a world at its start, and why steps become small.

namespace phyxel {

/// A frame of more steps than these would take forever.
constexpr double most_steps = 1e8;

/// Refuses a world whose first frame would take more steps than that, with the value that causes
/// it.
void check_first_step(World& world);

/// Throws the message of a method about the world at the start, with the place of the value or body
/// that it names.
[[noreturn]] void refuse_start(const World& world, const std::string& message);

/// Finds where colliders jump, so that they push matter out of their way slowly, and notes it in
/// world.notes. Refuses pins and emitters that jump: the matter that they hold would be torn off,
/// or put into other matter.
void foresee_jumps(World& world);

/// Which particle, material and collider need a step this small: the fastest particle, or the
/// most compressed pair, and the collider beside it. A search over all particles: for messages.
std::string step_cause(World& world, const StableStep& limit);

}  // namespace phyxel
