#pragma once

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// Whether this build has OpenMesh.
bool can_decimate();

/// Takes vertices out of a closed surface, first where that changes its shape least, until about
/// `share` of its triangles are left (0 .. 1). What is left is closed, every edge with two
/// triangles, and the vertices that stay keep their places, normals, texture and attributes. No
/// piece has less than four triangles. InputError where this build has no OpenMesh.
void decimate(SurfaceMesh& surface, double share);

}  // namespace phyxel
