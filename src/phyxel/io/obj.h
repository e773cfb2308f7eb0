#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// The vertices of a Wavefront OBJ file as points, with colours where `v` lines have them. Faces
/// and all else are left out.
Frame read_obj(const std::filesystem::path& path);
Frame parse_obj_points(std::string_view text, const std::string& file);

}  // namespace phyxel
