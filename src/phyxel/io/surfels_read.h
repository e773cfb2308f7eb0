#pragma once

#include <filesystem>
#include <string>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// The surfels of a file of points, as a set of that name, relative to `origin`: points with a
/// normal, and half axes (as write_set writes them) or a radius. InputError where it has none.
FrameSet read_surfels(const std::filesystem::path& path, const std::string& name,
                      const Vec3d& origin);

/// The same of points that were read.
FrameSet surfels_in(const Frame& points, const std::string& name);

}  // namespace phyxel
