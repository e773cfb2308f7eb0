#pragma once

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// Round tubes with half balls at their ends around the edges of a set: ropes, rods and threads.
/// Consecutive edges share a smooth axis through their vertices; where more than two meet, each
/// has an end. Texture coordinates: u from 0 to 1 along it, v from 0 to 1 and back around it.
/// Attributes at the tube are those of the nearest vertex along the axis.
SurfaceMesh tubes_around(const FrameSet& lines, Real radius, const Vec3d& origin);

}  // namespace phyxel
