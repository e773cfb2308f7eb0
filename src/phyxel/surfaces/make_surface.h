#pragma once

#include "phyxel/matter/surface_mesh.h"
#include "phyxel/surfaces/marching_cubes.h"

namespace phyxel {

struct SurfaceOptions {
  FieldOptions field;
  Real cell = 0;         // m, of the grid; 0: half of the spacing
  int smoothing = 0;     // passes that keep the volume
  bool separate = true;  // a closed surface for each material instead of one around all
};

/// Particles of a frame that get a surface of their own: those of each material in the order of
/// their numbers, or all.
std::vector<std::vector<std::size_t>> material_groups(const Frame& frame, bool separate);

/// Memory that is reused from frame to frame.
struct SurfaceScratch {
  PointField field;
  SparseField grid;
};

/// The surface of a frame's particles, with normals and with means of all attributes of particles
/// at its vertices. Materials come in the order of their numbers.
SurfaceMesh make_surface(const Exec& exec, const Frame& frame, const SurfaceOptions& options,
                         SurfaceScratch& scratch);

}  // namespace phyxel
