#pragma once

#include <vector>

#include "phyxel/methods/method.h"

// Longest step with respect to the colliders and pins that matter will meet. Steps are announced
// one ahead, so that all limits hold for two of them.

namespace phyxel::mpm {

/// m, bounds of the particles of blocks from `low` to `high` until they are sorted again: tiles
/// reach two cells beyond their blocks.
Bounds matter_bounds(const Int3& low, const Int3& high, Real dx);

/// The longest explicit step for matter with these speeds, m/s, under gravity, m/s^2. `room`: cells
/// that a particle may cross at most.
StableStep explicit_step(double wave, double speed, double gravity, double dx, double room);

/// The longest implicit step: elastic forces set no limit, but no particle may leave its tile.
StableStep implicit_step(const Environment& environment, double speed, double dx);

/// The longest step for viscosity with a diffusivity, m^2/s.
StableStep viscous_step(double diffusivity, double dx);

/// Time that a path takes with a growing speed: dt (speed + acceleration dt) = path.
double fall_time(double path, double speed, double acceleration);

/// Upper bound of the speed of colliders where they may touch matter, between two times, m/s.
double collider_speed(const Environment& environment, const Bounds& matter, double from, double to);

/// The same for pins, which move their particles. `arms`: m, from the pivot of each to the
/// farthest of its particles; less than 0 where it has none.
double pin_speed(const Environment& environment, const std::vector<Real>& arms, double from,
                 double to);

/// The limit, tightened for the motion of colliders and pins in this step and the next.
StableStep beside_obstacles(const StableStep& limit, const Environment& environment,
                            const Bounds& matter, const std::vector<Real>& arms, double dx);

}  // namespace phyxel::mpm
