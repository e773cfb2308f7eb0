#pragma once

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// How a mesh hangs together.
struct MeshTopology {
  int pieces = 0;        // connected surfaces that face outwards
  int cavities = 0;      // connected surfaces that face inwards: hollows within a piece
  int euler_number = 0;  // vertices - edges + faces
  /// Holes that go through closed pieces, of all together: 0 for balls, 1 for a ring. The Euler
  /// number of one closed surface is 2 - 2 genus.
  int genus() const { return pieces + cavities - euler_number / 2; }
};
MeshTopology topology_of(const TriangleMesh& mesh);

}  // namespace phyxel
