#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "phyxel/geometry/mesh.h"
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
void write_ply(const std::filesystem::path& path, const TriangleMesh& mesh);

/// Wavefront OBJ with as many digits as give the same bits back: normals, texture, and colours
/// behind the position (v x y z r g b); it knows no other attributes.
void write_obj(const std::filesystem::path& path, const SurfaceMesh& surface);
void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh);

/// VTK XML PolyData for ParaView: triangles, with `normal`, `texture` and all attributes as point
/// data, raw appended binary.
void write_vtp(const std::filesystem::path& path, const SurfaceMesh& surface);

}  // namespace phyxel
