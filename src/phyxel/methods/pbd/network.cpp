#include "phyxel/methods/pbd/network.h"

#include <algorithm>

#include "phyxel/neighbours/cell_table.h"

namespace phyxel::pbd {

using Edge = Vec<Index, 2>;

std::vector<Edge> close_pairs(const std::vector<Vec3>& points, Real reach) {
  Column<Vec3> x;
  x.assign(points.begin(), points.end());
  CellTable cells;
  build_cells(Exec{}, x, reach, PeriodicBox{}, cells);
  const CellTableView view = cells.view();
  std::vector<Edge> pairs;
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) {
    const Int3 own = cell_of(view.grid, x[i]);
    TouchingRows rows = touching_rows(view, find_row(view, own[1], own[2]), own[0]);
    const std::size_t begin = pairs.size();
    visit_places(view, rows, own[0], [&](const PlaceRange& places) {
      for (Index a = places.first; a < places.last; ++a)
        if (const Index j = cells.order[a]; j > i && length_squared(x[j] - x[i]) < reach * reach)
          pairs.push_back({i, j});
    });
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(begin), pairs.end(),
              [](const Edge& a, const Edge& b) { return a[1] < b[1]; });
  }
  return pairs;
}

void add_springs(Model& model, const BodySeed& seed, const Material& material, Index first,
                 const std::vector<Edge>& pairs) {
  const Index lot = lot_of(model, {seed.material, Modulus::youngs});
  std::vector<double> neighbours(seed.points.size(), 0);
  for (const Edge& e : pairs) ++neighbours[e[0]], ++neighbours[e[1]];
  const double factor = material.dimensions == 2 ? 6 : 12;
  for (const Edge& e : pairs) {
    const double l = length(seed.points[e[1]] - seed.points[e[0]]);
    const double shares = (1 / neighbours[e[0]] + 1 / neighbours[e[1]]) / 2;
    const double softness = l * l / (factor * double(seed.volume) * shares);
    model.of<Distance>().push_back(
        {{first + e[0], first + e[1]}, {static_cast<Real>(l)}, static_cast<Real>(softness), lot});
  }
}

void add_network(Model& model, const BodySeed& seed, const Material& material, Index first) {
  add_springs(model, seed, material, first, close_pairs(seed.points, Real(1.6) * seed.spacing));
}

}  // namespace phyxel::pbd
