#include "phyxel/surfaces/flow_frame.h"

#include <algorithm>

#include "phyxel/surfaces/flow_cells.h"

namespace phyxel {

namespace {

using Group = std::vector<std::size_t>;

Column<Vec3> positions_in(const Frame& frame, const Group& group) {
  Column<Vec3> x(group.size());
  for (std::size_t k = 0; k < group.size(); ++k) x[k] = frame.position(group[k]);
  return x;
}

void resize(FlowStructure& flow, std::size_t n) {
  flow.close.count.resize(n);
  flow.close.mean.resize(n);
  flow.close.spread.resize(n);
  flow.border.resize(n);
}

/// Puts the structure of some points of a frame to the rest.
void put(const FlowStructure& part, const Group& group, FlowStructure& flow) {
  for (std::size_t k = 0; k < group.size(); ++k) {
    flow.close.count[group[k]] = part.close.count[k];
    flow.close.mean[group[k]] = part.close.mean[k];
    flow.close.spread[group[k]] = part.close.spread[k];
    flow.border[group[k]] = part.border[k];
  }
  flow.edges += part.edges;
  flow.largest_vector = std::max(flow.largest_vector, part.largest_vector);
  flow.border_points += part.border_points;
  flow.lone_points += part.lone_points;
}

}  // namespace

void structure_frame(const Exec& exec, const Frame& frame, Real longest_edge,
                     const FlowOptions& options, bool separate, FlowScratch& scratch,
                     FlowStructure& flow) {
  const std::vector<Group> groups = material_groups(frame, separate);
  if (groups.size() <= 1)
    return structure_flow(exec, positions_of(frame), longest_edge, options, scratch, flow);
  flow = {};
  flow.longest_edge = longest_edge;
  resize(flow, frame.count);
  FlowStructure part;
  for (const Group& group : groups) {
    structure_flow(exec, positions_in(frame, group), longest_edge, options, scratch, part);
    put(part, group, flow);
  }
}

FlowStructure structure_frame(const Exec& exec, const Frame& frame, Real longest_edge,
                              const FlowOptions& options, bool separate) {
  FlowScratch scratch;
  FlowStructure flow;
  structure_frame(exec, frame, longest_edge, options, separate, scratch, flow);
  return flow;
}

std::vector<Vec<Index, 2>> frame_graph(const Exec& exec, const Frame& frame, bool separate,
                                       const FlowStructure& flow, double most) {
  std::vector<Vec<Index, 2>> edges;
  for (const Group& group : material_groups(frame, separate))
    for (const Vec<Index, 2>& e : flow_graph(exec, positions_in(frame, group), flow, most))
      edges.push_back({static_cast<Index>(group[e[0]]), static_cast<Index>(group[e[1]])});
  return edges;
}

void add_columns(const FlowStructure& flow, Frame& frame) {
  const MeanVectors& close = flow.close;
  for (FrameColumn column : {make_frame_column("neighbours", "", close.count.data(), frame.count),
                             make_frame_column("close_vector", "m", close.mean.data(), frame.count),
                             make_frame_column("border", "", flow.border.data(), frame.count)}) {
    std::erase_if(frame.columns, [&](const FrameColumn& c) { return c.name == column.name; });
    frame.columns.push_back(std::move(column));
  }
}

std::vector<std::size_t> border_points(const FlowStructure& flow) {
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < flow.border.size(); ++i)
    if (flow.border[i]) points.push_back(i);
  return points;
}

SurfaceOptions skeleton_options(SurfaceOptions given, Real longest_edge) {
  given.field.kind = FieldKind::zhu_bridson;
  if (given.field.radius == 0) given.field.radius = 2 * longest_edge;
  if (given.cell == 0) given.cell = given.field.radius / 8;
  return given;
}

}  // namespace phyxel
