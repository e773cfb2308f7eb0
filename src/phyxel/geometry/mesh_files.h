#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/geometry/mesh.h"

namespace phyxel {

/// A triangle mesh from .obj, .ply or .stl, by extension. Polygons are cut into triangles,
/// triangles with a repeated corner are dropped. InputError names line or byte of what is wrong.
TriangleMesh read_mesh(const std::filesystem::path& path);

// The same on bytes in memory; `file` is the name in messages.
TriangleMesh parse_obj(std::string_view text, const std::string& file);
TriangleMesh parse_ply_mesh(std::string_view bytes, const std::string& file);
/// ASCII or binary; corners with equal coordinates become one vertex.
TriangleMesh parse_stl(std::string_view bytes, const std::string& file);

/// A mesh over which a picture can be laid. Vertices are there twice along its seams.
struct TexturedMesh {
  TriangleMesh mesh;
  std::vector<Vec<Real, 2>> texture;  // u, v; one per vertex, or none
};

/// A mesh with the texture coordinates of an .obj file; other formats have none.
TexturedMesh read_textured_mesh(const std::filesystem::path& path);
TexturedMesh parse_textured_obj(std::string_view text, const std::string& file);

/// Triangles of a simple polygon, by ear clipping along its mean normal: right for concave ones.
/// Corners are indices into mesh.vertices.
void add_polygon(TriangleMesh& mesh, const std::vector<Index>& corners);

}  // namespace phyxel
