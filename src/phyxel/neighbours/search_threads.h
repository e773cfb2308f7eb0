#pragma once

#include "phyxel/core/pack_shuffle.h"
#include "phyxel/neighbours/neighbour_rows.h"

// The search for neighbours on threads: the 27 cells around a cell are copied once into packs, each
// particle of the cell is compared with all of them, and its hits are compressed in a register.
// Tasks of some cells write into memory of their own; the rows of a wave of tasks are then put in
// place, so that one sweep is enough and rows have the order of particles on any thread count.

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

/// Copies whole packs, as many as hold n numbers: quicker than a call for so few.
inline void copy_packs(const Real* from, Index n, Real* to) {
  for (Index k = 0; k < n; k += lanes) Pack::load_unaligned(from + k).store_unaligned(to + k);
}

/// Appends the positions at `places`, and what lies behind them up to a whole pack.
inline void add_candidates(const RowSearch& search, const PlaceRange& places, Index& count,
                           RowSearch::Task& task) {
  const Index n = places.last - places.first;
  const std::size_t needed = static_cast<std::size_t>(count) + n + 2 * row_pad;
  if (task.place.size() < needed)
    for (auto* column : {&task.x, &task.y, &task.z}) column->resize(2 * needed);
  if (task.place.size() < needed) task.place.resize(2 * needed);
  copy_packs(search.x.data() + places.first, n, task.x.data() + count);
  copy_packs(search.y.data() + places.first, n, task.y.data() + count);
  copy_packs(search.z.data() + places.first, n, task.z.data() + count);
  Index* const place = task.place.data() + count;
  const Index first = places.first, padded = (n + row_pad - 1) / row_pad * row_pad;
  for (Index k = 0; k < padded; ++k) place[k] = first + k;
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

/// A particle whose neighbours are searched.
struct Seeker {
  Pack x, y, z;
  Index self_pack;  // where it is among the candidates
  std::uint32_t others;
  Index* out;
  Index hits = 0;

  Seeker(const Vec3& p, Index self, Index* rows)
      : x(p[0]),
        y(p[1]),
        z(p[2]),
        self_pack(self / lanes * lanes),
        others(~(1u << (self % lanes))),
        out(rows) {}

  /// Appends those of the candidates c to c + lanes - 1 that are closer than sqrt(limit).
  template <bool image, bool may_be_self>
  PHYXEL_INLINE void look(const Pack& cx, const Pack& cy, const Pack& cz, const Index* place,
                          Index c, const Pack& limit, const Period& period) {
    Pack dx = cx - x, dy = cy - y, dz = cz - z;
    if constexpr (image) {
      dx = nearest(dx, period.size[0], period.half[0]);
      dy = nearest(dy, period.size[1], period.half[1]);
      dz = nearest(dz, period.size[2], period.half[2]);
    }
    const Pack squared = xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx));
    std::uint32_t bits = bits_of(squared < limit);
    if (may_be_self && c == self_pack) bits &= others;
    hits += compress(place, bits, out + hits);
  }
};

/// All candidates against `count` particles at a time, which share the loads.
template <bool image, int count>
PHYXEL_INLINE void sweep(const RowSearch::Task& task, Index candidates, Real squared_radius,
                         const Period& period, Seeker* seekers) {
  const Real *const x = task.x.data(), *const y = task.y.data(), *const z = task.z.data();
  const Index* const place = task.place.data();
  const Pack limit(squared_radius);
  Seeker first = seekers[0], second = seekers[count - 1];
  const auto look = [&](Index begin, Index end, auto may_be_self) __attribute__((always_inline)) {
    for (Index c = begin; c < end; c += lanes) {
      const Pack cx = Pack::load_aligned(x + c), cy = Pack::load_aligned(y + c),
                 cz = Pack::load_aligned(z + c);
      first.look<image, may_be_self.value>(cx, cy, cz, place + c, c, limit, period);
      if constexpr (count == 2)
        second.look<image, may_be_self.value>(cx, cy, cz, place + c, c, limit, period);
    }
  };
  // The seekers themselves are in one pack or in two that follow each other.
  const Index selves = first.self_pack, behind = second.self_pack + lanes;
  look(0, selves, std::false_type{});
  look(selves, behind, std::true_type{});
  look(behind, candidates, std::false_type{});
  seekers[0].hits = first.hits;
  if constexpr (count == 2) seekers[1].hits = second.hits;
}

/// Fills a row up to whole packs with n; returns its length then.
inline Index pad_row(Index* row, Index hits, Index n) {
  const Index padded = (hits + row_pad - 1) / row_pad * row_pad;
  for (Index e = hits; e < padded; ++e) row[e] = n;
  return padded;
}

/// Rows of the particles of one cell, behind those that the task has found before.
template <bool image>
void search_cell(const CellPlaces& cell, const Period& period, NeighbourRows& rows,
                 RowSearch::Task& task) {
  const RowSearch& s = rows.search;
  const auto n = static_cast<Index>(rows.count.size());
  const std::size_t row_room = static_cast<std::size_t>(cell.candidates) + 2 * row_pad;
  const std::size_t room = static_cast<std::size_t>(task.entries) +
                           static_cast<std::size_t>(cell.last - cell.first) * row_room;
  if (task.rows.size() < room) task.rows.resize(2 * room);
  if (task.second_row.size() < row_room) task.second_row.resize(2 * row_room);
  const Real r2 = rows.radius * rows.radius;
  const auto seeker = [&](Index k, Index* out) {
    return Seeker({s.x[k], s.y[k], s.z[k]}, cell.own + k - cell.first, out);
  };
  const auto finish = [&](Index k, Index hits) {
    rows.count[k] = hits;
    rows.start[k] = task.entries;  // within the task's own rows
    task.entries += pad_row(task.rows.data() + task.entries, hits, n);
  };
  Index k = cell.first;
  for (; k + 2 <= cell.last; k += 2) {
    Seeker two[] = {seeker(k, task.rows.data() + task.entries),
                    seeker(k + 1, task.second_row.data())};
    sweep<image, 2>(task, cell.candidates, r2, period, two);
    finish(k, two[0].hits);
    for (Index e = 0; e < two[1].hits; e += row_pad)
      std::copy_n(task.second_row.data() + e, row_pad, task.rows.data() + task.entries + e);
    finish(k + 1, two[1].hits);
  }
  if (k < cell.last) {
    Seeker one[] = {seeker(k, task.rows.data() + task.entries)};
    sweep<image, 1>(task, cell.candidates, r2, period, one);
    finish(k, one[0].hits);
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
    if (cell.at_boundary)
      search_cell<true>(cell, period, rows, task);
    else
      search_cell<false>(cell, period, rows, task);
  }
}

/// Gives every task the memory that one of them has needed: which task meets the most crowded cells
/// changes from search to search, and a step should not have to allocate.
inline void even_out(std::vector<RowSearch::Task>& tasks) {
  std::size_t candidates = 0, entries = 0, row = 0;
  for (const RowSearch::Task& task : tasks) {
    candidates = std::max(candidates, task.place.size());
    entries = std::max(entries, task.rows.size());
    row = std::max(row, task.second_row.size());
  }
  for (RowSearch::Task& task : tasks) {
    for (auto* column : {&task.x, &task.y, &task.z}) column->resize(candidates);
    task.place.resize(candidates);
    task.rows.resize(entries);
    task.second_row.resize(row);
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
  const auto n = static_cast<Index>(rows.count.size());
  rows.search.tasks.resize(tasks_per_wave);
  even_out(rows.search.tasks);
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
      // Extrapolated from the particles so far, so that memory does not double again and again.
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
