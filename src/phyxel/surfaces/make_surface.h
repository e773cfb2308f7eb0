#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/matter/surface_mesh.h"
#include "phyxel/surfaces/surface_options.h"

namespace phyxel {

/// Particles of a frame that get a surface of their own: those of each material in the order of
/// their numbers, or all.
std::vector<std::vector<std::size_t>> material_groups(const Frame& frame, bool separate);

struct SurfaceScratch;  // surface_scratch.h: memory that is reused from frame to frame

/// The surface of a frame's particles, with normals and with means of all attributes of particles
/// at its vertices. Materials come in the order of their numbers.
SurfaceMesh make_surface(const Exec& exec, const Frame& frame, const SurfaceOptions& options,
                         SurfaceScratch& scratch);
/// The same for one frame alone.
SurfaceMesh make_surface(const Exec& exec, const Frame& frame, const SurfaceOptions& options);

}  // namespace phyxel
