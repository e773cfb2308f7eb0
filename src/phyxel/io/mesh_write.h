#pragma once

#include <filesystem>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Binary little-endian PLY of a triangle mesh, written atomically.
void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh);

/// Wavefront OBJ with as many digits as give the same bits back, written atomically.
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

}  // namespace phyxel
