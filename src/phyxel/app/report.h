#pragma once

#include <string>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// What `phyxel check` prints: particles, memory, stable steps and why, materials, warnings.
std::string check_report(const Scene& scene);

}  // namespace phyxel
