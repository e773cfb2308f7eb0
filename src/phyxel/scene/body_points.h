#pragma once

#include "phyxel/scene/read_shape.h"

namespace phyxel {

/// Where the particles of a body are at the start, before anything settles, in the order of their
/// ids.
std::vector<Vec3> body_points(const Scene& scene, const BodySpec& body, ShapeFiles& files);

/// A place in the world for messages, without what is left of rounding.
Vec3d world_place(const Scene& scene, const Vec3& x, Real spacing);

}  // namespace phyxel
