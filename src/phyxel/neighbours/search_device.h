#pragma once

#include "phyxel/neighbours/neighbour_rows.h"

// The search for neighbours on a GPU: a thread per particle goes through the runs of places around
// its cell, once to count and once to list. Rows come out as on threads, entry for entry.

namespace phyxel {

namespace detail {

/// Runs of places around a cell: up to two in each of nine rows of cells, where x is periodic.
constexpr int runs_per_cell = 18;

struct SearchView {
  CellTableView cells;
  const Real* x;
  const Real* y;
  const Real* z;
  const Index* cell_of_place;
  const PlaceRange* runs;
  Period period;
  Real squared_radius;
};

/// Squared distance of two particles, rounded as on the CPU, so that rows are the same on both.
PHYXEL_FN Real squared_distance(const SearchView& s, Index i, Index j) {
  const Real dx = nearest(s.x[j] - s.x[i], s.period.size[0], s.period.half[0]);
  const Real dy = nearest(s.y[j] - s.y[i], s.period.size[1], s.period.half[1]);
  const Real dz = nearest(s.z[j] - s.z[i], s.period.size[2], s.period.half[2]);
  return std::fma(dz, dz, std::fma(dy, dy, dx * dx));
}

template <class Visit>
PHYXEL_FN void visit_neighbours(const SearchView& s, Index i, const Visit& visit) {
  const PlaceRange* const runs =
      s.runs + static_cast<std::size_t>(s.cell_of_place[i]) * runs_per_cell;
  for (int r = 0; r < runs_per_cell; ++r)
    for (Index j = runs[r].first; j < runs[r].last; ++j)
      if (j != i && squared_distance(s, i, j) < s.squared_radius) visit(j);
}

/// Which cell a place is in, and which row of cells that is.
inline void number_places(const Exec& exec, const CellTable& cells, RowSearch& search) {
  const CellTableView t = cells.view();
  search.cell_of_place.discard_and_resize(cells.order.size());
  search.row_of_cell.discard_and_resize(t.cells);
  Index *const cell = search.cell_of_place.data(), *const row = search.row_of_cell.data();
  for_each(
      exec, "neighbours.places", t.cells, PHYXEL_LAMBDA(Index c) {
        for (Index k = t.start[c]; k < t.start[c + 1]; ++k) cell[k] = c;
      });
  for_each(
      exec, "neighbours.places", t.rows, PHYXEL_LAMBDA(Index r) {
        for (Index c = t.row_start[r]; c < t.row_start[r + 1]; ++c) row[c] = r;
      });
}

inline void find_runs(const Exec& exec, const CellTable& cells, RowSearch& search) {
  const CellTableView t = cells.view();
  search.runs.discard_and_resize(static_cast<std::size_t>(t.cells) * runs_per_cell);
  PlaceRange* const all = search.runs.data();
  const Index* const row = search.row_of_cell.data();
  for_each(
      exec, "neighbours.runs", t.cells, PHYXEL_LAMBDA(Index c) {
        PlaceRange* const runs = all + static_cast<std::size_t>(c) * runs_per_cell;
        int count = 0;
        TouchingRows near = touching_rows(t, row[c], t.x[c]);
        visit_places(t, near, t.x[c], [&](const PlaceRange& places) { runs[count++] = places; });
        for (; count < runs_per_cell; ++count) runs[count] = {0, 0};
      });
}

inline void count_neighbours(const Exec& exec, const SearchView& s, Index n, NeighbourRows& rows) {
  Index *const counts = rows.count.data(), *const start = rows.start.data();
  for_each(
      exec, "neighbours.count", n + 1, PHYXEL_LAMBDA(Index i) {
        Index count = 0;
        if (i < n) {
          visit_neighbours(s, i, [&](Index) { ++count; });
          counts[i] = count;
        }
        start[i] = (count + row_pad - 1) / row_pad * row_pad;
      });
}

inline void list_neighbours(const Exec& exec, const SearchView& s, Index n, NeighbourRows& rows) {
  const Index* const start = rows.start.data();
  Index* const neighbour = rows.neighbour.data();
  for_each(
      exec, "neighbours.list", n, PHYXEL_LAMBDA(Index i) {
        Index at = start[i];
        visit_neighbours(s, i, [&](Index j) { neighbour[at++] = j; });
        for (; at < start[i + 1]; ++at) neighbour[at] = n;
      });
}

}  // namespace detail

inline namespace PHYXEL_BACKEND {

/// Fills start, count and neighbour; the scan refuses more entries than can be numbered.
template <class Refuse>
void search_rows(const Exec& exec, const CellTable& cells, const Refuse&, NeighbourRows& rows) {
  RowSearch& search = rows.search;
  const auto n = static_cast<Index>(rows.count.size());
  detail::number_places(exec, cells, search);
  detail::find_runs(exec, cells, search);
  const detail::SearchView s{cells.view(),
                             search.x.data(),
                             search.y.data(),
                             search.z.data(),
                             search.cell_of_place.data(),
                             search.runs.data(),
                             period_of(cells.box),
                             rows.radius * rows.radius};
  detail::count_neighbours(exec, s, n, rows);
  rows.neighbour.discard_and_resize(scan(exec, "neighbours.starts", rows.start));
  detail::list_neighbours(exec, s, n, rows);
}

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
