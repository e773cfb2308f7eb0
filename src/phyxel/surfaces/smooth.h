#pragma once

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// Taubin's filter: each pass moves the vertices towards the mean of their neighbours and a little
/// farther back, so that bumps go and the body does not shrink. What volume is lost all the same is
/// given back along the normals.
void smooth(TriangleMesh& mesh, int passes);

}  // namespace phyxel
