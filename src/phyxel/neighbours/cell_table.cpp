#include "phyxel/neighbours/cell_table.h"

#include "phyxel/neighbours/order_by_id.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

namespace {

/// A cell begins at place k of the sorted cells.
PHYXEL_FN bool begins_cell(const Int3* cell, Index k) {
  return k == 0 || !(cell[k] == cell[k - 1]);
}
PHYXEL_FN bool begins_row(const Int3* cell, const Index* start, Index c) {
  if (c == 0) return true;
  const Int3 here = cell[start[c]], before = cell[start[c - 1]];
  return here[1] != before[1] || here[2] != before[2];
}

/// number[k] counts the cells that begin before place k. Returns how many there are.
Index list_cells(const Exec& exec, CellTable& t) {
  const auto n = static_cast<Index>(t.order.size());
  t.number.resize(n + 1);
  const Int3* const cell = t.sorted_cell.data();
  Index* const number = t.number.data();
  for_each(
      exec, "neighbours.groups", n + 1,
      PHYXEL_LAMBDA(Index k) { number[k] = k < n && begins_cell(cell, k) ? 1 : 0; });
  const Index count = scan(exec, "neighbours.groups", t.number);
  t.start.resize(count + 1);
  t.x.resize(count);
  Index* const start = t.start.data();
  Index* const x = t.x.data();
  for_each(
      exec, "neighbours.cell_starts", n + 1, PHYXEL_LAMBDA(Index k) {
        if (k == n) {
          start[count] = n;
        } else if (begins_cell(cell, k)) {
          start[number[k]] = k;
          x[number[k]] = cell[k][0];
        }
      });
  return count;
}

void list_rows(const Exec& exec, CellTable& t, Index cells) {
  t.number.resize(cells + 1);
  const Int3* const cell = t.sorted_cell.data();
  const Index* const start = t.start.data();
  Index* const number = t.number.data();
  for_each(
      exec, "neighbours.groups", cells + 1,
      PHYXEL_LAMBDA(Index c) { number[c] = c < cells && begins_row(cell, start, c) ? 1 : 0; });
  const Index count = scan(exec, "neighbours.groups", t.number);
  t.row_start.resize(count + 1);
  t.yz.resize(count);
  Index* const row_start = t.row_start.data();
  Vec<Index, 2>* const yz = t.yz.data();
  for_each(
      exec, "neighbours.row_starts", cells + 1, PHYXEL_LAMBDA(Index c) {
        if (c == cells) {
          row_start[count] = cells;
        } else if (begins_row(cell, start, c)) {
          const Int3 here = cell[start[c]];
          row_start[number[c]] = c;
          yz[number[c]] = {here[1], here[2]};
        }
      });
}

}  // namespace

void build_cells(const Exec& exec, const Column<Vec3>& x, Real cell, const PeriodicBox& box,
                 CellTable& table) {
  table.grid = make_cell_grid(cell, box);
  table.edge = cell;
  table.box = box;
  cell_order(exec, x, cell, box, table.sort, table.order, table.sorted_cell);
  list_rows(exec, table, list_cells(exec, table));
}

void order_cells_by_id(const Exec& exec, const Column<ParticleId>& ids, CellTable& table) {
  const Index* const start = table.start.data();
  const ParticleId* const id = ids.data();
  Index* const order = table.order.data();
  for_each(
      exec, "neighbours.by_id", table.cells(),
      PHYXEL_LAMBDA(Index c) { sort_by_id(id, order + start[c], start[c + 1] - start[c]); });
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
