#include "phyxel/render/shape_mesh.h"

#include <algorithm>

#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel::render {
namespace {

/// Triangles that know nothing of each other, joined where their corners meet.
TriangleMesh joined(const std::vector<TriangleBvh::Triangle>& triangles, const Bounds& bounds) {
  TriangleMesh mesh;
  for (const TriangleBvh::Triangle& t : triangles) {
    const auto first = static_cast<Index>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {t.a, t.b, t.c});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  const Vec3 size = bounds.size();
  return welded(mesh, Real(1e-6) * std::max({size[0], size[1], size[2]}));
}

}  // namespace

std::optional<MeshObject> mesh_of(const ShapeObject& object) {
  if (object.shape.nodes.size() != 1) return std::nullopt;
  const Shape::Node& node = object.shape.nodes[0];
  MeshObject out{{}, {object.colour}, true, object.finish};
  if (node.op == Shape::Op::mesh) {
    out.mesh = object.shape.meshes[node.index]->mesh;
  } else if (node.op == Shape::Op::heightfield) {
    const Heightfield& field = *object.shape.heightfields[node.index];
    out.mesh = joined(field.bvh.triangles, field.bounds);
  } else {
    return std::nullopt;
  }
  for (Vec3& v : out.mesh.vertices) v = apply(object.pose, apply(node.pose, v * node.scale));
  return out;
}

}  // namespace phyxel::render
