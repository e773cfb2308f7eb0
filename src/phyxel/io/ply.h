#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// Binary little-endian PLY with every column of the frame as properties of `vertex` (named by
/// component_names), time, frame index and units in comments. Written atomically.
void write_ply(const std::filesystem::path& path, const Frame& frame);

/// The points of any PLY file: properties of `vertex`, joined to vectors; other elements are
/// ignored. What write_ply wrote comes back bit for bit.
Frame read_ply(const std::filesystem::path& path);
Frame parse_ply(std::string_view bytes, const std::string& file);

}  // namespace phyxel
