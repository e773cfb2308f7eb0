#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/scene/scene.h"

namespace phyxel {

/// What `phyxel check` prints: particles, memory, stable steps and why, materials, warnings.
/// `memory`: bytes that particles may take; 0: four fifths of what is free.
std::string check_report(const Scene& scene, double memory = 0);

/// Draws how pairs of particles behave, a file MATERIAL.svg for each material whose method can be
/// drawn. Returns the files; throws InputError where the scene has no such material.
std::vector<std::filesystem::path> write_diagrams(const Scene& scene,
                                                  const std::filesystem::path& folder);

}  // namespace phyxel
