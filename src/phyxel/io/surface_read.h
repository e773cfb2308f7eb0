#pragma once

#include <filesystem>

#include "phyxel/matter/surface_mesh.h"

namespace phyxel {

/// True where a file holds triangles or polygons rather than points alone.
bool holds_a_surface(const std::filesystem::path& path);

/// A surface from .obj, .ply or .stl with normals, texture coordinates and attributes of its
/// vertices. InputError names line or byte of the mistake.
SurfaceMesh read_surface(const std::filesystem::path& path);

}  // namespace phyxel
