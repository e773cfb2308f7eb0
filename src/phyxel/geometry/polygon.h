#pragma once

#include <vector>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// A triangle unless it repeats a corner.
void add_triangle(TriangleMesh& mesh, Index a, Index b, Index c);

/// Triangles of a simple polygon, by ear clipping along its mean normal: right for concave ones.
/// Corners are indices into mesh.vertices.
void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners);

}  // namespace phyxel
