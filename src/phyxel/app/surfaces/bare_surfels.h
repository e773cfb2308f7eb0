#pragma once

#include <string>
#include <vector>

#include "phyxel/surfaces/surfels/surfels.h"

namespace phyxel {

/// Warns where surfels of a body lie far from all of its particles, because parts of it are thinner
/// than their spacing (m): such parts do not collide, and move as what is nearest to them does.
/// Empty where there are none. `surface`, `body`: paths in the scene.
std::string bare_surfels_warning(const Exec& exec, const Surfels& surfels,
                                 const std::vector<Vec3>& points, Real spacing,
                                 const std::string& surface, const std::string& body);

}  // namespace phyxel
