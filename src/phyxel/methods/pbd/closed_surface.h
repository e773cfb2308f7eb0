#pragma once

#include <string>
#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel::pbd {

/// Why triangles do not enclose a volume, with the place of the first edge that is in the way;
/// empty where they do: each edge belongs to two triangles, which run along it in opposite ways.
std::string why_not_closed(const std::vector<Int3>& triangles, const std::vector<Vec3>& points);

/// m^3; below zero where the fronts are inside.
double enclosed_volume(const std::vector<Int3>& triangles, const std::vector<Vec3>& points);

}  // namespace phyxel::pbd
