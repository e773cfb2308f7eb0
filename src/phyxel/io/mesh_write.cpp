#include "phyxel/io/mesh_write.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <ranges>

#include "phyxel/core/error.h"
#include "phyxel/core/file.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/lines.h"
#include "phyxel/io/ply_rows.h"
#include "phyxel/io/surface_data.h"
#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

struct SurfaceFormat {
  const char* extension;
  void (*write)(const std::filesystem::path&, const SurfaceMesh&);
};

constexpr SurfaceFormat formats[] = {
    {".ply", &write_ply}, {".obj", &write_obj}, {".vtp", &write_vtp}, {".glb", &write_glb}};

FrameColumn as_bytes(const FrameColumn& colour) {
  FrameColumn bytes{colour.name, "", NumberType::uint8, colour.components, {}};
  const std::size_t n = colour.data.size() / colour.element_size();
  bytes.data.reserve(n * colour.components);
  for (std::size_t i = 0; i < n; ++i)
    for (int c = 0; c < colour.components; ++c)
      bytes.data.push_back(static_cast<std::byte>(std::lround(colour_code(colour, i, c) * 255)));
  return bytes;
}

PlyRowColumn as_ply_rows(std::vector<std::string> properties, const void* numbers) {
  return {"", "", std::move(properties), number_type<Real>(),
          static_cast<const std::byte*>(numbers)};
}

void write_ply_faces(const TriangleMesh& mesh, FileWriter& file) {
  for (const Int3& triangle : mesh.triangles) {
    char row[1 + sizeof(Int3)] = {3};
    std::memcpy(row + 1, &triangle, sizeof(Int3));
    file.write(row, sizeof row);
  }
}

void write_obj_vertices(const SurfaceMesh& surface, Lines& lines) {
  const FrameColumn* colour = colour_of(surface.attributes);
  const bool far = !(surface.origin == Vec3d::zero());
  const auto add_place = [&](const auto& p) { lines.add("v {} {} {}", p[0], p[1], p[2]); };
  for (std::size_t i = 0; i < surface.mesh.vertices.size(); ++i) {
    const Vec3& p = surface.mesh.vertices[i];
    far ? add_place(surface.origin + cast<double>(p)) : add_place(p);
    for (int c = 0; colour && c < 3; ++c) lines.add(" {}", colour_code(*colour, i, c));
    lines.add("\n");
  }
  for (const Vec2& t : surface.texture) lines.add("vt {} {}\n", t[0], t[1]);
  for (const Vec3& n : surface.normals) lines.add("vn {} {} {}\n", n[0], n[1], n[2]);
}

/// Corners "7", "7/7", "7//7" or "7/7/7": vertex, texture and normal have the same number.
void write_obj_faces(const SurfaceMesh& surface, Lines& lines) {
  for (const Int3& triangle : surface.mesh.triangles) {
    lines.add("f");
    for (int c = 0; c < 3; ++c) {
      const Index corner = triangle[c] + 1;
      lines.add(" {}", corner);
      if (!surface.texture.empty())
        lines.add("/{}", corner);
      else if (!surface.normals.empty())
        lines.add("/");
      if (!surface.normals.empty()) lines.add("/{}", corner);
    }
    lines.add("\n");
  }
}

}  // namespace

const std::vector<std::string>& surface_formats() {
  static const auto names =
      formats | std::views::transform([](const SurfaceFormat& f) { return f.extension + 1; });
  static const std::vector<std::string> all(names.begin(), names.end());
  return all;
}

void write_surface(const std::filesystem::path& path, const SurfaceMesh& surface) {
  const std::string extension = extension_of(path);
  for (const SurfaceFormat& format : formats)
    if (extension == format.extension) return format.write(path, surface);
  throw InputError(
      Place{path.string()},
      fmt::format("a surface cannot be written as {}; known are .{}{}", in_quotes(extension),
                  fmt::join(surface_formats(), " ."), suggestion(extension, surface_formats())));
}

void write_ply(const std::filesystem::path& path, const SurfaceMesh& surface) {
  check_surface(surface, path.string());
  const TriangleMesh& mesh = surface.mesh;
  std::vector<PlyRowColumn> columns = {as_ply_rows({"x", "y", "z"}, mesh.vertices.data())};
  std::vector<Vec3d> places;
  if (!(surface.origin == Vec3d::zero())) {
    places = world_vertices(surface);
    columns[0].type = NumberType::float64;
    columns[0].data = reinterpret_cast<const std::byte*>(places.data());
  }
  if (!surface.normals.empty())
    columns.push_back(as_ply_rows({"nx", "ny", "nz"}, surface.normals.data()));
  if (!surface.texture.empty()) columns.push_back(as_ply_rows({"s", "t"}, surface.texture.data()));
  const FrameColumn* colour = colour_of(surface.attributes);
  const FrameColumn bytes = colour ? as_bytes(*colour) : FrameColumn{};
  std::list<FrameColumn> made;
  for (const FrameColumn& column : surface.attributes)
    columns.push_back(as_ply_rows(&column == colour ? bytes : column, made));
  write_atomically(path, [&](FileWriter& file) {
    file.write("ply\nformat binary_little_endian 1.0\n" + ply_unit_comments(columns));
    file.write(ply_vertex_header(columns, mesh.vertices.size()));
    file.write(fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                           mesh.triangles.size()));
    write_ply_rows(columns, mesh.vertices.size(), file);
    write_ply_faces(mesh, file);
  });
}

void write_obj(const std::filesystem::path& path, const SurfaceMesh& surface) {
  check_surface(surface, path.string());
  write_atomically(path, [&](FileWriter& file) {
    Lines lines{file};
    lines.add("# {} vertices, {} triangles\n", surface.mesh.vertices.size(),
              surface.mesh.triangles.size());
    write_obj_vertices(surface, lines);
    write_obj_faces(surface, lines);
    lines.flush();
  });
}

}  // namespace phyxel
