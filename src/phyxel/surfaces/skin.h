#pragma once

#include "phyxel/core/exec.h"
#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

struct SkinOptions {
  Real radius = 0;  // m, of the kernel around a vertex; 0: 2.5 spacings of the particles
  Index least = 4;  // particles that move a vertex, however far they are
  Index most = 16;  // and no more than these
};

/// A mesh that particles move, and for each of its vertices the particles that move it.
struct Skin {
  SurfaceMesh rest;
  Column<Vec3> rest_positions;  // of the particles, m
  Index most = 0;               // entries of each vertex, the heaviest first
  Column<Index> particle;
  Column<Real> weight;  // those of a vertex add up to 1; 0: no more entries
};

/// Binds the vertices of a mesh to the particles around them at rest. Throws InputError where there
/// are no particles or an option makes no sense.
Skin make_skin(const Exec& exec, const SurfaceMesh& rest, const Column<Vec3>& rest_positions,
               const SkinOptions& options);

/// The moved mesh: v = sum w (A (v0 - x0) + x) / sum w over the particles of a vertex, with x
/// now, x0 at rest and the local transformation A of each particle (Wicke et al. 2006, eq. 19 put
/// right: docs/surfaces.md#skinning). Triangles, texture coordinates and attributes are those at
/// rest.
void pose(const Exec& exec, const Skin& skin, const Column<Vec3>& positions,
          const Column<Mat3>& transforms, SurfaceMesh& out);

}  // namespace phyxel
