#pragma once

#include "phyxel/geometry/heightfield_view.h"
#include "phyxel/geometry/mesh_distance_view.h"
#include "phyxel/geometry/primitives.h"
#include "phyxel/geometry/shape.h"

namespace phyxel {

/// Non-owning view of a Shape, on the host or on a device.
struct ShapeView {
  const Shape::Node* nodes = nullptr;
  const MeshDistanceView* meshes = nullptr;
  const HeightfieldView* heightfields = nullptr;
  std::size_t node_count = 0, mesh_count = 0, heightfield_count = 0;
};

/// Views of what a Shape owns.
struct SolidViews {
  std::vector<MeshDistanceView> meshes;
  std::vector<HeightfieldView> heightfields;
};

inline ShapeView view_of(const Shape& shape) {
  ShapeView view;
  view.nodes = shape.nodes.data();
  view.node_count = shape.nodes.size();
  if (shape.views) {
    view.meshes = shape.views->meshes.data();
    view.heightfields = shape.views->heightfields.data();
    view.mesh_count = shape.views->meshes.size();
    view.heightfield_count = shape.views->heightfields.size();
  }
  return view;
}

inline namespace PHYXEL_BACKEND {

/// Distance and normal of a primitive in its own frame.
PHYXEL_FN SignedDistance primitive(const ShapeView& shape, const Shape::Node& node, const Vec3& x) {
  using Op = Shape::Op;
  const Real* p = node.p;
  switch (node.op) {
    case Op::box:
      return distance_to_box(x, {p[0], p[1], p[2]}, p[3]);
    case Op::sphere:
      return distance_to_sphere(x, p[0]);
    case Op::ellipsoid:
      return distance_to_ellipsoid(x, {p[0], p[1], p[2]});
    case Op::cylinder:
      return distance_to_cylinder(x, p[0], p[1]);
    case Op::capsule:
      return distance_to_capsule(x, p[0], p[1]);
    case Op::cone:
      return distance_to_cone(x, p[0], p[1], p[2]);
    case Op::torus:
      return distance_to_torus(x, p[0], p[1]);
    case Op::heightfield:
      return signed_distance(shape.heightfields[node.index], x);
    case Op::mesh:
      return signed_distance(shape.meshes[node.index], x);
    default:
      return {x[1], {0, 1, 0}};
  }
}

PHYXEL_FN SignedDistance posed(const ShapeView& shape, const Shape::Node& node, const Vec3& x) {
  const Vec3 local = apply_inverse(node.pose, x) / node.scale;
  const SignedDistance d = primitive(shape, node, local);
  return {d.distance * node.scale, rotate(node.pose, d.normal)};
}

PHYXEL_FN SignedDistance negated(const SignedDistance& d) {
  return {-d.distance, -d.normal};
}

/// Smaller of two distances, melted together over `blend` by a parabola. The gradient is the same
/// mix as that of the distances (the parabola's own terms cancel), so it stays 1-Lipschitz.
PHYXEL_FN_APART SignedDistance melted(const SignedDistance& a, const SignedDistance& b,
                                      Real blend) {
  const Real gap = b.distance - a.distance;
  if (abs(gap) >= blend) return gap > 0 ? a : b;
  const Real of_a = Real(0.5) + Real(0.5) * gap / blend, of_b = 1 - of_a;
  return {a.distance * of_a + b.distance * of_b - blend * of_a * of_b,
          a.normal * of_a + b.normal * of_b};
}

PHYXEL_FN SignedDistance combined(Shape::Op op, const SignedDistance& a, const SignedDistance& b,
                                  Real blend) {
  if (op == Shape::Op::unite) return melted(a, b, blend);
  if (op == Shape::Op::intersect) return negated(melted(negated(a), negated(b), blend));
  return negated(melted(negated(a), b, blend));
}

/// True where the second operand, which begins at `node` and ends before `operation`, is so far
/// from p that the first operand's distance is the result, to the last bit.
PHYXEL_FN bool can_skip(const Shape::Node& node, const Shape::Node& operation, Real distance,
                        const Vec3& p) {
  const Real needed = (operation.op == Shape::Op::unite ? distance : -distance) + operation.p[0];
  const Real least = needed + node.guard_radius;
  return least < 0 || length_squared(p - node.guard_centre) > least * least;
}

/// As in shape.h.
PHYXEL_FN_APART SignedDistance signed_distance(const ShapeView& shape, const Vec3& p) {
  SignedDistance stack[Shape::max_depth];
  int top = -1;
  for (std::size_t k = 0; k < shape.node_count; ++k) {
    const Shape::Node& node = shape.nodes[k];
    if (node.skip > 0 && can_skip(node, shape.nodes[k + node.skip - 1], stack[top].distance, p)) {
      k += node.skip - 1;
    } else if (is_binary(node.op)) {
      --top;
      stack[top] = combined(node.op, stack[top], stack[top + 1], node.p[0]);
    } else if (node.op == Shape::Op::complement) {
      stack[top] = negated(stack[top]);
    } else {
      stack[++top] = posed(shape, node, p);
    }
  }
  if (top < 0) return {Real(1e30), {0, 1, 0}};
  const Real l = length(stack[0].normal);
  const Vec3 normal = l > Real(1e-6) ? stack[0].normal / l : Vec3{0, 1, 0};
  return {stack[0].distance, normal};
}

}  // namespace PHYXEL_BACKEND
}  // namespace phyxel
