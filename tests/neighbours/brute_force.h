#pragma once

#include <algorithm>
#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

using Lists = std::vector<std::vector<Index>>;

/// Neighbours by testing every pair, ascending. Squares are summed as the search sums them: where a
/// whole shell lies at the radius, the last bit decides.
inline Lists brute_force(const Column<Vec3>& x, Real radius, const PeriodicBox& box) {
  Lists lists(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Vec3 d = minimum_image(box, wrap(box, x[j]) - wrap(box, x[i]));
      const Real squared = std::fma(d[2], d[2], std::fma(d[1], d[1], d[0] * d[0]));
      if (i != j && squared < radius * radius) lists[i].push_back(static_cast<Index>(j));
    }
  return lists;
}

/// Points put into the order of their cells, and their rows.
struct SearchedPoints {
  Column<Vec3> x;
  CellTable cells;
  NeighbourRows rows;

  void search(const Column<Vec3>& points, Real radius, const PeriodicBox& box = {}) {
    Column<Vec3> scratch;
    x = points;
    build_cells_for_rows(Exec{}, x, radius, box, cells);
    permute(Exec{}, "permute", x, cells.order, scratch);
    build_rows(Exec{}, x, cells, radius, rows);
  }
};

/// Rows as lists of the points as they were before sorting, ascending.
inline Lists sorted_lists(const SearchedPoints& points) {
  const NeighbourRows& rows = points.rows;
  Lists lists(points.x.size());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    std::vector<Index>& list = lists[points.cells.order[k]];
    for (Index e = rows.start[k]; e < rows.start[k] + rows.count[k]; ++e)
      list.push_back(points.cells.order[rows.neighbour[e]]);
    std::sort(list.begin(), list.end());
  }
  return lists;
}

inline Lists search(const Column<Vec3>& x, Real radius, const PeriodicBox& box = {}) {
  SearchedPoints points;
  points.search(x, radius, box);
  return sorted_lists(points);
}

/// n points in a box, the same for the same stream.
inline Column<Vec3> random_points(int n, const Vec3& min, const Vec3& size,
                                  std::uint32_t stream = 0) {
  Column<Vec3> x(n);
  for (int i = 0; i < n; ++i) x[i] = min + scaled(size, Random{7, stream}.uniform3(i));
  return x;
}

}  // namespace phyxel
