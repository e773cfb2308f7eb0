#pragma once

#include "phyxel/geometry/mesh_distance.h"
#include "phyxel/geometry/winding_view.h"

namespace phyxel {

/// Non-owning view of a MeshDistance, on the host or on a device.
struct MeshDistanceView {
  TriangleBvhView bvh;
  const WindingTree::Dipoles* dipoles = nullptr;  // one for each node of the BVH
  Bounds bounds;
};

inline MeshDistanceView view_of(const MeshDistance& mesh) {
  return {view_of(mesh.bvh), mesh.winding.nodes.data(), mesh.bounds};
}

inline namespace PHYXEL_BACKEND {

PHYXEL_FN_APART SignedDistance signed_distance(const MeshDistanceView& mesh, const Vec3& p) {
  const NearestPoint nearest = nearest_point(mesh.bvh, p);
  const bool within = mesh.bounds.contains(p) && winds_around(mesh.bvh, mesh.dipoles, p);
  return signed_distance(mesh.bvh, mesh.bounds, nearest, within, p);
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
