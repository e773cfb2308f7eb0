#include <algorithm>
#include <cmath>

#include "phyxel/surfaces/block_items.h"
#include "phyxel/surfaces/field.h"
#include "phyxel/surfaces/volumes.h"

namespace phyxel {

namespace {

constexpr Index E = SparseField::edge;

/// The bell that a point is spread over along an axis: a quadratic B-spline, whose shifts by its
/// width add up to 1, so that the inside of a lattice is even.
struct Bell {
  double width;  // cells; at least 1, so that no point falls between nodes

  double reach() const { return 1.5 * width; }
  double operator()(double cells) const {
    const double u = std::abs(cells) / width;
    if (u < 0.5) return 0.75 - u * u;
    return u < 1.5 ? 0.5 * (1.5 - u) * (1.5 - u) : 0;
  }
  /// Its sum over all nodes for a point at `x` cells.
  double sum(double x) const {
    double total = 0;
    for (double node = std::ceil(x - reach()); node <= x + reach(); ++node)
      total += (*this)(x - node);
    return total;
  }
};

Vec3d place(const PointField& field, Index i, Real cell) {
  return cast<double>(field.place(i)) / double(cell);
}

NodeBox nodes_around(const Vec3d& x, const Bell& bell, Real cell) {
  NodeBox box;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = checked_node(std::ceil(x[k] - bell.reach()), cell);
    box.high[k] = checked_node(std::floor(x[k] + bell.reach()), cell);
  }
  return box;
}

/// Adds a point of `amount` cells to a block: the product of three bells, each of sum 1.
void add_point(const Vec3d& x, const Bell& bell, double amount, const Int3& block, Real* value) {
  Real weight[3][E];
  for (int k = 0; k < 3; ++k) {
    const double scale = (k == 2 ? amount : 1) / bell.sum(x[k]);
    for (Index i = 0; i < E; ++i)
      weight[k][i] = static_cast<Real>(scale * bell(x[k] - double(block[k]) * E - i));
  }
  for (Index z = 0; z < E; ++z)
    for (Index y = 0; y < E && weight[2][z] > 0; ++y) {
      const Real w = weight[2][z] * weight[1][y];
      if (w > 0)
        for (Index i = 0; i < E; ++i) value[(z * E + y) * E + i] += w * weight[0][i];
    }
}

}  // namespace

void make_density(const Exec& exec, const PointField& field, Real cell, SparseField& grid) {
  const Bell bell{std::max(1.0, double(field.options.spacing) / double(cell))};
  const double amount = double(field.volume) / std::pow(double(cell), 3);
  BlockItems items = items_by_block(exec, field.size(), cell, [&](Index i) {
    return nodes_around(place(field, i, cell), bell, cell);
  });
  grid.cell = cell;
  grid.outside = 0;
  grid.block = std::move(items.block);
  grid.value.assign(grid.block.size() * SparseField::nodes, 0);
  for_each_coarse(exec, "volume.density", grid.blocks(), [&](Index b) {
    Real* const value = grid.value.data() + static_cast<std::size_t>(b) * SparseField::nodes;
    for (Index k = items.first[b]; k < items.first[b + 1]; ++k)
      add_point(place(field, items.item[k], cell), bell, amount, grid.block[b], value);
  });
}

}  // namespace phyxel
