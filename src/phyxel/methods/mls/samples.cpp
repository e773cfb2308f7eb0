#include "phyxel/methods/mls/samples.h"

#include <algorithm>
#include <cmath>

#include "phyxel/neighbours/cell_table.h"

namespace phyxel::mls {

namespace {

constexpr Index nearest_count = 10;

/// The squared distances of the nearest points so far, the largest first.
struct Nearest {
  std::vector<Real> squared;

  void add(Real d2) {
    if (squared.size() == nearest_count && !(d2 < squared.front())) return;
    if (squared.size() == nearest_count) {
      std::ranges::pop_heap(squared);
      squared.pop_back();
    }
    squared.push_back(d2);
    std::ranges::push_heap(squared);
  }
  Real mean() const {
    double sum = 0;
    for (const Real d2 : squared) sum += std::sqrt(double(d2));
    return squared.empty() ? Real(0) : static_cast<Real>(sum / double(squared.size()));
  }
};

/// Points in cells of edge `cell`; the ten nearest of a point lie within one cell of its own, or it
/// is searched again in larger cells.
struct Search {
  Column<Vec3> x;
  CellTable cells;
  Real cell;

  Search(const std::vector<Vec3>& points, Real edge) : cell(edge) {
    x.resize(points.size());
    std::ranges::copy(points, x.begin());
    build_cells(Exec{}, x, cell, PeriodicBox{}, cells);
  }
  /// Of the point at place k of the cells; false where some may lie farther than a cell.
  bool find(Index k, Nearest& nearest) const {
    const CellTableView view = cells.view();
    const Index i = cells.order[k];
    const Int3 own = cell_of(view.grid, x[i]);
    TouchingRows rows = touching_rows(view, find_row(view, own[1], own[2]), own[0]);
    visit_places(view, rows, own[0], [&](const PlaceRange& places) {
      for (Index a = places.first; a < places.last; ++a)
        if (const Index j = cells.order[a]; j != i) nearest.add(length_squared(x[j] - x[i]));
    });
    return nearest.squared.size() == nearest_count && nearest.squared.front() <= cell * cell;
  }
};

bool is_regular(Packing packing) {
  return packing == Packing::closest || packing == Packing::hexagonal || packing == Packing::cubic;
}

/// All points of a regular packing have the distance of those deep inside, which most have.
void even_out(std::vector<Real>& mean) {
  if (mean.empty()) return;
  std::vector<Real> sorted = mean;
  const auto low = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 4);
  std::ranges::nth_element(sorted, low);
  std::ranges::fill(mean, *low);
}

}  // namespace

std::vector<Real> mean_distances(const std::vector<Vec3>& points, Real spacing) {
  std::vector<Real> mean(points.size(), 0);
  std::vector<Vec3> open = points;
  std::vector<Index> which(points.size());
  for (std::size_t i = 0; i < which.size(); ++i) which[i] = static_cast<Index>(i);
  const auto all = static_cast<Index>(points.size());
  std::vector<bool> known(points.size(), all < 2);
  // Doubling cells find all points sooner or later; few points need more than the first size.
  for (Real cell = 2 * spacing; std::ranges::find(known, false) != known.end(); cell *= 2) {
    const Search search(points, cell);
    const bool whole = search.cells.cells() == 1 || cell > Real(1e6) * spacing;
    std::vector<std::uint8_t> found(points.size(), 0);
    for_each(Exec{}, "mls.samples", all, [&](Index k) {
      const Index i = search.cells.order[k];
      if (known[i]) return;
      Nearest nearest;
      if (!search.find(k, nearest) && !whole) return;
      mean[i] = nearest.mean();
      found[i] = 1;
    });
    for (Index i = 0; i < all; ++i) known[i] = known[i] || found[i] != 0;
  }
  return mean;
}

Samples sample_body(const BodySeed& seed, Real support, int dimensions) {
  std::vector<Real> mean = mean_distances(seed.points, seed.spacing);
  if (is_regular(seed.packing)) even_out(mean);
  Samples samples;
  double sum = 0;
  const int power = seed.kind == BodyKind::volume && dimensions == 3 ? 3
                    : seed.kind == BodyKind::line                    ? 1
                                                                     : 2;
  for (const Real r : mean) {
    const Real distance = r > 0 ? r : seed.spacing;
    samples.support.push_back(support * distance);
    sum += std::pow(double(distance), power);
  }
  const double each = double(seed.volume), total = each * double(seed.points.size());
  for (const Real h : samples.support)
    samples.volume.push_back(
        is_regular(seed.packing) || seed.kind != BodyKind::volume
            ? seed.volume
            : static_cast<Real>(total * std::pow(double(h / support), power) / sum));
  return samples;
}

}  // namespace phyxel::mls
