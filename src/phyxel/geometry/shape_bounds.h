#pragma once

#include "phyxel/geometry/shape.h"

namespace phyxel {

/// A sphere whose distance is never above that of the shape; infinite for unbounded shapes.
struct Guard {
  Vec3 centre;
  Real radius;  // m
};
Guard guard_of(const Shape& shape);

}  // namespace phyxel
