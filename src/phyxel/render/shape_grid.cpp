#include "phyxel/render/shape_grid.h"

#include <algorithm>
#include <cmath>
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

ShapeGrid::Cell make_cell(const Shape& shape, const Vec3& middle, Real radius) {
  const Real distance = signed_distance(shape, middle).distance;
  // A little less than allowed, as the distance to an ellipsoid is only nearly exact.
  if (distance > 2 * radius) return {Real(0.95) * distance - radius, nullptr};
  if (distance < -2 * radius) return {};
  return {0, std::make_shared<const Shape>(pruned(shape, middle, radius))};
}

}  // namespace

Shape pruned(const Shape& shape, const Vec3& centre, Real radius) {
  std::vector<Part> stack;
  for (const Shape::Node& node : shape.nodes) {
    if (is_binary(node.op)) {
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

ShapeGrid make_shape_grid(const Exec& exec, const Shape& shape, const Bounds& box) {
  const Vec3 size = box.size();
  ShapeGrid grid{box, std::max({size[0], size[1], size[2]}) / 48, {}, {}};
  for (int k = 0; k < 3; ++k)
    grid.count[k] = std::max<Index>(1, static_cast<Index>(std::ceil(size[k] / grid.edge)));
  const Int3 n = grid.count;
  grid.cells.resize(static_cast<std::size_t>(n[0]) * n[1] * n[2]);
  const Real radius = grid.edge * std::sqrt(Real(3)) / 2;
  for_each_coarse(exec, "render.shape_grid", n[1] * n[2], [&](Index row) {
    const Real y = row % n[1] + Real(0.5), z = row / n[1] + Real(0.5);
    for (Index i = 0; i < n[0]; ++i)
      grid.cells[i + static_cast<std::size_t>(n[0]) * row] =
          make_cell(shape, box.min + Vec3{i + Real(0.5), y, z} * grid.edge, radius);
  });
  return grid;
}

}  // namespace phyxel::render
