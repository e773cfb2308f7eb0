#pragma once

#include <filesystem>

#include "phyxel/surfaces/volumes.h"

namespace phyxel {

/// Whether volumes can be written: the module libphyxel_volumes.so, which knows OpenVDB, is found.
/// It is looked for, not loaded. In this order: the file that the environment variable
/// PHYXEL_VOLUMES names; the folder of the program; the folder of libraries it is installed with;
/// where the program looks for libraries.
bool can_write_vdb();

/// Why can_write_vdb() is false, and what helps.
std::string no_vdb_message();

/// Loads the module where that has not happened yet, so that what is missing is known before hours
/// of work. InputError where it is not found, Error where it cannot be loaded.
void open_volumes_module();

/// OpenVDB grids of floats for Houdini, Blender and others, one voxel for each node:
///   surface      level set of all bodies together: distance, m, negative inside, 3 voxels wide
///   surface_<n>  the same for material n, where there are several
///   density      fog volume: the part of space that is filled, about 1 deep inside
/// The same bytes each time. Without particles the grids are there and empty. Errors as of
/// open_volumes_module.
void write_vdb(const std::filesystem::path& path, const Volumes& volumes);
/// The bytes of such a file; `shown` stands in messages.
std::string vdb_bytes(const Volumes& volumes, const std::string& shown);

}  // namespace phyxel
