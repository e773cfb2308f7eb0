#include "phyxel/neighbours/cell_table.h"

#include <algorithm>

namespace phyxel {

namespace {

/// Numbers the groups of equal neighbours in a sorted sequence: is_first(k) says where one begins.
/// number[k] becomes the group of k; returns how many there are.
template <class IsFirst>
Index number_groups(const Exec& exec, Index n, Column<Index>& number, IsFirst is_first) {
  number.resize(n);
  for_each(exec, "neighbours.groups", n,
           [&](Index k) { number[k] = k + 1 == n || is_first(k + 1) ? 1 : 0; });
  return scan(exec, "neighbours.groups", number);
}

bool before(const Vec<Index, 2>& a, const Vec<Index, 2>& b) {
  return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

void list_cells(const Exec& exec, CellTable& t) {
  const auto n = static_cast<Index>(t.order.size());
  const auto cell = [&](Index k) { return t.sort.cell[t.order[k]]; };
  const auto is_first = [&](Index k) { return k == 0 || !(cell(k) == cell(k - 1)); };
  const Index count = number_groups(exec, n, t.number, is_first);
  t.start.resize(count + 1);
  t.x.resize(count);
  t.start[count] = n;
  for_each(exec, "neighbours.cell_starts", n, [&](Index k) {
    if (!is_first(k)) return;
    t.start[t.number[k]] = k;
    t.x[t.number[k]] = cell(k)[0];
  });
}

void list_rows(const Exec& exec, CellTable& t) {
  const Index n = t.cells();
  const auto row = [&](Index c) {
    const Int3 cell = t.sort.cell[t.order[t.start[c]]];
    return Vec<Index, 2>{cell[1], cell[2]};
  };
  const auto is_first = [&](Index c) { return c == 0 || !(row(c) == row(c - 1)); };
  const Index count = number_groups(exec, n, t.number, is_first);
  t.row_start.resize(count + 1);
  t.yz.resize(count);
  t.row_start[count] = n;
  for_each(exec, "neighbours.row_starts", n, [&](Index c) {
    if (!is_first(c)) return;
    t.row_start[t.number[c]] = c;
    t.yz[t.number[c]] = row(c);
  });
}

}  // namespace

void build_cells(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                 CellTable& table) {
  table.grid = make_cell_grid(cell, box);
  cell_order(exec, x, cell, box, table.sort, table.order);
  list_cells(exec, table);
  list_rows(exec, table);
}

Index find_row(const CellTable& table, Index y, Index z) {
  const Vec<Index, 2> yz{y, z};
  const auto found = std::lower_bound(table.yz.begin(), table.yz.end(), yz, before);
  return found != table.yz.end() && *found == yz ? static_cast<Index>(found - table.yz.begin())
                                                 : -1;
}

Index first_cell(const CellTable& table, Index row, Index x) {
  const auto cells = table.x.begin();
  const auto found =
      std::lower_bound(cells + table.row_start[row], cells + table.row_start[row + 1], x);
  return static_cast<Index>(found - cells);
}

PlaceRange find_places(const CellTable& table, Index row, Index from_x, Index to_x, Index& cursor) {
  const Index begin = table.row_start[row], end = table.row_start[row + 1];
  while (cursor > begin && table.x[cursor - 1] >= from_x) --cursor;
  while (cursor < end && table.x[cursor] < from_x) ++cursor;
  Index last = cursor;
  while (last < end && table.x[last] <= to_x) ++last;
  return {table.start[cursor], table.start[last]};
}

}  // namespace phyxel
