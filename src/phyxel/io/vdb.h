#pragma once

#include <filesystem>

#include "phyxel/surfaces/volumes.h"

namespace phyxel {

/// Whether this build has OpenVDB.
bool can_write_vdb();

/// OpenVDB grids of floats for Houdini, Blender and others, one voxel for each node:
///   surface      level set of all bodies together: distance, m, negative inside, 3 voxels wide
///   surface_<n>  the same for material n, where there are several
///   density      fog volume: the part of space that is filled, about 1 deep inside
/// The same bytes each time. Without particles the grids are there and empty. InputError where this
/// build has no OpenVDB.
void write_vdb(const std::filesystem::path& path, const Volumes& volumes);
/// The bytes of such a file; `shown` stands in messages.
std::string vdb_bytes(const Volumes& volumes, const std::string& shown);

}  // namespace phyxel
