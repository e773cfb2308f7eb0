#pragma once

#include "phyxel/scene/world.h"

namespace phyxel {

/// Bytes that particles may take: those given, or for 0 four fifths of the memory free now.
double memory_budget(double given);

/// "1.2 GB", "35 MB".
std::string readable_bytes(double bytes);

/// Bytes that the particles of the world take, as MethodInfo::bytes_per_particle counts them.
double particle_bytes(const World& world);

/// Why the next frame must not be computed: emitters would emit more than the budget or the free
/// memory holds. Empty where it may.
std::string memory_shortage(const World& world);

/// Closes all emitters for good.
void stop_emitting(World& world);

}  // namespace phyxel
