#pragma once

#include <vector>

#include "phyxel/core/vec.h"

namespace phyxel {

/// Triangles by vertex index, counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> vertices;   // m
  std::vector<Int3> triangles;  // indices into vertices
};

Bounds bounds_of(const TriangleMesh& mesh);

}  // namespace phyxel
