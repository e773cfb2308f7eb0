#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/geometry/mesh.h"

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

/// A mesh over which a picture can be laid. Vertices are there twice along its seams.
struct TexturedMesh {
  TriangleMesh mesh;
  std::vector<Vec<Real, 2>> texture;  // u, v; one per vertex, or none
  std::vector<Vec3> colours;          // numbers behind the position; one per vertex, or none
  Vec3d origin = Vec3d::zero();       // m, of the vertices; not zero where they are far from it
};

/// A mesh with the texture coordinates and colours of an .obj file; of other formats without. Far
/// from zero the vertices of .obj and .ply files are read in double and kept relative to an origin
/// near them.
TexturedMesh read_textured_mesh(const std::filesystem::path& path);
TexturedMesh parse_textured_obj(std::string_view text, const std::string& file,
                                const Vec3d& origin = {0, 0, 0});

}  // namespace phyxel
