#include "cuda/engine.h"
#include "phyxel/neighbours/neighbour_rows.h"

namespace phyxel::test {

Pairs sorted_on_device(const Pairs& pairs, int bits) {
  Column<std::uint64_t> keys;
  Column<Index> values;
  SortScratch scratch;
  assign(keys, pairs.keys);
  assign(values, pairs.values);
  sort_pairs({}, "sort", keys, values, bits, scratch);
  Pairs sorted;
  copy_to_host(keys, sorted.keys);
  copy_to_host(values, sorted.values);
  return sorted;
}

Scanned scanned_on_device(const std::vector<Index>& values) {
  Column<Index> column;
  assign(column, values);
  Scanned scanned;
  scanned.total = scan({}, "scan", column);
  copy_to_host(column, scanned.values);
  return scanned;
}

double sum_on_device(const std::vector<double>& values) {
  Column<double> column;
  assign(column, values);
  const double* const value = column.data();
  return reduce_sum(
      {}, "sum", static_cast<Index>(values.size()), PHYXEL_LAMBDA(Index i) { return value[i]; });
}

Rows rows_on_device(const std::vector<Vec3>& points, Real radius, const PeriodicBox& box) {
  Column<Vec3> x, scratch;
  CellTable cells;
  NeighbourRows rows;
  assign(x, points);
  build_cells_for_rows({}, x, radius, box, cells);
  permute({}, "permute", x, cells.order, scratch);
  build_rows({}, x, cells, radius, rows);
  Rows host;
  copy_to_host(cells.order, host.order);
  copy_to_host(rows.start, host.start);
  copy_to_host(rows.count, host.count);
  copy_to_host(rows.neighbour, host.neighbour);
  return host;
}

}  // namespace phyxel::test
