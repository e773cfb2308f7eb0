#include "phyxel/render/prune.h"

#include <utility>

namespace phyxel::render {
namespace {

using Op = Shape::Op;

/// A finished part of the postfix program, with its distance at the centre of the ball.
struct Part {
  Shape shape;
  Real distance;
};

Part measured(Shape shape, const Vec3& centre) {
  const Real distance = signed_distance(shape, centre).distance;
  return {std::move(shape), distance};
}

Part primitive(const Shape& whole, Shape::Node node, const Vec3& centre) {
  node.skip = 0;  // it counts nodes of the whole
  return measured({{node}, 1, whole.meshes, whole.heightfields, whole.views}, centre);
}

Shape apply_operation(const Shape::Node& op, const Shape& a, const Shape& b) {
  if (op.op == Op::unite) return unite(a, b, op.p[0]);
  return op.op == Op::intersect ? intersect(a, b, op.p[0]) : subtract(a, b, op.p[0]);
}

/// Distances change by `radius` at most within the ball, and a blend reaches as far as its own
/// radius: beyond that one of the two decides alone.
Part combined(Part a, Part b, const Shape::Node& op, const Vec3& centre, Real radius) {
  const Real margin = 2 * radius + op.p[0];
  const Real second = op.op == Op::subtract ? -b.distance : b.distance;
  const Real ahead = op.op == Op::unite ? second - a.distance : a.distance - second;
  if (ahead > margin) return a;
  if (ahead > -margin) return measured(apply_operation(op, a.shape, b.shape), centre);
  if (op.op == Op::subtract) return {complement(b.shape), -b.distance};
  return b;
}

bool is_operation(Op op) {
  return op == Op::unite || op == Op::intersect || op == Op::subtract;
}

}  // namespace

Shape pruned(const Shape& shape, const Vec3& centre, Real radius) {
  std::vector<Part> stack;
  for (const Shape::Node& node : shape.nodes) {
    if (is_operation(node.op)) {
      Part second = std::move(stack.back());
      stack.pop_back();
      stack.back() = combined(std::move(stack.back()), std::move(second), node, centre, radius);
    } else if (node.op == Op::complement) {
      stack.back() = {complement(stack.back().shape), -stack.back().distance};
    } else {
      stack.push_back(primitive(shape, node, centre));
    }
  }
  return std::move(stack.back().shape);
}

}  // namespace phyxel::render
