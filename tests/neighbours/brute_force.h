#pragma once

#include <algorithm>
#include <vector>

#include "phyxel/core/random.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel {

using Lists = std::vector<std::vector<Index>>;

/// Neighbours by testing every pair, ascending.
inline Lists brute_force(const Column<Vec3>& x, Real radius, const PeriodicBox& box) {
  Lists lists(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Vec3 d = minimum_image(box, wrap(box, x[j]) - wrap(box, x[i]));
      if (i != j && length_squared(d) < radius * radius) lists[i].push_back(static_cast<Index>(j));
    }
  return lists;
}

/// Rows as lists, ascending.
inline Lists sorted_lists(const NeighbourRows& rows) {
  Lists lists(rows.start.size() - 1);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lists[i].assign(rows.neighbour.begin() + rows.start[i],
                    rows.neighbour.begin() + rows.start[i + 1]);
    std::sort(lists[i].begin(), lists[i].end());
  }
  return lists;
}

inline Lists search(const Column<Vec3>& x, Real radius, const PeriodicBox& box = {}) {
  NeighbourRows rows;
  build_rows(Exec{}, x, radius, box, rows);
  return sorted_lists(rows);
}

/// n points in a box, the same for the same stream.
inline Column<Vec3> random_points(int n, const Vec3& min, const Vec3& size,
                                  std::uint32_t stream = 0) {
  Column<Vec3> x(n);
  for (int i = 0; i < n; ++i) x[i] = min + scaled(size, Random{7, stream}.uniform3(i));
  return x;
}

}  // namespace phyxel
