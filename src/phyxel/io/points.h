#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "phyxel/matter/frame.h"

// Formats of particle files. A new one is a source file with its reader, writer or both, and a row
// of the table in points.cpp: scenes, the command line and the docs follow.

namespace phyxel {

/// Extensions that read_points knows, with their dots.
const std::vector<std::string>& point_file_extensions();

/// Particles from a file by its extension: at least `position`, and whatever else it holds.
Frame read_points(const std::filesystem::path& path);

// The same on bytes in memory; `file` is the name in messages. ply.h and vtk.h have more.

/// Rows of numbers separated by comma, semicolon, tab or spaces; '#' starts a comment line, fields
/// may be quoted, an empty field is nan. Names come from a first line that is not all numbers, with
/// units in brackets ("speed [m/s]"); without one the columns are x, y, z, column_4, ... Columns of
/// whole numbers become int32 or uint32, of more than 9 digits float64, others Real.
Frame parse_csv(std::string_view text, const std::string& file);

/// The first frame of an XYZ file: count, comment, then rows of element, x, y, z and more numbers
/// (column_5, ...). `element` numbers the symbols in order of appearance. Without a count line the
/// rows are read as parse_csv does.
Frame parse_xyz(std::string_view text, const std::string& file);

/// The vertices of a Wavefront OBJ file as points, with colours where `v` lines have them. Faces
/// and all else are left out.
Frame parse_obj_points(std::string_view text, const std::string& file);

/// Points of Houdini's classic .bgeo (version 5, also .bhclassic), as Partio and SPlisHSPlasH write
/// it, plain or packed by gzip: position and all point attributes, with v, Cd and N as velocity,
/// colour and normal, and words as the numbers of their list. Primitives are not read. InputError
/// with a remedy for the JSON kind that Houdini writes by itself since version 12.
Frame parse_bgeo(std::string_view bytes, const std::string& file);

/// Names of the formats that write_points knows: extensions without their dots.
const std::vector<std::string>& particle_formats();

/// Particles into a file by its extension, which is one of the formats.
void write_points(const std::filesystem::path& path, const Frame& frame);

}  // namespace phyxel
