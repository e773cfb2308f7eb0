#include <algorithm>
#include <fstream>
#include <set>

#include "phyxel/core/file.h"
#include "phyxel/io/mesh_read.h"
#include "phyxel/io/ply_elements.h"
#include "phyxel/io/points.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

/// True where a line begins with one of the words; of a PLY file only its head is text.
bool has_line(const std::filesystem::path& path, const std::string& wanted,
              const std::string& last) {
  if (!why_not_readable(path).empty()) return false;  // the reader reports it
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(wanted)) return true;
    if (!last.empty() && line.starts_with(last)) return false;
  }
  return false;
}

std::vector<Vec3> vectors_of(const FrameColumn& column, std::size_t count) {
  std::vector<Vec3> values(count);
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) values[i][k] = static_cast<Real>(column.number(i, k));
  return values;
}

/// The texture coordinates that read_textured_mesh takes: of the first pair that is there.
std::set<std::string> texture_names(const Frame& vertices) {
  for (const auto& [u, v] : ply_texture_names)
    if (vertices.find(u) && vertices.find(v)) return {u, v};
  return {};
}

/// What the vertices of a PLY file know besides their places and texture coordinates.
void read_attributes(const std::filesystem::path& path, SurfaceMesh& surface) {
  const Frame vertices = read_points(path);
  if (vertices.count != surface.mesh.vertices.size()) return;
  const std::set<std::string> texture = texture_names(vertices);
  for (const FrameColumn& c : vertices.columns)
    if (c.name == "normal" && c.components == 3)
      surface.normals = vectors_of(c, vertices.count);
    else if (c.name != "position" && !texture.contains(c.name))
      surface.attributes.push_back(c);
  // Some programs leave normals empty; others are made from the triangles then.
  const auto usable = [](const Vec3& n) { return is_finite(n) && length(n) > 0; };
  if (!std::all_of(surface.normals.begin(), surface.normals.end(), usable)) surface.normals.clear();
}

}  // namespace

bool holds_a_surface(const std::filesystem::path& path) {
  const std::string extension = extension_of(path);
  if (extension == ".stl") return true;
  if (extension == ".obj") return has_line(path, "f ", "") || has_line(path, "f\t", "");
  if (extension == ".ply")
    return has_line(path, "element face", "end_header") &&
           !has_line(path, "element face 0", "end_header");
  return false;
}

SurfaceMesh read_surface(const std::filesystem::path& path) {
  SurfaceMesh surface = read_textured_mesh(path);
  if (extension_of(path) == ".ply") read_attributes(path, surface);
  return surface;
}

}  // namespace phyxel
