#pragma once

#include "phyxel/matter/surface_mesh.h"
#include "phyxel/surfaces/marching_cubes.h"

namespace phyxel {

struct SurfaceOptions {
  FieldOptions field;
  Real cell = 0;         // m, of the grid; 0: half of the spacing
  int smooth = 0;        // passes of smoothing that keep the volume
  bool separate = true;  // a closed surface for each material instead of one around all
};

template <class Fields>
void describe(Fields& field, SurfaceOptions& o) {
  describe(field, o.field);
  field("cell", o.cell, "m", workable, "width of the grid; half of the spacing when absent")
      .used_by = around_points;
  field("smooth", o.smooth, "", {0, 1000, true, true, ""}, "passes of smoothing; the volume stays")
      .used_by = around_points;
}

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
