#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "phyxel/io/file_numbers.h"

namespace phyxel {

/// Pairs of properties of `vertex` that are texture coordinates: those of write_ply and Blender, of
/// scanners, and of MeshLab.
inline constexpr const char* ply_texture_names[][2] = {
    {"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};

/// One property of a PLY element: `count` numbers, or `count` lists of numbers.
struct PlyColumn {
  std::string name;
  NumberType type = NumberType::float32;
  FileNumber in_file = FileNumber::float32;  // before it was widened
  bool is_list = false;
  std::vector<std::byte> data;
  std::vector<std::size_t> starts;  // lists only: first number of each row, then the end

  double number(std::size_t k) const { return number_at(type, data, k); }
};

/// "vertex", "face", ... with its properties.
struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyColumn> columns;

  const PlyColumn* find(std::string_view column) const;  // null when absent
};

/// Everything in a PLY file, uninterpreted. int8 and int16 are widened to int32, uint16 to uint32.
struct PlyElements {
  std::vector<std::string> comments;
  std::vector<PlyElement> elements;

  const PlyElement* find(std::string_view element) const;  // null when absent
};

/// Turk 1994, "The PLY polygon file format": ascii, binary little and big endian, lists.
PlyElements parse_ply_elements(std::string_view bytes, const std::string& file);

}  // namespace phyxel
