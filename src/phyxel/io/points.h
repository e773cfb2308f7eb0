#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// Extensions that read_points knows, with their dots.
const std::vector<std::string>& point_file_extensions();

/// Particles from a file by its extension: at least `position`, and whatever else it holds.
Frame read_points(const std::filesystem::path& path);

}  // namespace phyxel
