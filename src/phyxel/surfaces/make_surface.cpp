#include "phyxel/surfaces/make_surface.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "phyxel/matter/colour.h"
#include "phyxel/surfaces/marching_cubes.h"
#include "phyxel/surfaces/smooth.h"
#include "phyxel/surfaces/surface_scratch.h"

namespace phyxel {

namespace {

using Group = std::vector<std::size_t>;

/// Columns that have a mean: not the place itself, and not the number of a particle. Colours become
/// code values, which `codes` holds.
std::vector<const FrameColumn*> blended_columns(const Frame& frame, FrameColumn& codes) {
  std::vector<const FrameColumn*> columns;
  for (const FrameColumn& column : frame.columns) {
    if (column.name == "position" || column.name == "id") continue;
    if (is_colour(column)) codes = code_values(column);
    columns.push_back(is_colour(column) ? &codes : &column);
  }
  return columns;
}

bool is_whole(const FrameColumn& column) {
  return column.type != NumberType::float32 && column.type != NumberType::float64;
}

/// Adds the attributes at the vertices from `first` on. Whole numbers (material, body) are those of
/// the particle that weighs most.
void blend(const Exec& exec, const Group& group, const FrameColumn& column, const PointField& field,
           const SurfaceMesh& surface, std::size_t first, FrameColumn& out) {
  const int components = column.components;
  const auto vertices = static_cast<Index>(surface.mesh.vertices.size() - first);
  out.data.resize(surface.mesh.vertices.size() * components * sizeof(float));
  float* const values = reinterpret_cast<float*>(out.data.data()) + first * components;
  const bool whole = is_whole(column);
  for_each_coarse(exec, "surface.attributes", (vertices + 255) / 256, [&](Index task) {
    std::vector<WeighedPoint> near;
    for (Index v = 256 * task; v < std::min(vertices, 256 * (task + 1)); ++v) {
      weigh_points(field, surface.mesh.vertices[first + v], near);
      if (whole && !near.empty())
        near = {*std::max_element(near.begin(), near.end(),
                                  [](auto& a, auto& b) { return a.weight < b.weight; })};
      double total = 0;
      for (const WeighedPoint& p : near) total += p.weight;
      for (int c = 0; c < components; ++c) {
        double sum = 0;
        for (const WeighedPoint& p : near) sum += p.weight * column.number(group[p.point], c);
        values[std::size_t(v) * components + c] = static_cast<float>(total > 0 ? sum / total : 0);
      }
    }
  });
}

}  // namespace

std::vector<std::vector<std::size_t>> material_groups(const Frame& frame, bool separate) {
  const FrameColumn* material = separate ? frame.find("material") : nullptr;
  std::vector<std::pair<double, Group>> found;
  for (std::size_t i = 0; i < frame.count; ++i) {
    const double number = material ? material->number(i) : 0;
    auto at = std::find_if(found.begin(), found.end(), [&](auto& g) { return g.first == number; });
    if (at == found.end()) at = found.insert(found.end(), {number, {}});
    at->second.push_back(i);
  }
  std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<Group> groups;
  for (auto& [number, group] : found) groups.push_back(std::move(group));
  return groups;
}

SurfaceMesh make_surface(const Exec& exec, const Frame& frame, const SurfaceOptions& options,
                         SurfaceScratch& scratch) {
  SurfaceMesh surface;
  surface.origin = frame.origin;
  FrameColumn codes;
  const std::vector<const FrameColumn*> columns = blended_columns(frame, codes);
  for (const FrameColumn* column : columns)
    surface.attributes.push_back(
        {column->name, column->unit, NumberType::float32, column->components, {}});
  for (const Group& group : material_groups(frame, options.separate)) {
    Column<Vec3> x(group.size());
    for (std::size_t k = 0; k < group.size(); ++k) x[k] = frame.position(group[k]);
    make_field(exec, x, options.field, scratch.field);
    const PointField& field = scratch.field;
    sample_field(exec, field, options.cell > 0 ? options.cell : field.options.spacing / 2,
                 scratch.grid);
    TriangleMesh part = marching_cubes(exec, scratch.grid);
    if (options.smooth > 0) smooth(part, options.smooth);
    const std::size_t first = surface.mesh.vertices.size();
    append(surface.mesh, part);
    surface.normals.resize(surface.mesh.vertices.size());
    for_each(exec, "surface.normals", static_cast<Index>(part.vertices.size()),
             [&](Index v) { surface.normals[first + v] = field_normal(field, part.vertices[v]); });
    for (std::size_t k = 0; k < columns.size(); ++k)
      blend(exec, group, *columns[k], field, surface, first, surface.attributes[k]);
  }
  return surface;
}

SurfaceMesh make_surface(const Exec& exec, const Frame& frame, const SurfaceOptions& options) {
  SurfaceScratch scratch;
  return make_surface(exec, frame, options, scratch);
}

}  // namespace phyxel
