#include "phyxel/io/surface_data.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "phyxel/core/error.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

[[noreturn]] void fail(const std::string& file, const std::string& message) {
  throw Error(Place{file}, message);
}

void check_count(const std::string& file, const std::string& name, std::size_t count,
                 std::size_t vertices) {
  if (count != vertices)
    fail(file, "the surface has " + std::to_string(count) + " values of " + in_quotes(name) +
                   " for " + std::to_string(vertices) + " vertices; one each is expected");
}

void check_triangles(const TriangleMesh& mesh, const std::string& file) {
  const auto n = static_cast<Index>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int c = 0; c < 3; ++c)
      if (mesh.triangles[i][c] < 0 || mesh.triangles[i][c] >= n)
        fail(file, "triangle " + std::to_string(i) + " names vertex " +
                       std::to_string(mesh.triangles[i][c]) + "; the surface has " +
                       std::to_string(n));
}

void check_names(const SurfaceMesh& surface, const std::string& file) {
  std::set<std::string> names = {"position"};
  if (!surface.normals.empty()) names.insert("normal");
  if (!surface.texture.empty()) names.insert("texture");
  for (const FrameColumn& column : surface.attributes)
    if (!names.insert(column.name).second)
      fail(file, "the surface has " + in_quotes(column.name) + " twice; rename the attribute");
}

}  // namespace

void check_surface(const SurfaceMesh& surface, const std::string& file) {
  const std::size_t n = surface.mesh.vertices.size();
  for (std::size_t i = 0; i < n; ++i)
    if (!is_finite(surface.mesh.vertices[i]))
      fail(file, "vertex " + std::to_string(i) + " of the surface is not finite");
  check_triangles(surface.mesh, file);
  if (!surface.normals.empty()) check_count(file, "normal", surface.normals.size(), n);
  if (!surface.texture.empty()) check_count(file, "texture", surface.texture.size(), n);
  for (const FrameColumn& column : surface.attributes) {
    if (column.components < 1) fail(file, in_quotes(column.name) + " has no components");
    check_count(file, column.name, column.data.size() / column.element_size(), n);
  }
  check_names(surface, file);
}

const FrameColumn* colour_of(const std::vector<FrameColumn>& columns) {
  for (const FrameColumn& column : columns)
    if (is_colour(column)) return &column;
  return nullptr;
}

float colour_light(const FrameColumn& colour, std::size_t i, int c) {
  const float code = colour_code(colour, i, c);
  return c == 3 ? code : light_of_code(code);
}

}  // namespace phyxel
