#pragma once

#include "phyxel/scene/scene.h"

namespace phyxel {

/// Where the particles of a body are at the start, before anything settles, in the order of their
/// ids.
std::vector<Vec3> body_points(const Scene& scene, const BodySpec& body);

}  // namespace phyxel
