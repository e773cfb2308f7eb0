#pragma once

#include "phyxel/methods/method.h"
#include "phyxel/methods/mpm/step.h"

// Errors of the solver, in words. Not for nvcc, which does not compile what formats them.

namespace phyxel::mpm {

/// Nodes of the grid have no images.
void refuse_periodic_box(const PeriodicBox& box);

[[noreturn]] void refuse_far_place(ParticleId id, const Vec3& x, double dx, double farthest);

[[noreturn]] void report_bad_particle(ParticleId id, const char* part);

/// Nodes that are not finite; `bad`: a particle that may be why.
[[noreturn]] void report_bad_nodes(const BadPoint& bad);

/// A step that is longer than what prepare() allows.
[[noreturn]] void report_long_step(const StableStep& longest, Real dt);

/// A step that is longer than the one before has announced.
[[noreturn]] void report_other_step(Real dt, Real announced);

}  // namespace phyxel::mpm
