#pragma once

#include "phyxel/surfaces/make_surface.h"
#include "phyxel/surfaces/sparse_field.h"

namespace phyxel {

/// Cells on either side of a surface in which a level set has distances.
constexpr Index level_set_band = 3;

/// Signed distance to a closed surface at the nodes within level_set_band cells of it, m, negative
/// inside; nodes of the same blocks beyond the band hold `outside`, on whichever side they are.
/// Cavities are outside. Fills `grid` and reuses its memory.
void make_level_set(const Exec& exec, const TriangleMesh& mesh, Real cell, SparseField& grid);

/// Share of space that the points of a field fill, at the nodes of a grid: about 1 deep inside, and
/// the sum over all nodes times the volume of a cell is the volume of all points. Fills `grid` and
/// reuses its memory.
void make_density(const Exec& exec, const PointField& field, Real cell, SparseField& grid);

/// The volume that the particles of one material fill.
struct BodyVolume {
  int material = 0;      // its number in the frame
  SparseField distance;  // from its surface, as make_level_set has it
  SparseField density;   // as make_density has it
};

/// A frame's particles on the nodes of one grid.
struct Volumes {
  Real cell = 0;  // m, between nodes; 0 where there are no particles and it was not given
  Vec3d origin = Vec3d::zero();  // m, where node 0 lies in the world
  std::vector<BodyVolume> bodies;
  TriangleMesh mesh;  // all the surfaces that the distances are from
};

/// The surfaces are those of make_surface with the same options and one width of cells for all,
/// where not given that for the first material. Without options.separate, or without an attribute
/// `material`, there is one body.
Volumes make_volumes(const Exec& exec, const Frame& frame, const SurfaceOptions& options,
                     SurfaceScratch& scratch);

}  // namespace phyxel
