#pragma once

#include "phyxel/geometry/triangle_bvh.h"

namespace phyxel {

/// Generalised winding number by a tree of dipoles. Jacobson et al. 2013; Barill et al. 2018.
struct WindingTree {
  struct Dipole {
    Vec3 centre;       // of the area
    Vec3 area;         // sum of area normals
    Real far_squared;  // beyond this squared distance the dipole stands for its triangles
  };
  std::vector<Dipole> dipoles;  // one for each node of the BVH
};

WindingTree make_winding_tree(const TriangleBvh& bvh);

/// How often the surface goes round p: 1 inside and 0 outside of a closed mesh, in between near a
/// hole.
Real winding_number(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p);

/// Part of the sphere about p that the triangle covers, in windings (4 pi = 1). Van Oosterom and
/// Strackee 1983, eq. 8.
Real winding_of(const TriangleBvh::Triangle& t, const Vec3& p);

}  // namespace phyxel
