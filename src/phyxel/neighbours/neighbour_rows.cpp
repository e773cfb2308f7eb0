#include "phyxel/neighbours/neighbour_rows.h"

#include <algorithm>
#include <cmath>

#include "phyxel/core/error.h"
#include "phyxel/neighbours/search_errors.h"
#ifdef __CUDACC__
#include "phyxel/neighbours/search_device.h"
#else
#include "phyxel/neighbours/search_threads.h"
#endif

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

// Wider than rounding of a cell's coordinate up to 2^40 cells from the origin.
constexpr Real cell_margin = Real(1) + Real(1) / 1024;

/// Entries that the particles at places [first, last) of one cell make at least: cut into parts
/// with diagonals below the radius, all particles of a part are neighbours.
PHYXEL_FN double least_entries(const Real* x, const Real* y, const Real* z, Index first, Index last,
                               Real radius) {
  if (last - first < 256) return 0;
  Bounds box;
  for (Index k = first; k < last; ++k) box.include(Vec3{x[k], y[k], z[k]});
  double parts = 1;
  for (int k = 0; k < 3; ++k) parts *= std::floor(2.0 * box.size()[k] / radius) + 1;
  const double m = last - first;
  return max(0.0, m * (m / parts - 1));
}

/// Refuses a collapsed body before listing its pairs takes hours.
void refuse_collapse(const Exec& exec, const CellTable& cells, const NeighbourRows& rows) {
  const auto n = static_cast<double>(rows.count.size());
  if (n * n < std::numeric_limits<Index>::max()) return;  // all pairs can be numbered
  const Real *const x = rows.search.x.data(), *const y = rows.search.y.data(),
                    *const z = rows.search.z.data();
  const Index* const start = cells.start.data();
  const Real radius = rows.radius;
  const double entries = reduce_sum(
      exec, "neighbours.crowding", cells.cells(),
      PHYXEL_LAMBDA(Index c) { return least_entries(x, y, z, start[c], start[c + 1], radius); });
  if (entries > std::numeric_limits<Index>::max())
    refuse_entries(entries, rows.count.size(), rows.radius);
}

}  // namespace

void build_cells_for_rows(const Exec& exec, const Column<Vec3>& x, Real radius,
                          const PeriodicBox& box, CellTable& cells) {
  check_search(x.size(), radius, box);
  build_cells(exec, x, radius * cell_margin, box, cells);
}

void build_rows(const Exec& exec, const Column<Vec3>& positions, const CellTable& cells,
                Real radius, NeighbourRows& rows) {
  const auto n = static_cast<Index>(positions.size());
  if (cells.order.size() != positions.size() || cells.edge < radius)
    throw Error("neighbours.rows: the cells were made for other particles or a smaller radius");
  rows.radius = radius;
  for (auto* column : {&rows.search.x, &rows.search.y, &rows.search.z})
    column->resize(n + row_pad);  // whole packs can be loaded at the end
  const Vec3* const from = positions.data();
  Real *const x = rows.search.x.data(), *const y = rows.search.y.data(),
              *const z = rows.search.z.data();
  const PeriodicBox box = cells.box;
  for_each(
      exec, "neighbours.wrap", n, PHYXEL_LAMBDA(Index k) {
        const Vec3 p = wrap(box, from[k]);
        x[k] = p[0], y[k] = p[1], z[k] = p[2];
      });
  rows.start.resize(n + 1);
  rows.count.resize(n);
  refuse_collapse(exec, cells, rows);
  search_rows(
      exec, cells, [&](double entries) { refuse_entries(entries, n, radius); }, rows);
}

Real largest_move(const Exec& exec, const Column<Vec3>& now, const Column<Vec3>& at_build,
                  const PeriodicBox& box) {
  const Vec3 *const x = now.data(), *const before = at_build.data();
  return std::sqrt(reduce_max(
      exec, "neighbours.largest_move", static_cast<Index>(now.size()), Real(0),
      PHYXEL_LAMBDA(Index i) { return squared_move(box, x[i], before[i]); }));
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
