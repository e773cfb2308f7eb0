#pragma once

#include <memory>
#include <vector>

#include "phyxel/geometry/mesh.h"
#include "phyxel/geometry/transform.h"

namespace phyxel {

struct MeshDistance;  // mesh_distance.h: BVH and signed distance of a triangle mesh
struct Heightfield;   // heightfield.h
struct SolidViews;    // shape_view.h

/// Distance to a surface (negative inside) and the direction in which it grows: a unit vector, the
/// outward normal on the surface.
struct SignedDistance {
  Real distance;  // m
  Vec3 normal;
};

/// A solid described by a signed distance: primitives, operations and transforms as a small program
/// in postfix order. Plain data: copied freely, evaluated on any thread.
struct Shape {
  enum class Op {
    box,
    sphere,
    ellipsoid,
    cylinder,
    capsule,
    cone,
    torus,
    plane,
    heightfield,
    mesh,  // push one
    unite,
    intersect,
    subtract,   // pop two, push one
    complement  // inside out
  };
  struct Node {
    Op op = Op::sphere;
    // Sizes of a primitive in the order of primitives.h, or p[0] = blend radius of an operation.
    Real p[4] = {0, 0, 0, 0};
    Transform pose = {};  // of a primitive
    Real scale = 1;       // of a primitive, uniform
    int index = -1;       // into meshes or heightfields
    // Where a second operand begins: it and its operation, `skip` nodes, change nothing wherever
    // the distance to this sphere is large enough. Set by the operations; 0 means no such sphere.
    int skip = 0;
    Vec3 guard_centre = {0, 0, 0};
    Real guard_radius = 0;
  };
  static constexpr int max_depth = 32;  // operands waiting for their operations
  std::vector<Node> nodes;
  int depth = 0;  // operands that wait at once while it is evaluated
  std::vector<std::shared_ptr<const MeshDistance>> meshes;
  std::vector<std::shared_ptr<const Heightfield>> heightfields;
  std::shared_ptr<const SolidViews> views;  // of these two, for evaluation; null: there are none
};

PHYXEL_FN bool is_binary(Shape::Op op) {
  return op == Shape::Op::unite || op == Shape::Op::intersect || op == Shape::Op::subtract;
}

/// Distance and normal at p. Exact for primitives; of the right sign and never too large for
/// operations, so that a step of that length does not cross the surface.
SignedDistance signed_distance(const Shape& shape, const Vec3& p);
inline bool inside(const Shape& shape, const Vec3& p) {
  return signed_distance(shape, p).distance < 0;
}

/// Box that holds the solid; infinite extents (plane, complement) are +-1e30.
Bounds bounds_of(const Shape& shape);
inline bool is_bounded(const Bounds& b) {
  return b.min[0] > -1e29 && b.min[1] > -1e29 && b.min[2] > -1e29 && b.max[0] < 1e29 &&
         b.max[1] < 1e29 && b.max[2] < 1e29;
}

// Primitives, centred at the origin; cylinder, capsule, cone stand along y. All lengths in m.
Shape shape_box(const Vec3& size, Real rounding = 0);
Shape shape_sphere(Real radius);
Shape shape_ellipsoid(const Vec3& radii);
Shape shape_cylinder(Real radius, Real height);
Shape shape_capsule(Real radius, Real height);  // height between the centres of the caps
Shape shape_cone(Real radius, Real top_radius, Real height);
Shape shape_torus(Real radius, Real thickness);  // ring radius in the xz plane, tube radius
Shape shape_plane(const Vec3& point, const Vec3& normal);  // solid below the plane
Shape shape_mesh(std::shared_ptr<const MeshDistance> mesh);
Shape shape_heightfield(std::shared_ptr<const Heightfield> field);

// Operations; blend is the radius over which the two surfaces melt together (0: sharp).
Shape unite(Shape a, const Shape& b, Real blend = 0);
Shape intersect(Shape a, const Shape& b, Real blend = 0);
Shape subtract(Shape a, const Shape& b, Real blend = 0);
Shape complement(const Shape& a);
Shape transformed(const Shape& a, const Transform& t, Real scale = 1);

}  // namespace phyxel
