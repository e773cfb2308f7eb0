#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// A triangle mesh from .obj, .ply or .stl, by extension. Polygons are cut into triangles,
/// triangles with a repeated corner are dropped. InputError names line or byte of what is wrong,
/// and refuses vertices so far from zero that they are too coarse for the size of the mesh.
TriangleMesh read_mesh(const std::filesystem::path& path);

// The same on bytes in memory; `file` is the name in messages.
TriangleMesh parse_obj(std::string_view text, const std::string& file);
TriangleMesh parse_ply_mesh(std::string_view bytes, const std::string& file,
                            const Vec3d& origin = {0, 0, 0});
/// ASCII or binary; corners with equal coordinates become one vertex.
TriangleMesh parse_stl(std::string_view bytes, const std::string& file);

/// True where a file holds triangles or polygons rather than points alone.
bool holds_a_surface(const std::filesystem::path& path);

/// A surface from .obj, .ply or .stl with normals, texture coordinates and attributes of its
/// vertices. Far from zero the vertices of .obj and .ply files are read in double and kept relative
/// to an origin near them. InputError names line or byte of the mistake.
SurfaceMesh read_surface(const std::filesystem::path& path);
/// Without the attributes of .ply files.
SurfaceMesh read_textured_mesh(const std::filesystem::path& path);
/// With texture coordinates, and with colours where `v` lines have them behind the position.
/// Vertices are there twice along the seams of the texture.
SurfaceMesh parse_textured_obj(std::string_view text, const std::string& file,
                               const Vec3d& origin = {0, 0, 0});
/// With texture coordinates where all vertices have them: the properties s and t, u and v, or
/// texture_u and texture_v.
SurfaceMesh parse_textured_ply(std::string_view bytes, const std::string& file,
                               const Vec3d& origin = {0, 0, 0});

}  // namespace phyxel
