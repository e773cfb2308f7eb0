#include "phyxel/render/shape_grid.h"

#include <algorithm>
#include <cmath>

#include "phyxel/render/prune.h"

namespace phyxel::render {
namespace {

ShapeGrid::Cell make_cell(const Shape& shape, const Vec3& middle, Real radius) {
  const Real distance = signed_distance(shape, middle).distance;
  // A little less than allowed, as the distance to an ellipsoid is only nearly exact.
  if (distance > 2 * radius) return {Real(0.95) * distance - radius, nullptr};
  if (distance < -2 * radius) return {};
  return {0, std::make_shared<const Shape>(pruned(shape, middle, radius))};
}

}  // namespace

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
