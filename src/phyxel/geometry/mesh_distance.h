#pragma once

#include <memory>
#include <string>

#include "phyxel/geometry/shape.h"
#include "phyxel/geometry/winding_number.h"

namespace phyxel {

/// Signed distance of a triangle mesh: nearest point by a tree of boxes, sign by the generalised
/// winding number, which forgives small holes, overlaps and seams.
struct MeshDistance {
  TriangleMesh mesh;  // welded, facing outwards
  TriangleBvh bvh;
  WindingTree winding;
  Bounds bounds;  // m
};

/// Welds the mesh, turns it right side out and prepares it for queries. `name` stands in messages.
/// Throws InputError for a mesh that is empty, broken, flat or too open to have an inside.
std::shared_ptr<const MeshDistance> make_mesh_distance(TriangleMesh mesh, const std::string& name);

SignedDistance signed_distance(const MeshDistance& mesh, const Vec3& p);

}  // namespace phyxel
