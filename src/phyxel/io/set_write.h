#pragma once

#include <filesystem>
#include <string>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// The extension of the file of a set, without its dot: a mesh as surfaces are written, points as
/// particles are, surfels as surfaces where that format knows points alone (all "ply" where there
/// is none of them), lines as "vtp" and grids as "vti".
std::string set_extension(const FrameSet& set, const std::string& surface_format,
                          const std::string& particle_format);

/// A set of a frame into a file by its extension, with places in the world.
void write_set(const std::filesystem::path& path, const FrameSet& set, const Frame& frame);

/// VTK XML ImageData (.vti): a grid with its columns as point data.
void write_vti(const std::filesystem::path& path, const FrameSet& grid, const Vec3d& origin);

}  // namespace phyxel
