#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"
#include "phyxel/matter/frame.h"

namespace phyxel {

/// A surface as it is written and drawn: triangles, and attributes of their vertices.
struct SurfaceMesh {
  TriangleMesh mesh;
  std::vector<Vec3> normals;            // outward, of length 1; one per vertex, or none
  std::vector<Vec<Real, 2>> texture;    // u, v; one per vertex, or none
  std::vector<FrameColumn> attributes;  // colour, temperature, velocity, ...: one value per vertex
  Vec3d origin = Vec3d::zero();         // m, where the zero of the vertices lies in the world
};

/// A mesh of a frame as a surface: with normals, its `texture` and all other columns as attributes.
SurfaceMesh surface_of(const FrameSet& mesh, const Vec3d& origin);

/// The same the other way: a set with this name.
FrameSet set_of(const SurfaceMesh& surface, const std::string& name);

/// The vertices in the world.
std::vector<Vec3d> world_vertices(const SurfaceMesh& surface);

/// The same surface with vertices relative to another origin.
SurfaceMesh rebased(SurfaceMesh surface, const Vec3d& origin);

}  // namespace phyxel
