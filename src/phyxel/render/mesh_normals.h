#pragma once

#include "phyxel/geometry/mesh.h"
#include "phyxel/render/image.h"

namespace phyxel::render {

/// Unit normals at the three corners of every triangle: the mean, weighted by area, of the
/// triangles at the vertex that turn away by less than 40 degrees. Round parts look round, edges
/// stay edges.
std::vector<Vec3f> corner_normals(const TriangleMesh& mesh);

}  // namespace phyxel::render
