#pragma once

#include <numeric>

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/neighbours/neighbour_rows.h"

// The search for neighbours on threads: the 27 cells around a cell are copied once into packs, each
// particle of the cell sweeps them, and its hits are compressed in a register. Tasks of some cells
// write into memory of their own; a wave of tasks at a time is then put in place, so that one sweep
// is enough and rows lie in the order of the particles on any number of threads.

namespace phyxel {

namespace detail {

constexpr Index cells_per_task = 32;
constexpr Index tasks_per_wave = 32;

struct CellPlaces {
  Index first, last;  // of the cell's particles
  Index own;          // where they are among the candidates
  Index candidates;   // a multiple of `lanes`
  bool at_boundary;
};

/// Appends the positions at `places`.
inline void add_candidates(const RowSearch& search, const PlaceRange& places, Index& count,
                           RowSearch::Task& task) {
  const Index n = places.last - places.first;
  const std::size_t needed = static_cast<std::size_t>(count) + n + 2 * lanes;
  if (task.place.size() < needed)
    for (auto* column : {&task.x, &task.y, &task.z}) column->resize(2 * needed);
  if (task.place.size() < needed) task.place.resize(2 * needed);
  std::copy_n(search.x.data() + places.first, n, task.x.data() + count);
  std::copy_n(search.y.data() + places.first, n, task.y.data() + count);
  std::copy_n(search.z.data() + places.first, n, task.z.data() + count);
  std::iota(task.place.data() + count, task.place.data() + count + n, places.first);
  count += n;
}

/// Fills up to whole packs with places that are near nothing.
inline Index pad_candidates(Index count, RowSearch::Task& task) {
  for (; count % lanes != 0; ++count) {
    task.x[count] = task.y[count] = task.z[count] = std::numeric_limits<Real>::quiet_NaN();
    task.place[count] = -1;
  }
  return count;
}

/// Writes the candidates closer to p than sqrt(r2), except candidate `self`; returns how many.
template <bool image>
Index sweep(const RowSearch::Task& task, Index candidates, const Vec3& p, Real r2,
            const Period& period, Index self, Index* out) {
  const Real *const x = task.x.data(), *const y = task.y.data(), *const z = task.z.data();
  const Index* const place = task.place.data();
  const Pack px(p[0]), py(p[1]), pz(p[2]), limit(r2);
  const Index self_pack = self / lanes * lanes;
  const std::uint32_t self_bit = 1u << (self % lanes);
  Index hits = 0;
  for (Index c = 0; c < candidates; c += lanes) {
    Pack dx = Pack::load_aligned(x + c) - px, dy = Pack::load_aligned(y + c) - py,
         dz = Pack::load_aligned(z + c) - pz;
    if constexpr (image) {
      dx = nearest(dx, period.size[0], period.half[0]);
      dy = nearest(dy, period.size[1], period.half[1]);
      dz = nearest(dz, period.size[2], period.half[2]);
    }
    const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx));
    std::uint32_t bits = bits_of(squared < limit);
    if (c == self_pack) bits &= ~self_bit;
    hits += compress(place + c, bits, out + hits);
  }
  return hits;
}

/// Rows of the particles of one cell, behind those that the task has found before.
inline void search_cell(const CellPlaces& cell, const Period& period, NeighbourRows& rows,
                        RowSearch::Task& task) {
  const RowSearch& s = rows.search;
  const auto n = static_cast<Index>(s.x.size());
  const std::size_t room = static_cast<std::size_t>(task.entries) +
                           static_cast<std::size_t>(cell.last - cell.first) *
                               (static_cast<std::size_t>(cell.candidates) + 2 * row_pad);
  if (task.rows.size() < room) task.rows.resize(room + room / 2);
  const Real r2 = rows.radius * rows.radius;
  for (Index k = cell.first; k < cell.last; ++k) {
    Index* const out = task.rows.data() + task.entries;
    const Index self = cell.own + k - cell.first;
    const Vec3 p{s.x[k], s.y[k], s.z[k]};
    const Index hits = cell.at_boundary
                           ? sweep<true>(task, cell.candidates, p, r2, period, self, out)
                           : sweep<false>(task, cell.candidates, p, r2, period, self, out);
    const Index padded = (hits + row_pad - 1) / row_pad * row_pad;
    for (Index e = hits; e < padded; ++e) out[e] = n;
    rows.count[k] = hits;
    rows.start[k] = task.entries;  // within the task's own rows
    task.entries += padded;
  }
}

inline void search_cells(const CellTableView& t, Index first, Index last, const Period& period,
                         NeighbourRows& rows, RowSearch::Task& task) {
  task.entries = 0;
  Index row = static_cast<Index>(std::upper_bound(t.row_start, t.row_start + t.rows + 1, first) -
                                 t.row_start) -
              1;
  TouchingRows near = touching_rows(t, row, t.x[first]);
  for (Index c = first; c < last; ++c) {
    if (c == t.row_start[row + 1]) near = touching_rows(t, ++row, t.x[c]);
    CellPlaces cell{t.start[c], t.start[c + 1], 0, 0,
                    at_boundary(t.grid, {t.x[c], t.yz[row][0], t.yz[row][1]})};
    visit_places(t, near, t.x[c], [&](const PlaceRange& places) {
      if (places.first <= cell.first && cell.first < places.last)
        cell.own = cell.candidates + cell.first - places.first;
      add_candidates(rows.search, places, cell.candidates, task);
    });
    cell.candidates = pad_candidates(cell.candidates, task);
    search_cell(cell, period, rows, task);
  }
}

/// Moves the rows of a task to their final place.
inline void put_in_place(Index first, Index last, Index at, NeighbourRows& rows,
                         const RowSearch::Task& task) {
  stream(task.rows.data(), task.entries, rows.neighbour.data() + at);
  for (Index k = first; k < last; ++k) rows.start[k] += at;
}

}  // namespace detail

/// Fills start, count and neighbour; refuse(entries) is called when there are too many.
template <class Refuse>
void search_rows(const Exec& exec, const CellTable& cells, const Refuse& refuse,
                 NeighbourRows& rows) {
  using namespace detail;
  const TimerScope scope(exec.timers, "neighbours.search");
  const Exec quiet;
  const CellTableView t = cells.view();
  const Period period = period_of(cells.box);
  const Index tasks = (t.cells + cells_per_task - 1) / cells_per_task;
  const auto first_of = [&](Index task) { return std::min(task * cells_per_task, t.cells); };
  const auto n = static_cast<Index>(rows.search.x.size());
  rows.search.tasks.resize(tasks_per_wave);
  std::array<std::int64_t, tasks_per_wave + 1> at{};
  for (Index wave = 0; wave < tasks; wave += tasks_per_wave) {
    const Index count = std::min(tasks_per_wave, tasks - wave);
    for_each_coarse(quiet, "search", count, [&](Index k) {
      search_cells(t, first_of(wave + k), first_of(wave + k + 1), period, rows,
                   rows.search.tasks[k]);
    });
    for (Index k = 0; k < count; ++k) at[k + 1] = at[k] + rows.search.tasks[k].entries;
    const std::int64_t found = at[count];
    if (found > std::numeric_limits<Index>::max()) refuse(static_cast<double>(found));
    if (rows.neighbour.size() < static_cast<std::size_t>(found)) {
      // As many as the particles so far let expect, so that memory does not double again and again.
      const double done = t.start[first_of(wave + count)];
      const double expected = 1.05 * static_cast<double>(found) * n / std::max(done, 1.0);
      rows.neighbour.resize(std::max(
          static_cast<std::size_t>(found),
          static_cast<std::size_t>(std::min(expected, double(std::numeric_limits<Index>::max())))));
    }
    for_each_coarse(quiet, "place", count, [&](Index k) {
      put_in_place(t.start[first_of(wave + k)], t.start[first_of(wave + k + 1)],
                   static_cast<Index>(at[k]), rows, rows.search.tasks[k]);
    });
    at[0] = found;
  }
  rows.neighbour.resize(static_cast<std::size_t>(at[0]));
  rows.start[n] = static_cast<Index>(at[0]);
}

}  // namespace phyxel
