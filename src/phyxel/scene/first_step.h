#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// A frame of more steps than these would take forever.
constexpr double most_steps = 1e8;

/// Refuses a world whose first frame would take more steps than that, with the value that causes
/// it.
void check_first_step(World& world);

/// Throws the message of a method about the world at the start, with the place of the value or body
/// that it names.
[[noreturn]] void refuse_start(const World& world, const std::string& message);

}  // namespace phyxel
