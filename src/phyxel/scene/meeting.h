#pragma once

#include "phyxel/geometry/shape.h"
#include "phyxel/scene/read_shape.h"

namespace phyxel {

/// Bodies of different methods do not interact. Warns of those that may meet; `bounds` has the box
/// of every body at the start, `files` the particle files that were read.
std::vector<std::string> meeting_warnings(const Scene& scene, const std::vector<Bounds>& bounds,
                                          ShapeFiles& files);

}  // namespace phyxel
