#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// What `phyxel check` prints: particles, memory, stable steps and why, materials, warnings.
std::string check_report(const Scene& scene);

/// Draws how pairs of particles behave, a file MATERIAL.svg for each material whose method can be
/// drawn. Returns the files; throws InputError where the scene has no such material.
std::vector<std::filesystem::path> write_diagrams(const Scene& scene,
                                                  const std::filesystem::path& folder);

}  // namespace phyxel
