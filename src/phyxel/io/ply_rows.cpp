#include "phyxel/io/ply_rows.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "phyxel/core/number_types.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"

namespace phyxel {

namespace {

constexpr const char* ply_types[] = {"float", "double", "int", "uint", "uchar"};  // by NumberType

/// One word: white space would end the name in a header.
std::string as_word(std::string name) {
  for (char& c : name)
    if (c <= ' ' && c >= 0) c = '_';
  return name.empty() ? "unnamed" : name;
}

FrameColumn without_long_numbers(const FrameColumn& column) {
  bool fits = true;
  for (std::size_t k = 0; fits && k < column.data.size() / sizeof(std::uint64_t); ++k)
    fits = number_at(column.type, column.data, k) <= std::numeric_limits<std::uint32_t>::max();
  return converted(column, fits ? NumberType::uint32 : NumberType::float64);
}

}  // namespace

PlyRowColumn as_ply_rows(const FrameColumn& column, std::list<FrameColumn>& made) {
  if (column.type == NumberType::uint64)
    return as_ply_rows(made.emplace_back(without_long_numbers(column)), made);
  return {column.name, column.unit, component_names(column), column.type, column.data.data()};
}

std::string ply_unit_comments(const std::vector<PlyRowColumn>& columns) {
  std::string text;
  for (const PlyRowColumn& column : columns)
    if (!column.unit.empty())
      text += fmt::format("comment unit {} {}\n", as_word(column.name), as_word(column.unit));
  return text;
}

std::string ply_vertex_header(const std::vector<PlyRowColumn>& columns, std::size_t count) {
  std::string text = fmt::format("element vertex {}\n", count);
  for (const PlyRowColumn& column : columns)
    for (const std::string& name : column.properties)
      text += fmt::format("property {} {}\n", ply_types[int(column.type)], as_word(name));
  return text;
}

/// In pieces: one interleaved copy of everything would double the memory.
void write_ply_rows(const std::vector<PlyRowColumn>& columns, std::size_t count, FileWriter& file) {
  static_assert(!host_is_big_endian, "columns are written as they lie in memory");
  std::size_t row = 0;
  for (const PlyRowColumn& column : columns) row += column.element_size();
  constexpr std::size_t piece = 4096;
  std::vector<char> rows;
  for (std::size_t first = 0; first < count; first += piece) {
    const std::size_t n = std::min(piece, count - first);
    rows.resize(n * row);
    std::size_t offset = 0;
    for (const PlyRowColumn& column : columns) {
      const std::size_t size = column.element_size();
      const std::byte* from = column.data + first * size;
      for (std::size_t i = 0; i < n; ++i)
        std::memcpy(rows.data() + i * row + offset, from + i * size, size);
      offset += size;
    }
    file.write(rows.data(), rows.size());
  }
}

}  // namespace phyxel
