#pragma once

#include "phyxel/geometry/triangle_bvh.h"

namespace phyxel {

/// Generalised winding number by a tree of dipoles. Jacobson et al. 2013; Barill et al. 2018.
struct WindingTree {
  /// Dipoles that approximate the children of a node of the BVH far away.
  struct Dipoles {
    TriangleBvh::Lanes centre[3];       // of the area
    TriangleBvh::Lanes area[3];         // sum of area normals
    TriangleBvh::Lanes radius_squared;  // of the sphere about the centre that holds the child's box
  };
  std::vector<Dipoles> nodes;  // one for each node of the BVH
};

WindingTree make_winding_tree(const TriangleBvh& bvh);

/// How often the surface goes round p: 1 inside and 0 outside of a closed mesh, in between near a
/// hole. A dipole stands for its triangles beyond `far_factor` of its radius: errors stay below 0.1
/// for 2, and fall with the square.
Real winding_number(const TriangleBvh& bvh, const WindingTree& tree, const Vec3& p,
                    Real far_factor = 2);

}  // namespace phyxel
