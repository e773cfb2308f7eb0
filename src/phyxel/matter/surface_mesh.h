#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"
#include "phyxel/matter/frame.h"

namespace phyxel {

/// A surface as it is written and drawn: triangles with what their vertices know.
struct SurfaceMesh {
  TriangleMesh mesh;
  std::vector<Vec3> normals;            // outward, of length 1; one per vertex, or none
  std::vector<Vec<Real, 2>> texture;    // u, v; one per vertex, or none
  std::vector<FrameColumn> attributes;  // colour, temperature, velocity, ...: one value per vertex
};

}  // namespace phyxel
