#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/matter/frame.h"

// Formats of particle files. A new one is a source file with its reader, writer or both, and a row
// of the table in points.cpp: scenes, the command line and the docs follow.

namespace phyxel {

/// Extensions that read_points knows, with their dots.
const std::vector<std::string>& point_file_extensions();

/// Particles from a file by its extension: at least `position`, and whatever else it holds.
Frame read_points(const std::filesystem::path& path);

/// Names of the formats that write_points knows: extensions without their dots.
const std::vector<std::string>& particle_formats();

/// Particles into a file by its extension, which is one of the formats.
void write_points(const std::filesystem::path& path, const Frame& frame);

}  // namespace phyxel
