#include "phyxel/surfaces/flow_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "phyxel/surfaces/first_lanes.h"

namespace phyxel {

namespace {

constexpr Index cells_per_task = 32;
constexpr double points_per_cell = 16;              // that cells are made for
constexpr Index fewest_cells = 1, most_cells = 32;  // to a radius
// Distances of packs are rounded: cells count as a whole or not at all only where that cannot
// matter.
constexpr double margin = 1e-6;

std::vector<RowReach> rows_within(double cells, bool is_even) {
  std::vector<RowReach> reach;
  const double outer = cells * (1 + margin), inner = cells * (1 - margin);
  const auto width = static_cast<Index>(std::ceil(outer));
  for (Index z = -width; z <= width; ++z)
    for (Index y = -width; y <= width; ++y) {
      const auto gap = [](Index d) { return std::max(0.0, std::abs(double(d)) - 1); };
      const double near = std::hypot(gap(y), gap(z));
      const double far = std::hypot(std::abs(double(y)) + 1, std::abs(double(z)) + 1);
      if (near >= outer) continue;
      const double some = std::sqrt(outer * outer - near * near) + 1;
      const double all = far < inner ? std::sqrt(inner * inner - far * far) - 1 : -1;
      reach.push_back(
          {y, z, static_cast<Index>(some), is_even && all >= 0 ? static_cast<Index>(all) : -1});
    }
  return reach;
}

/// False where points lie so far out that cells grow wider there.
bool is_even(const CellTable& cells) {
  const double limit = linear_cells - 2 * most_cells;
  for (const Vec<Index, 2>& yz : cells.yz)
    if (std::abs(double(yz[0])) > limit || std::abs(double(yz[1])) > limit) return false;
  for (const Index x : cells.x)
    if (std::abs(double(x)) > limit) return false;
  return true;
}

void add(const Vec3& x, PositionSums& sums) {
  const Vec3d p = cast<double>(x);
  sums.first += p;
  sums.squares += dot(p, p);
}

void sum_rows(const Exec& exec, FlowCells& f) {
  f.before.resize(static_cast<std::size_t>(f.cells.cells()) + f.cells.rows());
  for_each_coarse(exec, "flow.row_sums", (f.cells.rows() + 63) / 64, [&](Index task) {
    for (Index r = 64 * task; r < std::min(f.cells.rows(), 64 * (task + 1)); ++r) {
      PositionSums sum;
      f.before[f.cells.row_start[r] + r] = sum;
      for (Index c = f.cells.row_start[r]; c < f.cells.row_start[r + 1]; ++c) {
        for (Index k = f.cells.start[c]; k < f.cells.start[c + 1]; ++k) add(f.place(k), sum);
        f.before[c + r + 1] = sum;
      }
    }
  });
}

/// Cells [first, all_first) and [all_last, last) of a row are cut by spheres around points of a
/// cell; those between lie within all of them.
struct CellRun {
  Index row, first, all_first, all_last, last;
};

/// visit(run) for the rows around a cell at x, y, z.
template <class Visit>
void visit_cells(const FlowCells& f, const Int3& cell, const Visit& visit) {
  const CellTableView view = f.cells.view();
  for (const RowReach& reach : f.reach) {
    const Index row = f.rows.find(view, cell[1] + reach.y, cell[2] + reach.z);
    if (row < 0) continue;
    CellRun run{row, first_cell_near(view, row, cell[0] - reach.some), 0, 0,
                first_cell_near(view, row, cell[0] + reach.some + 1)};
    if (run.first == run.last) continue;
    run.all_first = run.all_last = run.last;
    if (reach.all >= 0) {
      run.all_first = first_cell_near(view, row, cell[0] - reach.all);
      run.all_last = first_cell_near(view, row, cell[0] + reach.all + 1);
    }
    visit(run);
  }
}

/// Points that may be within the radius of one in a box, ready for packs.
struct Candidates {
  Column<Real> x, y, z, value;
  Index count = 0;
  Vec3 centre, half;  // of the box, m
  Real limit = 0;     // of squared distances from it, m^2

  /// None, for the points of a cell.
  void begin(const FlowCells& f, Index cell) {
    Bounds box;
    for (Index k = f.cells.start[cell]; k < f.cells.start[cell + 1]; ++k) box.include(f.place(k));
    centre = box.centre();
    // Rounding of the centre may not make the box smaller.
    half = max(box.max - centre, centre - box.min);
    limit = f.radius * f.radius * Real(1 + 10 * margin);
    count = 0;
  }
  std::uint32_t near_box(const Pack& px, const Pack& py, const Pack& pz) const {
    const auto gap = [&](const Pack& p, int axis) {
      return max(xsimd::abs(p - Pack(centre[axis])) - Pack(half[axis]), Pack(Real(0)));
    };
    const Pack dx = gap(px, 0), dy = gap(py, 1), dz = gap(pz, 2);
    return bits_of(xsimd::fma(dz, dz, xsimd::fma(dy, dy, dx * dx)) < Pack(limit));
  }
  void add(const FlowCells& f, Index first_cell, Index last_cell, bool with_value) {
    const Index first = f.cells.start[first_cell], last = f.cells.start[last_cell];
    const std::size_t needed = static_cast<std::size_t>(count) + (last - first) + 2 * lanes;
    if (x.size() < needed)
      for (Column<Real>* column : {&x, &y, &z, &value}) column->resize(2 * needed);
    for (Index k = first; k < last; k += lanes) {
      const Pack px = Pack::load_unaligned(f.x.data() + k);
      const Pack py = Pack::load_unaligned(f.y.data() + k);
      const Pack pz = Pack::load_unaligned(f.z.data() + k);
      const std::uint32_t here = last - k < lanes ? (1u << (last - k)) - 1 : ~0u;
      const std::uint32_t bits = near_box(px, py, pz) & here;
      compress(px, bits, x.data() + count);
      compress(py, bits, y.data() + count);
      if (with_value)
        compress(Pack::load_unaligned(f.value.data() + k), bits, value.data() + count);
      count += compress(pz, bits, z.data() + count);
    }
  }
  void add(const FlowCells& f, const CellRun& run, bool with_value) {
    if (run.first < run.all_first) add(f, run.first, run.all_first, with_value);
    if (run.all_last < run.last) add(f, run.all_last, run.last, with_value);
  }
  /// Up to whole packs, with points that are near nothing: far, but finite, as they are multiplied
  /// by 0.
  void pad() {
    for (; count % lanes != 0; ++count) x[count] = Real(1e18), y[count] = z[count] = 0;
  }
};

struct Difference {
  Pack x, y, z, squared;
};
PHYXEL_INLINE Difference difference(const Candidates& c, Index k, const Vec3Pack& p) {
  Difference d;
  d.x = Pack::load_aligned(c.x.data() + k) - p[0];
  d.y = Pack::load_aligned(c.y.data() + k) - p[1];
  d.z = Pack::load_aligned(c.z.data() + k) - p[2];
  d.squared = xsimd::fma(d.z, d.z, xsimd::fma(d.y, d.y, d.x * d.x));
  return d;
}

/// Sums over vectors from a point to others.
struct VectorSums {
  double count = 0;
  PositionSums of;
};
VectorSums sum_near(const Candidates& c, const Vec3& at, Real radius) {
  const Vec3Pack p{Pack(at[0]), Pack(at[1]), Pack(at[2])};
  const Pack limit(radius * radius), none(Real(0)), one(Real(1));
  Pack x = none, y = none, z = none, squares = none;
  Index count = 0;
  for (Index k = 0; k < c.count; k += lanes) {
    const Difference d = difference(c, k, p);
    const auto near = d.squared < limit;
    const Pack weight = select(near, one, none);
    // Half by multiplying, half by adding: processors do both at once.
    x = xsimd::fma(weight, d.x, x);
    y = xsimd::fma(weight, d.y, y);
    z += select(near, d.z, none);
    squares += select(near, d.squared, none);
    count += std::popcount(bits_of(near));
  }
  const auto sum = [](const Pack& pack) { return double(xsimd::hadd(pack)); };
  return {double(count), {{sum(x), sum(y), sum(z)}, sum(squares)}};
}

/// The vectors from a place to points whose positions have these sums.
VectorSums seen_from(const Vec3& at, double count, const PositionSums& points) {
  const Vec3d p = cast<double>(at);
  const double squares = points.squares - 2 * dot(p, points.first) + count * dot(p, p);
  return {count, {points.first - p * count, std::max(0.0, squares)}};
}

/// True where share * value of a point nearer than the radius is above `own`.
bool is_exceeded(const Candidates& c, const Vec3& at, Real radius, Real own, Real share) {
  const Vec3Pack p{Pack(at[0]), Pack(at[1]), Pack(at[2])};
  const Pack limit(radius * radius), mine(own), part(share);
  for (Index k = 0; k < c.count; k += lanes) {
    const auto above = part * Pack::load_aligned(c.value.data() + k) > mine;
    if (xsimd::any(above & (difference(c, k, p).squared < limit))) return true;
  }
  return false;
}

/// body(cell, coordinates) for all cells; what it works in is that of a task.
template <class Body>
void for_each_cell(const Exec& exec, const char* name, const FlowCells& f, const Body& body) {
  const Index cells = f.cells.cells();
  for_each_coarse(exec, name, (cells + cells_per_task - 1) / cells_per_task, [&](Index task) {
    const Index first = task * cells_per_task, last = std::min(cells, first + cells_per_task);
    const auto& starts = f.cells.row_start;
    Index row =
        static_cast<Index>(std::upper_bound(starts.begin(), starts.end(), first) - starts.begin()) -
        1;
    Candidates near;
    for (Index c = first; c < last; ++c) {
      while (f.cells.row_start[row + 1] <= c) ++row;
      body(c, Int3{f.cells.x[c], f.cells.yz[row][0], f.cells.yz[row][1]}, near);
    }
  });
}

void mean_vectors_of_cell(const FlowCells& f, Index c, const Int3& cell, Candidates& near,
                          MeanVectors& vectors) {
  near.begin(f, c);
  PositionSums inside;
  double count = 0;
  visit_cells(f, cell, [&](const CellRun& run) {
    near.add(f, run, false);
    if (run.all_first >= run.all_last) return;
    const PositionSums &last = f.before[run.all_last + run.row],
                       &first = f.before[run.all_first + run.row];
    inside.first += last.first - first.first;
    inside.squares += last.squares - first.squares;
    count += f.cells.start[run.all_last] - f.cells.start[run.all_first];
  });
  near.pad();
  for (Index k = f.cells.start[c]; k < f.cells.start[c + 1]; ++k) {
    const VectorSums cut = sum_near(near, f.place(k), f.radius);
    const VectorSums whole = seen_from(f.place(k), count, inside);
    const double n = cut.count + whole.count - 1;  // without the point itself
    const Index i = f.cells.order[k];
    vectors.count[i] = static_cast<Index>(n);
    vectors.mean[i] = n > 0 ? cast<Real>((cut.of.first + whole.of.first) / n) : Vec3::zero();
    vectors.spread[i] =
        n > 0 ? static_cast<Real>(std::sqrt((cut.of.squares + whole.of.squares) / n)) : 0;
  }
}

void mark_largest_of_cell(const FlowCells& f, Real share, Index c, const Int3& cell,
                          Candidates& near, Column<std::uint8_t>& mark) {
  const Index first = f.cells.start[c], last = f.cells.start[c + 1];
  for (Index k = first; k < last; ++k) mark[f.cells.order[k]] = 0;
  if (!(f.largest[c] > 0)) return;
  near.begin(f, c);
  Real inside = 0;
  visit_cells(f, cell, [&](const CellRun& run) {
    for (Index b = run.all_first; b < run.all_last; ++b) inside = std::max(inside, f.largest[b]);
  });
  const auto may_be = [&](Index k) { return f.value[k] > 0 && f.value[k] >= share * inside; };
  bool any = false;
  for (Index k = first; k < last; ++k) any |= may_be(k);
  if (any) visit_cells(f, cell, [&](const CellRun& run) { near.add(f, run, true); });
  near.pad();
  for (Index k = first; k < last; ++k)
    mark[f.cells.order[k]] =
        may_be(k) && !is_exceeded(near, f.place(k), f.radius, f.value[k], share);
}

void take_values(const Exec& exec, const Column<Real>& value, FlowCells& f) {
  f.value.resize(value.size() + lanes);
  f.largest.resize(f.cells.cells());
  for_each(exec, "flow.values", f.size(), [&](Index k) { f.value[k] = value[f.cells.order[k]]; });
  for_each(exec, "flow.largest", f.cells.cells(), [&](Index c) {
    f.largest[c] = *std::max_element(f.value.begin() + f.cells.start[c],
                                     f.value.begin() + f.cells.start[c + 1]);
  });
}

}  // namespace

void sort_flow(const Exec& exec, const Column<Vec3>& x, Real radius, FlowCells& f) {
  const TimerScope scope(exec.timers, "flow.sort");
  f.radius = radius;
  const auto edge_of = [&](double cells) { return static_cast<Real>(double(radius) / cells); };
  double cells = 2.5;
  for (int pass = 0; pass < 3; ++pass) {
    build_cells(exec, x, edge_of(cells), {}, f.cells);
    if (x.empty()) break;
    const double points = double(f.size()) / f.cells.cells();
    const double better = std::clamp(cells * std::cbrt(points / points_per_cell),
                                     double(fewest_cells), double(most_cells));
    if (better > 0.6 * cells && better < 1.6 * cells) break;
    cells = better;
  }
  f.reach = rows_within(double(radius) / double(f.cells.edge), is_even(f.cells));
  fill_cells(exec, "flow.points", x, f);
  sum_rows(exec, f);
}

void mean_vectors(const Exec& exec, const FlowCells& f, MeanVectors& vectors) {
  vectors.count.resize(f.size());
  vectors.mean.resize(f.size());
  vectors.spread.resize(f.size());
  for_each_cell(exec, "flow.mean_vectors", f, [&](Index c, const Int3& cell, Candidates& near) {
    mean_vectors_of_cell(f, c, cell, near, vectors);
  });
}

void mark_largest(const Exec& exec, const Column<Real>& value, Real share, FlowCells& f,
                  Column<std::uint8_t>& mark) {
  take_values(exec, value, f);
  mark.resize(f.size());
  for_each_cell(exec, "flow.mark_largest", f, [&](Index c, const Int3& cell, Candidates& near) {
    mark_largest_of_cell(f, share, c, cell, near, mark);
  });
}

}  // namespace phyxel
