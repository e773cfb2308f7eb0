#include "phyxel/surfaces/flow.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/neighbours/neighbour_rows.h"
#include "phyxel/surfaces/flow_cells.h"

namespace phyxel {

namespace {

/// What a vector must exceed to tell of a border. Neighbours all around have a mean vector too, by
/// chance and rounding: about their spread over the root of their number; twice that is seldom
/// chance. Where they are few, half of what a flat border gives is less: sqrt(15) / 16 of the
/// spread.
Real least_length(Index neighbours, Real spread) {
  const Real chance = 2 / std::sqrt(static_cast<Real>(std::max(neighbours, Index{1})));
  return spread * std::min(chance, Real(0.242));
}

Index count_if(const Exec& exec, Index n, auto is) {
  return static_cast<Index>(
      reduce_sum(exec, "flow.count", n, [&](Index i) { return is(i) ? 1.0 : 0.0; }));
}

void mark_above(const Exec& exec, Real least, const Column<Real>& length,
                Column<std::uint8_t>& mark) {
  mark.resize(length.size());
  for_each(exec, "flow.border", static_cast<Index>(length.size()),
           [&](Index i) { mark[i] = length[i] >= least; });
}

/// Lengths of the vectors that count: all for the rule of the frame.
void measure_vectors(const Exec& exec, BorderRule rule, const MeanVectors& close,
                     Column<Real>& lengths) {
  const auto n = static_cast<Index>(close.mean.size());
  lengths.resize(n);
  for_each(exec, "flow.lengths", n, [&](Index i) {
    const Real l = length(close.mean[i]);
    const bool counts =
        rule == BorderRule::frame || l >= least_length(close.count[i], close.spread[i]);
    lengths[i] = counts ? l : 0;
  });
}

}  // namespace

const std::vector<std::string>& border_rule_names() {
  static const std::vector<std::string> names = {"frame", "local"};
  return names;
}

void check(const FlowOptions& o) {
  const auto demand = [](bool fine, const char* name, Real value, const char* limit) {
    if (!fine) throw InputError(fmt::format("{} = {}: must be {}", name, value, limit));
  };
  demand(o.alpha > 0 && o.alpha <= 10, "alpha", o.alpha, "above 0, at most 10; 0.1 is usual");
  demand(o.longest_edge >= 0 && std::isfinite(o.longest_edge), "longest_edge", o.longest_edge,
         "above 0 m; leave it out for alpha times the mean distance");
  demand(o.border > 0 && o.border <= 1, "border", o.border, "above 0, at most 1; 0.8 is usual");
}

Real longest_edge(const FlowOptions& o, double mean_distance) {
  if (o.longest_edge > 0) return o.longest_edge;
  const auto edge = static_cast<Real>(double(o.alpha) * mean_distance);
  if (edge > 0 && std::isfinite(edge)) return edge;
  throw InputError(fmt::format(
      "longest_edge: the mean distance of the points is {} m, which tells no length; give it",
      mean_distance));
}

void structure_flow(const Exec& exec, const Column<Vec3>& x, Real longest_edge,
                    const FlowOptions& options, FlowScratch& scratch, FlowStructure& flow) {
  check(options);
  const TimerScope scope(exec.timers, "flow");
  const auto n = static_cast<Index>(x.size());
  flow.longest_edge = longest_edge;
  sort_flow(exec, x, longest_edge, scratch.cells);
  mean_vectors(exec, scratch.cells, flow.close);
  measure_vectors(exec, options.relative_to, flow.close, scratch.length);
  flow.largest_vector = reduce_max(exec, "flow.largest", n, Real(0),
                                   [&](Index i) { return length(flow.close.mean[i]); });
  if (options.relative_to == BorderRule::frame)
    mark_above(exec, options.border * flow.largest_vector, scratch.length, flow.border);
  else
    mark_largest(exec, scratch.length, options.border, scratch.cells, flow.border);
  for_each(exec, "flow.lone", n, [&](Index i) { flow.border[i] |= flow.close.count[i] == 0; });
  flow.edges = reduce_sum(exec, "flow.edges", n, [&](Index i) { return flow.close.count[i]; }) / 2;
  flow.border_points = count_if(exec, n, [&](Index i) { return flow.border[i] != 0; });
  flow.lone_points = count_if(exec, n, [&](Index i) { return flow.close.count[i] == 0; });
}

std::vector<Vec<Index, 2>> flow_graph(const Exec& exec, const Column<Vec3>& x,
                                      const FlowStructure& flow, double most) {
  if (flow.edges > most)
    throw InputError(fmt::format(
        "the graph has {:.0f} edges, at most {:.0f} are listed; lower alpha or longest_edge",
        flow.edges, most));
  Column<Vec3> sorted = x, spare;
  CellTable cells;
  NeighbourRows rows;
  build_cells_for_rows(exec, sorted, flow.longest_edge, {}, cells);
  permute(exec, "flow.permute", sorted, cells.order, spare);
  build_rows(exec, sorted, cells, flow.longest_edge, rows);
  std::vector<Vec<Index, 2>> edges;
  edges.reserve(static_cast<std::size_t>(flow.edges));
  for (Index i = 0; i < static_cast<Index>(x.size()); ++i)
    for (Index k = rows.start[i]; k < rows.start[i] + rows.count[i]; ++k) {
      const Vec<Index, 2> edge{cells.order[i], cells.order[rows.neighbour[k]]};
      if (edge[0] < edge[1]) edges.push_back(edge);
    }
  return edges;
}

}  // namespace phyxel
