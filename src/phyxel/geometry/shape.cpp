#include "phyxel/geometry/shape.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/geometry/shape_bounds.h"
#include "phyxel/geometry/shape_view.h"

namespace phyxel {
namespace {

using Op = Shape::Op;

void add_guard(Shape::Node& start, const Shape& second) {
  const Guard guard = guard_of(second);
  if (!(guard.radius < Real(1e15))) return;
  start.skip = static_cast<int>(second.nodes.size()) + 1;
  start.guard_centre = guard.centre;
  start.guard_radius = guard.radius;
}

void make_views(Shape& shape) {
  SolidViews views;
  for (const auto& mesh : shape.meshes) views.meshes.push_back(view_of(*mesh));
  for (const auto& field : shape.heightfields) views.heightfields.push_back(view_of(*field));
  shape.views = std::make_shared<SolidViews>(std::move(views));
}

void append(Shape& to, const Shape& from) {
  const int mesh_offset = static_cast<int>(to.meshes.size());
  const int field_offset = static_cast<int>(to.heightfields.size());
  for (Shape::Node node : from.nodes) {
    if (node.op == Op::mesh) node.index += mesh_offset;
    if (node.op == Op::heightfield) node.index += field_offset;
    to.nodes.push_back(node);
  }
  to.meshes.insert(to.meshes.end(), from.meshes.begin(), from.meshes.end());
  to.heightfields.insert(to.heightfields.end(), from.heightfields.begin(), from.heightfields.end());
  if (from.views) make_views(to);
}

void require_not_negative(const char* what, Real value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError(fmt::format("{} = {} must be a number not below 0", what, value));
}
void require_positive(const char* what, Real value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{} = {} must be above 0", what, value));
}

Shape combine(Op op, Shape a, const Shape& b, Real blend) {
  require_not_negative("blend", blend);
  if (a.nodes.empty() || b.nodes.empty())
    throw InputError("an operation on an empty shape: give it two solids");
  // The deeper operand first keeps the stack shallow; subtract must keep its order.
  const bool swap = op != Op::subtract && b.depth > a.depth;
  const int depth = std::max(swap ? b.depth : a.depth, 1 + (swap ? a.depth : b.depth));
  if (depth > Shape::max_depth)
    throw InputError(
        fmt::format("shapes are nested {} deep, at most {} are possible: unite the "
                    "subtracted parts first",
                    depth, Shape::max_depth));
  Shape shape = swap ? b : std::move(a);
  const Shape& second = swap ? a : b;
  const std::size_t start = shape.nodes.size();
  append(shape, second);
  shape.nodes.push_back({.op = op, .p = {blend, 0, 0, 0}});
  shape.depth = depth;
  if (op != Op::intersect) add_guard(shape.nodes[start], second);
  return shape;
}

Shape single(Shape::Node node) {
  Shape shape;
  shape.nodes.push_back(node);
  shape.depth = 1;
  return shape;
}

/// A rotation that takes y to the unit vector n.
Mat3 rotation_of_y_to(const Vec3& n) {
  const Vec3 helper = std::abs(n[0]) < Real(0.7) ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  const Vec3 z = normalized(cross(helper, n));
  const Vec3 x = cross(n, z);
  return transpose(Mat3{{x, n, z}});
}

}  // namespace

SignedDistance signed_distance(const Shape& shape, const Vec3& p) {
  return signed_distance(view_of(shape), p);
}

Shape shape_box(const Vec3& size, Real rounding) {
  for (int k = 0; k < 3; ++k) require_positive("box.size", size[k]);
  require_not_negative("box.rounding", rounding);
  const Real limit = Real(0.5) * std::min({size[0], size[1], size[2]});
  if (rounding > limit)
    throw InputError(fmt::format("box.rounding = {} must be at most half the smallest edge, {}",
                                 rounding, limit));
  const Vec3 half = size * Real(0.5);
  return single({.op = Op::box, .p = {half[0], half[1], half[2], rounding}});
}
Shape shape_sphere(Real radius) {
  require_positive("sphere.radius", radius);
  return single({.op = Op::sphere, .p = {radius, 0, 0, 0}});
}
Shape shape_ellipsoid(const Vec3& radii) {
  for (int k = 0; k < 3; ++k) require_positive("ellipsoid.radii", radii[k]);
  return single({.op = Op::ellipsoid, .p = {radii[0], radii[1], radii[2], 0}});
}
Shape shape_cylinder(Real radius, Real height) {
  require_positive("cylinder.radius", radius);
  require_positive("cylinder.height", height);
  return single({.op = Op::cylinder, .p = {radius, height / 2, 0, 0}});
}
Shape shape_capsule(Real radius, Real height) {
  require_positive("capsule.radius", radius);
  require_not_negative("capsule.height", height);
  return single({.op = Op::capsule, .p = {radius, height / 2, 0, 0}});
}
Shape shape_cone(Real radius, Real top_radius, Real height) {
  require_not_negative("cone.radius", radius);
  require_not_negative("cone.top_radius", top_radius);
  require_positive("the larger radius of the cone", std::max(radius, top_radius));
  require_positive("cone.height", height);
  return single({.op = Op::cone, .p = {radius, top_radius, height / 2, 0}});
}
Shape shape_torus(Real radius, Real thickness) {
  require_positive("torus.radius", radius);
  require_positive("torus.thickness", thickness);
  return single({.op = Op::torus, .p = {radius, thickness, 0, 0}});
}
Shape shape_plane(const Vec3& point, const Vec3& normal) {
  require_positive("length of plane.normal", length(normal));
  return single({.op = Op::plane, .pose = {rotation_of_y_to(normalized(normal)), point}});
}
Shape shape_mesh(std::shared_ptr<const MeshDistance> mesh) {
  Shape shape = single({.op = Op::mesh, .index = 0});
  shape.meshes.push_back(std::move(mesh));
  make_views(shape);
  return shape;
}
Shape shape_heightfield(std::shared_ptr<const Heightfield> field) {
  Shape shape = single({.op = Op::heightfield, .index = 0});
  shape.heightfields.push_back(std::move(field));
  make_views(shape);
  return shape;
}

Shape unite(Shape a, const Shape& b, Real blend) {
  return combine(Op::unite, std::move(a), b, blend);
}
Shape intersect(Shape a, const Shape& b, Real blend) {
  return combine(Op::intersect, std::move(a), b, blend);
}
Shape subtract(Shape a, const Shape& b, Real blend) {
  return combine(Op::subtract, std::move(a), b, blend);
}
Shape complement(const Shape& a) {
  Shape shape = a;
  shape.nodes.push_back({.op = Op::complement});
  return shape;
}

Shape transformed(const Shape& a, const Transform& t, Real scale) {
  require_positive("scale", scale);
  Shape shape = a;
  for (Shape::Node& node : shape.nodes) {
    node.pose.translation *= scale;
    node.pose = compose(t, node.pose);
    node.guard_centre = apply(t, node.guard_centre * scale);
    node.guard_radius *= scale;
    if (is_binary(node.op))
      node.p[0] *= scale;
    else
      node.scale *= scale;
  }
  return shape;
}

}  // namespace phyxel
