#pragma once

#include <algorithm>

#include "phyxel/core/range.h"
#include "phyxel/core/scalar_ops.h"
#include "phyxel/core/vec.h"

namespace phyxel {

/// Where and when a force field is asked for what it does.
struct FieldPoint {
  Vec3 x;         // m
  Real time = 0;  // s
};

/// What a force field does to matter at a point, whatever its mass: it accelerates it, and draws
/// its velocity towards one of the field's own, w' = -(rate + quadratic |w|) w for w = v -
/// velocity.
struct FieldEffect {
  Vec3 acceleration = Vec3::zero();  // m/s^2
  Vec3 velocity = Vec3::zero();      // m/s
  Real rate = 0;                     // 1/s
  Real quadratic = 0;                // 1/m
  Real squared_frequency = 0;        // 1/s^2, of a swing about the point: limits the step
};

}  // namespace phyxel
