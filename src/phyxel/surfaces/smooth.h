#pragma once

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Taubin's filter: each pass moves the vertices towards the mean of their neighbours and a little
/// farther back, which removes bumps without shrinking the body. The small loss of volume that
/// remains is made up for along the normals.
void smooth(TriangleMesh& mesh, int passes);

}  // namespace phyxel
