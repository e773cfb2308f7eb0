#pragma once

#include <memory>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/geometry/shape.h"

namespace phyxel::render {

/// What rays need of a costly shape, cell by cell: how far they may surely go in the empty space
/// around it, and near its surface only the few parts that matter there.
struct ShapeGrid {
  struct Cell {
    Real free = 0;                       // m from any of its points to the solid, at least
    std::shared_ptr<const Shape> local;  // equal to the shape in this cell; null: not near
  };
  Bounds box;     // m
  Real edge = 0;  // of a cell, m; 0: no grid
  Int3 count{0, 0, 0};
  std::vector<Cell> cells;

  const Cell* find(const Vec3& p) const {
    if (!(edge > 0) || !box.contains(p)) return nullptr;
    std::size_t index = 0;
    for (int k = 2; k >= 0; --k) {
      const Index i = static_cast<Index>((p[k] - box.min[k]) / edge);
      index = index * count[k] + (i < count[k] ? i : count[k] - 1);
    }
    return &cells[index];
  }
};

/// The part of a shape that decides its distance within `radius` of `centre`: operands that lie
/// farther behind than the ball is wide are left out. Equal to the whole within the ball. After the
/// idea of Keeter 2020.
Shape pruned(const Shape& shape, const Vec3& centre, Real radius);

/// Cubic cells, 48 along the longest edge of the box.
ShapeGrid make_shape_grid(const Exec& exec, const Shape& shape, const Bounds& box);

/// The shape, or what decides it in the cell of p.
inline const Shape& local_shape(const ShapeGrid::Cell* cell, const Shape& shape) {
  return cell && cell->local ? *cell->local : shape;
}

}  // namespace phyxel::render
