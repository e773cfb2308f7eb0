#include "phyxel/geometry/shape_bounds.h"

#include <algorithm>
#include <vector>

#include "phyxel/geometry/heightfield.h"
#include "phyxel/geometry/mesh_distance.h"

namespace phyxel {
namespace {

using Op = Shape::Op;
constexpr Real infinite = Real(1e30);

Bounds everything() {
  return {Vec3::filled(-infinite), Vec3::filled(infinite)};
}
Bounds grown(Bounds b, Real by) {
  b.min -= Vec3::filled(by);
  b.max += Vec3::filled(by);
  return b;
}
Bounds overlap(const Bounds& a, const Bounds& b) {
  return {max(a.min, b.min), min(a.max, b.max)};
}

/// Half space below the plane through `pose`: bounded only where the normal is an axis.
Bounds plane_bounds(const Transform& pose) {
  Bounds b = everything();
  for (int k = 0; k < 3; ++k) {
    const Real along = pose.rotation[k][1];
    if (along > Real(1 - 1e-6)) b.max[k] = pose.translation[k];
    if (along < Real(-1 + 1e-6)) b.min[k] = pose.translation[k];
  }
  return b;
}

/// Box around a box that has been moved.
Bounds moved(const Bounds& box, const Transform& pose, Real scale) {
  const Vec3 centre = apply(pose, box.centre() * scale);
  Vec3 reach;
  for (int k = 0; k < 3; ++k) {
    const Vec3& row = pose.rotation[k];
    reach[k] = dot({std::abs(row[0]), std::abs(row[1]), std::abs(row[2])}, box.size()) / 2 * scale;
  }
  return {centre - reach, centre + reach};
}

/// How far a primitive centred at its origin reaches along the world axis whose row of the rotation
/// is `row`: its support function.
Real reach(const Shape::Node& node, const Vec3& row) {
  const Real* p = node.p;
  const Real along = std::abs(row[1]);
  const Real across = std::sqrt(std::max(Real(0), 1 - along * along));
  switch (node.op) {
    case Op::box: {
      const Vec3 inner = {p[0] - p[3], p[1] - p[3], p[2] - p[3]};
      return dot({std::abs(row[0]), along, std::abs(row[2])}, inner) + p[3];
    }
    case Op::sphere:
      return p[0];
    case Op::ellipsoid:
      return length(scaled(row, {p[0], p[1], p[2]}));
    case Op::cylinder:
      return p[1] * along + p[0] * across;
    case Op::capsule:
      return p[1] * along + p[0];
    default:
      return p[0] * across + p[1];  // torus
  }
}

Bounds cone_bounds(const Shape::Node& node) {
  Bounds b;
  for (int k = 0; k < 3; ++k) {
    const Real axis = node.pose.rotation[k][1] * node.p[2] * node.scale;
    const Real across =
        std::sqrt(std::max(Real(0), 1 - node.pose.rotation[k][1] * node.pose.rotation[k][1]));
    const Real foot = node.p[0] * across * node.scale, top = node.p[1] * across * node.scale;
    b.min[k] = node.pose.translation[k] + std::min(-axis - foot, axis - top);
    b.max[k] = node.pose.translation[k] + std::max(-axis + foot, axis + top);
  }
  return b;
}

Bounds primitive_bounds(const Shape& shape, const Shape::Node& node) {
  if (node.op == Op::plane) return plane_bounds(node.pose);
  if (node.op == Op::cone) return cone_bounds(node);
  if (node.op == Op::mesh) return moved(shape.meshes[node.index]->bounds, node.pose, node.scale);
  if (node.op == Op::heightfield)
    return moved(shape.heightfields[node.index]->bounds, node.pose, node.scale);
  Vec3 r;
  for (int k = 0; k < 3; ++k) r[k] = reach(node, node.pose.rotation[k]) * node.scale;
  return {node.pose.translation - r, node.pose.translation + r};
}

/// The blend bulges out by at most a quarter of its radius, and only where both surfaces are near.
Bounds united(const Bounds& a, const Bounds& b, Real blend) {
  Bounds both = a;
  both.include(b);
  const Real near = blend * Real(1.25);
  const Bounds bulge = overlap(grown(both, blend / 4), overlap(grown(a, near), grown(b, near)));
  if (!bulge.empty()) both.include(bulge);
  return both;
}

Guard united(const Guard& a, const Guard& b, Real blend) {
  const Real gap = length(b.centre - a.centre);
  Guard both = a;
  if (gap + a.radius <= b.radius)
    both = b;
  else if (gap + b.radius > a.radius) {
    both.radius = (a.radius + b.radius + gap) / 2;
    both.centre += (b.centre - a.centre) * ((both.radius - a.radius) / gap);
    both.radius *= Real(1 + 1e-5);  // for rounding
  }
  both.radius += blend / 4;  // by which a blend may lower the distance
  return both;
}

Guard primitive_guard(const Shape& shape, const Shape::Node& node) {
  const Real* p = node.p;
  if (node.op == Op::sphere) return {node.pose.translation, p[0] * node.scale};
  if (node.op == Op::ellipsoid)
    return {node.pose.translation, std::max({p[0], p[1], p[2]}) * node.scale};
  if (node.op == Op::capsule) return {node.pose.translation, (p[0] + p[1]) * node.scale};
  const Bounds b = primitive_bounds(shape, node);
  return {b.centre(), length(b.size()) / 2};
}

/// The value that `of_primitive` and the operations give for the whole program.
template <class T, class OfPrimitive, class Combine>
T folded(const Shape& shape, T empty, T unbounded, OfPrimitive&& of_primitive, Combine&& combine) {
  std::vector<T> stack;
  for (const Shape::Node& node : shape.nodes) {
    if (node.op == Op::complement) {
      stack.back() = unbounded;
    } else if (is_binary(node.op)) {
      const T b = stack.back();
      stack.pop_back();
      if (node.op != Op::subtract) stack.back() = combine(node, stack.back(), b);
    } else {
      stack.push_back(of_primitive(node));
    }
  }
  return stack.empty() ? empty : stack.back();
}

}  // namespace

Bounds bounds_of(const Shape& shape) {
  return folded(
      shape, Bounds{}, everything(),
      [&](const Shape::Node& node) { return primitive_bounds(shape, node); },
      [](const Shape::Node& node, const Bounds& a, const Bounds& b) {
        return node.op == Op::unite ? united(a, b, node.p[0]) : overlap(a, b);
      });
}

Guard guard_of(const Shape& shape) {
  return folded(
      shape, Guard{Vec3::zero(), infinite}, Guard{Vec3::zero(), infinite},
      [&](const Shape::Node& node) { return primitive_guard(shape, node); },
      [](const Shape::Node& node, const Guard& a, const Guard& b) {
        if (node.op == Op::unite) return united(a, b, node.p[0]);
        return a.radius < b.radius ? a : b;
      });
}

}  // namespace phyxel
