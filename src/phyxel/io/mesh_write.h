#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/matter/surface_mesh.h"

// Every writer is atomic and writes an empty surface as a valid file without triangles. Colours are
// the attribute `colour` of 3 or 4 components: sRGB code values, 0..1 or bytes.

namespace phyxel {

/// Names of the formats that write_surface knows: extensions without their dots. A new one is a
/// source file with its writer, and a row of the table in mesh_write.cpp: scenes, the command line
/// and the docs follow.
const std::vector<std::string>& surface_formats();

/// A surface into a file by its extension; InputError with the known ones for another.
void write_surface(const std::filesystem::path& path, const SurfaceMesh& surface);

/// Binary little-endian PLY: normals as nx ny nz, texture as s t, attributes by component_names,
/// units in comments; colours as bytes, which is what viewers of PLY show.
void write_ply(const std::filesystem::path& path, const SurfaceMesh& surface);

/// Wavefront OBJ with as many digits as give the same bits back: normals, texture, and colours
/// behind the position (v x y z r g b); it knows no other attributes.
void write_obj(const std::filesystem::path& path, const SurfaceMesh& surface);

/// VTK XML PolyData for ParaView: triangles, with `normal`, `texture` and all attributes as point
/// data, raw appended binary.
void write_vtp(const std::filesystem::path& path, const SurfaceMesh& surface);

/// Binary glTF 2.0 of one surface: positions, normals, texture and the attribute `colour` as 32-bit
/// floats. v is turned over, as glTF counts it from the top; colours become linear light. An empty
/// surface becomes a node without a mesh, since glTF has no empty arrays.
void write_glb(const std::filesystem::path& path, const SurfaceMesh& surface);

}  // namespace phyxel
