#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "phyxel/matter/frame.h"

namespace phyxel {

/// Comma-separated values: a line of names (component_names), then a row per particle with as many
/// digits as give the same bits back. Time, index and units are not kept. Written atomically.
void write_csv(const std::filesystem::path& path, const Frame& frame);

/// Rows of numbers separated by comma, semicolon, tab or spaces; '#' starts a comment line, fields
/// may be quoted, an empty field is nan. Names come from a first line that is not all numbers, with
/// units in brackets ("speed [m/s]"); without one the columns are x, y, z, column_4, ... Columns of
/// whole numbers become int32 or uint32, of more than 9 digits float64, others Real.
Frame read_csv(const std::filesystem::path& path);
Frame parse_csv(std::string_view text, const std::string& file);

/// The first frame of an XYZ file: count, comment, then rows of element, x, y, z and more numbers
/// (column_5, ...). `element` numbers the symbols in order of appearance. Without a count line the
/// rows are read as parse_csv does.
Frame read_xyz(const std::filesystem::path& path);
Frame parse_xyz(std::string_view text, const std::string& file);

}  // namespace phyxel
