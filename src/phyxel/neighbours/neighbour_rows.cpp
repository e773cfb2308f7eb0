#include "phyxel/neighbours/neighbour_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

constexpr Index cells_per_task = 32;
constexpr int batch_size = 512;
constexpr int batch_lanes = 64;  // as many as hit bits are handled at once
// Wider than rounding of a cell's coordinate up to 2^40 cells from the origin.
constexpr Real cell_margin = Real(1) + Real(1) / 1024;

/// Positions of particles that may be neighbours of a cell's particles, ready for vector loads.
struct Candidates {
  int count = 0;
  alignas(64) Real x[batch_size];
  alignas(64) Real y[batch_size];
  alignas(64) Real z[batch_size];
  alignas(64) Index particle[batch_size];

  void add(const Vec3& p, Index i) {
    x[count] = p[0];
    y[count] = p[1];
    z[count] = p[2];
    particle[count++] = i;
  }
  /// Fills up to whole vectors with places that are near nothing.
  void pad() {
    while (count % batch_lanes) add(Vec3::filled(std::numeric_limits<Real>::quiet_NaN()), -1);
  }
};

/// Period along each axis; an open axis has an infinite half, so that nothing is ever shifted.
struct Period {
  Vec3 size = Vec3::zero();
  Vec3 half = Vec3::filled(std::numeric_limits<Real>::infinity());
};

Period period_of(const PeriodicBox& box) {
  Period p;
  for (int k = 0; k < 3; ++k) {
    if (!box.periodic[k]) continue;
    p.size[k] = box.size[k];
    p.half[k] = box.size[k] / 2;
  }
  return p;
}

/// Nearest copy of a difference of wrapped positions.
PHYXEL_FN Real nearest(Real d, Real size, Real half) {
  return d > half ? d - size : (d < -half ? d + size : d);
}

/// near[k] = 1 when candidate k is closer to p than sqrt(r2), else 0.
/// Everything but the arrays by value: a write to a byte might change what a reference names, and
/// loops that must fear so are not vectorised.
void mark_near(const Candidates& c, const Vec3 p, const Real r2, std::uint8_t* near) {
  const int count = c.count;
  for (int k = 0; k < count; ++k) {
    const Real dx = c.x[k] - p[0], dy = c.y[k] - p[1], dz = c.z[k] - p[2];
    near[k] = dx * dx + dy * dy + dz * dz < r2;
  }
}
void mark_near_image(const Candidates& c, const Vec3 p, const Real r2, const Period period,
                     std::uint8_t* near) {
  const int count = c.count;
  for (int k = 0; k < count; ++k) {
    const Real dx = nearest(c.x[k] - p[0], period.size[0], period.half[0]);
    const Real dy = nearest(c.y[k] - p[1], period.size[1], period.half[1]);
    const Real dz = nearest(c.z[k] - p[2], period.size[2], period.half[2]);
    near[k] = dx * dx + dy * dy + dz * dz < r2;
  }
}

/// Bit k of the result is byte k, for 64 bytes that are 0 or 1.
std::uint64_t bits_of(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (int k = 0; k < 8; ++k) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * k, 8);
    // The product has bit k of every byte k side by side in its highest byte.
    bits |= (eight * 0x0102040810204080u >> 56) << (8 * k);
  }
  return bits;
}

/// The up to three coordinates that touch c along one axis, each once.
struct Touching {
  Index at[3];
  int count;
};
Touching touching(Index c, Index periodic_count) {
  if (periodic_count == 0) return {{c - 1, c, c + 1}, 3};
  if (periodic_count == 1) return {{0}, 1};
  if (periodic_count == 2) return {{0, 1}, 2};
  return {{(c + periodic_count - 1) % periodic_count, c, (c + 1) % periodic_count}, 3};
}

/// Rows of cells around a row, each with the cell where the last question about it was answered.
struct TouchingRows {
  Index at[9];
  Index cursor[9];
  int count = 0;
};
TouchingRows touching_rows(const CellTable& t, Index row, Index x) {
  TouchingRows found;
  const Touching ys = touching(t.yz[row][0], t.grid.count[1]);
  const Touching zs = touching(t.yz[row][1], t.grid.count[2]);
  for (int a = 0; a < zs.count; ++a)
    for (int b = 0; b < ys.count; ++b) {
      const Index r = find_row(t, ys.at[b], zs.at[a]);
      if (r < 0) continue;
      found.at[found.count] = r;
      found.cursor[found.count++] = first_cell(t, r, x - 1);
    }
  return found;
}

/// True when a neighbour of this cell may be nearer as a copy across the boundary.
bool at_boundary(const CellGrid& grid, const Int3& cell) {
  for (int k = 0; k < 3; ++k) {
    const Index n = grid.count[k];
    if (n > 0 && (cell[k] == 0 || cell[k] == n - 1)) return true;
  }
  return false;
}

/// visit(places) for the runs of sorted places in the cells that touch a cell, in a fixed order.
template <class Visit>
void visit_places(const CellTable& t, TouchingRows& rows, Index x, const Visit& visit) {
  const Touching xs = touching(x, t.grid.count[0]);
  for (int r = 0; r < rows.count; ++r)
    for (int a = 0; a < xs.count;) {
      int b = a;
      while (b + 1 < xs.count && xs.at[b + 1] == xs.at[b] + 1) ++b;
      visit(find_places(t, rows.at[r], xs.at[a], xs.at[b], rows.cursor[r]));
      a = b + 1;
    }
}

struct CellPlaces {
  Index first, last;  // sorted places of the cell's particles
  bool at_boundary;
};

/// visit(cell, candidates) for the cells of one task, in batches of candidates.
template <class Visit>
void visit_candidates(const NeighbourRows& rows, Index task, const Visit& visit) {
  const CellTable& t = rows.cells;
  const Index first = task * cells_per_task;
  const auto& starts = t.row_start;
  const auto next_row = std::upper_bound(starts.begin(), starts.end(), first);
  Index row = static_cast<Index>(next_row - starts.begin()) - 1;
  TouchingRows near = touching_rows(t, row, t.x[first]);
  Candidates batch;
  const Index last_cell = std::min(first + cells_per_task, t.cells());
  for (Index c = first; c < last_cell; ++c) {
    if (c == starts[row + 1]) near = touching_rows(t, ++row, t.x[c]);
    const Int3 coordinates{t.x[c], t.yz[row][0], t.yz[row][1]};
    const CellPlaces cell{t.start[c], t.start[c + 1], at_boundary(t.grid, coordinates)};
    const auto flush = [&] {
      batch.pad();
      visit(cell, batch);
      batch.count = 0;
    };
    visit_places(t, near, t.x[c], [&](const PlaceRange& places) {
      for (Index k = places.first; k < places.last; ++k) {
        batch.add(rows.sorted[k], t.order[k]);
        if (batch.count == batch_size) flush();
      }
    });
    if (batch.count > 0) flush();
  }
}

/// visit(place, batch, near flags) for every particle and batch of candidates.
template <class Visit>
void for_each_batch(const Exec& exec, const char* name, const NeighbourRows& rows,
                    const Period& period, const Visit& visit) {
  const Index tasks = (rows.cells.cells() + cells_per_task - 1) / cells_per_task;
  for_each_coarse(exec, name, tasks, [&](Index task) {
    alignas(64) std::uint8_t near[batch_size];
    const Real r2 = rows.radius * rows.radius;
    visit_candidates(rows, task, [&](const CellPlaces& cell, const Candidates& batch) {
      for (Index k = cell.first; k < cell.last; ++k) {
        if (cell.at_boundary)
          mark_near_image(batch, rows.sorted[k], r2, period, near);
        else
          mark_near(batch, rows.sorted[k], r2, near);
        visit(k, batch, near);
      }
    });
  });
}

void count_neighbours(const Exec& exec, const Period& period, NeighbourRows& rows) {
  rows.filled.assign(rows.sorted.size(), -1);  // every particle also finds itself
  for_each_batch(exec, "neighbours.count", rows, period,
                 [&](Index k, const Candidates& batch, const std::uint8_t* near) {
                   Index hits = 0;
                   for (int c = 0; c < batch.count; ++c) hits += near[c];
                   rows.filled[k] += hits;
                 });
}

void list_neighbours(const Exec& exec, const Period& period, NeighbourRows& rows) {
  const Column<Index>& order = rows.cells.order;
  for_each(exec, "neighbours.begin", static_cast<Index>(order.size()),
           [&](Index k) { rows.filled[k] = rows.start[order[k]]; });
  for_each_batch(exec, "neighbours.list", rows, period,
                 [&](Index k, const Candidates& batch, const std::uint8_t* near) {
                   Index* out = rows.neighbour.data() + rows.filled[k];
                   for (int c = 0; c < batch.count; c += 64)
                     for (auto bits = bits_of(near + c); bits != 0; bits &= bits - 1) {
                       const Index j = batch.particle[c + std::countr_zero(bits)];
                       if (j != order[k]) *out++ = j;
                     }
                   rows.filled[k] = static_cast<Index>(out - rows.neighbour.data());
                 });
}

[[noreturn]] void refuse_entries(double entries, std::size_t particles, Real radius) {
  throw Error(fmt::format(
      "neighbours.count: {} particles have {:.3g} neighbours within {:.4g} m, at most {} can be "
      "listed; lower the cut-off or skin, enlarge the spacing, or look for collapsed particles",
      particles, entries, radius, std::numeric_limits<Index>::max()));
}

/// Entries that the particles of one cell make at least: cut into parts with diagonals below the
/// radius, all particles of a part are neighbours.
double least_entries(const NeighbourRows& rows, Index cell) {
  const Index first = rows.cells.start[cell], last = rows.cells.start[cell + 1];
  if (last - first < 256) return 0;
  Bounds box;
  for (Index k = first; k < last; ++k) box.include(rows.sorted[k]);
  double parts = 1;
  for (int k = 0; k < 3; ++k) parts *= std::floor(2.0 * box.size()[k] / rows.radius) + 1;
  const double m = last - first;
  return std::max(0.0, m * (m / parts - 1));
}

/// Refuses a collapsed body before counting its pairs takes hours.
void refuse_collapse(const Exec& exec, const NeighbourRows& rows) {
  const double entries = reduce_sum(exec, "neighbours.crowding", rows.cells.cells(),
                                    [&](Index c) { return least_entries(rows, c); });
  if (entries > std::numeric_limits<Index>::max())
    refuse_entries(entries, rows.sorted.size(), rows.radius);
}

void check_search(std::size_t n, Real radius, const PeriodicBox& box) {
  if (n >= static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw Error(fmt::format("neighbours: {} particles, at most {}; enlarge the spacing", n,
                            std::numeric_limits<Index>::max() - 1));
  const Real smallest = std::sqrt(std::numeric_limits<Real>::min());  // its square is no zero
  if (!(radius > smallest) || !std::isfinite(radius))
    throw Error(fmt::format("neighbours: the search radius {} m must be finite and above {:.1g} m",
                            radius, smallest));
  for (int k = 0; k < 3; ++k)
    if (box.periodic[k] && !(box.size[k] >= 2 * radius && std::isfinite(box.size[k])))
      throw Error(fmt::format(
          "neighbours: the periodic box is {:.6g} m along {}, must be at least {:.6g} m, twice the "
          "cut-off and skin; enlarge world.domain or lower the cut-off",
          box.size[k], "xyz"[k], 2 * radius));
}

/// Like resize, without the doubling of memory that a growing vector asks for.
void resize_tightly(Column<Index>& column, std::size_t n) {
  if (column.capacity() < n) {
    column = Column<Index>();
    column.reserve(n + n / 8);
  }
  column.resize(n);
}

void set_starts(const Exec& exec, NeighbourRows& rows) {
  const auto n = static_cast<Index>(rows.sorted.size());
  const double entries =
      reduce_sum(exec, "neighbours.total", n, [&](Index k) { return rows.filled[k]; });
  if (entries > std::numeric_limits<Index>::max()) refuse_entries(entries, n, rows.radius);
  rows.start.resize(n + 1);
  rows.start[n] = 0;
  for_each(exec, "neighbours.starts", n,
           [&](Index k) { rows.start[rows.cells.order[k]] = rows.filled[k]; });
  resize_tightly(rows.neighbour, scan(exec, "neighbours.starts", rows.start));
}

}  // namespace

void build_rows(const Exec& exec, const Column<Vec3>& x, Real radius, const PeriodicBox& box,
                NeighbourRows& rows) {
  check_search(x.size(), radius, box);
  const Period period = period_of(box);
  rows.radius = radius;
  build_cells(exec, x, radius * cell_margin, box, rows.cells);
  rows.sorted.resize(x.size());
  for_each(exec, "neighbours.gather", static_cast<Index>(x.size()),
           [&](Index k) { rows.sorted[k] = wrap(box, x[rows.cells.order[k]]); });
  refuse_collapse(exec, rows);
  count_neighbours(exec, period, rows);
  set_starts(exec, rows);
  list_neighbours(exec, period, rows);
}

Real largest_move(const Exec& exec, const Column<Vec3>& x, const Column<Vec3>& x_at_build,
                  const PeriodicBox& box) {
  constexpr Real infinite = std::numeric_limits<Real>::infinity();
  const auto moved = [&](Index i) {
    const Real d2 = length_squared(minimum_image(box, x[i] - x_at_build[i]));
    return std::isfinite(d2) ? d2 : infinite;
  };
  return std::sqrt(
      reduce_max(exec, "neighbours.largest_move", static_cast<Index>(x.size()), Real(0), moved));
}

}  // namespace phyxel
