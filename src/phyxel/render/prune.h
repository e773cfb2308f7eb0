#pragma once

#include "phyxel/geometry/shape.h"

namespace phyxel::render {

/// The part of a shape that decides its distance within `radius` of `centre`: operands that lie
/// farther behind than the ball is wide are left out. Equal to the whole within the ball. After the
/// idea of Keeter 2020.
Shape pruned(const Shape& shape, const Vec3& centre, Real radius);

}  // namespace phyxel::render
