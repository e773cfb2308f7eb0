#pragma once

#include "phyxel/app/folder/output_folder.h"
#include "phyxel/scene/world.h"

namespace phyxel {

// Sets of frames as files: sets/NAME/frame_NNNN.*, where output.sets asks for them, and surfels
// with the surfaces, surface/NAME/frame_NNNN.*

/// Those that a frame has.
std::vector<std::filesystem::path> set_files(const OutputFolder& folder, const OutputSpec& output,
                                             const Frame& frame);

/// Those that can be made from its particles alone: the meshes of bodies.
std::vector<std::filesystem::path> mesh_files(const OutputFolder& folder, const OutputSpec& output,
                                              const World& world, int frame);

/// The file of surfels in a run's folder, in the first of the formats that there is; empty where
/// there is none.
std::filesystem::path surfels_on_disk(const OutputFolder& folder, const std::string& name,
                                      int frame);

/// The file of a body's mesh in a run's folder that can be read again; empty where there is none.
std::filesystem::path mesh_on_disk(const OutputFolder& folder, const std::string& name, int frame);

/// Of these surfaces of surfels, whatever the frame has in it.
std::vector<std::filesystem::path> surfel_files(const OutputFolder& folder,
                                                const OutputSpec& output,
                                                const std::vector<std::string>& names, int frame);

/// Writes the sets of a frame whose files are among `wanted`.
void write_sets(const OutputFolder& folder, const OutputSpec& output, const Frame& frame,
                const std::vector<std::filesystem::path>& wanted);

}  // namespace phyxel
