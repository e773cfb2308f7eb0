#include "phyxel/render/field_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "phyxel/surfaces/sparse_field.h"

namespace phyxel::render {
namespace {

/// Values are near distances, and no field here is steeper than this.
constexpr Real steepest = 2;
constexpr Real touching = Real(2e-6);  // picture units

/// A node's value, or that of the empty space around.
Real value_at(const SparseField& grid, Index block, const Int3& node) {
  constexpr int edge = SparseField::edge;
  Int3 at = grid.block[block], local = node;
  for (int k = 0; k < 3; ++k)
    if (local[k] >= edge) ++at[k], local[k] -= edge;
  const Index b = at == grid.block[block] ? block : grid.find(at);
  if (b < 0) return grid.outside;
  return grid.value[b * SparseField::nodes + (local[2] * edge + local[1]) * edge + local[0]];
}

/// True where the surface may pass through the cube above a node.
bool may_cross(const SparseField& grid, Index block, const Int3& node) {
  Real least = std::numeric_limits<Real>::max(), most = -least;
  for (int corner = 0; corner < 8; ++corner) {
    const Real v = value_at(grid, block, node + Int3{corner & 1, corner >> 1 & 1, corner >> 2 & 1});
    least = std::min(least, v);
    most = std::max(most, v);
  }
  return least < grid.cell / 4 && most > -grid.cell / 4;
}

/// The field along a ray; t in picture units.
struct FieldRay {
  const PointField& field;
  Vec3 origin, direction;  // m; m per picture unit
  Vec3 at(Real t) const { return origin + direction * t; }
  Real value(Real t) const { return field_value(field, at(t)); }
};

/// Zero between two places with values of different signs: false position with the Illinois rule.
Real zero_between(const FieldRay& ray, Real a, Real f_a, Real b, Real f_b) {
  for (int k = 0; k < 16 && std::abs(b - a) > touching; ++k) {
    const Real t = (a * f_b - b * f_a) / (f_b - f_a), f = ray.value(t);
    if ((f > 0) == (f_b > 0))
      f_a /= 2;
    else
      a = b, f_a = f_b;
    const Real moved = std::abs(t - b);
    b = t, f_b = f;
    if (moved < touching) break;
  }
  return b;
}

std::optional<Real> first_zero(const FieldRay& ray, Interval t, Real metre) {
  const Real least = (t.last - t.first) / 4;
  Real here = ray.value(t.first);
  while (t.first < t.last) {
    const Real step = std::max(least, std::abs(here) / steepest * metre);
    const Real ahead = t.first + step;
    // Between ends that are a rounding apart there is no place to step to.
    const Real next = ahead > t.first && ahead < t.last ? ahead : t.last, there = ray.value(next);
    if ((here > 0) != (there > 0)) return zero_between(ray, t.first, here, next, there);
    t.first = next, here = there;
  }
  return std::nullopt;
}

Bounds bounds_of(const FieldBoxes& field, std::size_t box) {
  return {field.boxes[box], field.boxes[box] + Vec3::filled(field.edge)};
}

}  // namespace

FieldBoxes make_field_boxes(const FieldObject& object, const PictureUnits& units) {
  // Finer than the radius of a lone drop, so that none lies between the nodes.
  FieldBoxes boxes{&object, units, object.field->options.spacing / 2, {}};
  SparseField grid;
  sample_field({}, *object.field, boxes.edge, grid);
  constexpr int edge = SparseField::edge;
  for (Index b = 0; b < grid.blocks(); ++b)
    for (int z = 0; z < edge; ++z)
      for (int y = 0; y < edge; ++y)
        for (int x = 0; x < edge; ++x)
          if (may_cross(grid, b, {x, y, z}))
            boxes.boxes.push_back(cast<Real>(grid.block[b] * edge + Int3{x, y, z}) * grid.cell);
  return boxes;
}

BoundsOf<float> picture_bounds(const FieldBoxes& field, std::size_t box) {
  const Bounds b = bounds_of(field, box);
  const Vec3f skin = Vec3f::filled(surface_offset);
  return {to_picture(field.units, b.min) - skin, to_picture(field.units, b.max) + skin};
}

std::optional<ImplicitHit> intersect(const FieldBoxes& field, std::size_t box, const Ray& ray) {
  const Real metre = field.units.scale;
  const FieldRay local{*field.object->field, to_scene(field.units, ray.origin),
                       cast<Real>(ray.direction) / metre};
  const Interval t =
      cut(bounds_of(field, box), local.origin, local.direction, {Real(ray.near), Real(ray.far)});
  if (!(t.first < t.last)) return std::nullopt;
  const auto hit = first_zero(local, t, metre);
  if (!hit) return std::nullopt;
  const Vec3 normal = field_normal(local.field, local.at(*hit));
  return ImplicitHit{static_cast<float>(*hit), cast<float>(normal)};
}

Colour colour_at(const FieldBoxes& field, const Vec3f& point) {
  const std::vector<Colour>& colours = field.object->colours;
  if (colours.size() == 1) return colours[0];
  thread_local std::vector<WeighedPoint> found;
  weigh_points(*field.object->field, to_scene(field.units, point), found);
  Colour sum = Colour::zero();
  float weight = 0;
  for (const WeighedPoint& p : found) {
    sum += colours[p.point] * static_cast<float>(p.weight);
    weight += static_cast<float>(p.weight);
  }
  return weight > 0 ? sum / weight : colours[0];
}

}  // namespace phyxel::render
