#include "phyxel/io/ply.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <unordered_map>

#include "phyxel/geometry/ply_elements.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file.h"

namespace phyxel {

namespace {

const char* ply_type_name(NumberType type) {
  switch (type) {
    case NumberType::float32:
      return "float";
    case NumberType::float64:
      return "double";
    case NumberType::int32:
      return "int";
    case NumberType::uint32:
      return "uint";
    case NumberType::uint8:
      return "uchar";
  }
  return "";
}

/// One word: white space would end the name in a header.
std::string as_word(std::string name) {
  for (char& c : name)
    if (c <= ' ' && c >= 0) c = '_';
  return name.empty() ? "unnamed" : name;
}

std::string header(const Frame& frame) {
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  text += fmt::format("comment phyxel frame {} time {}\n", frame.index, frame.time);
  for (const FrameColumn& column : frame.columns)
    if (!column.unit.empty())
      text += fmt::format("comment unit {} {}\n", as_word(column.name), as_word(column.unit));
  text += fmt::format("element vertex {}\n", frame.count);
  for (const FrameColumn& column : frame.columns)
    for (const std::string& name : component_names(column))
      text += fmt::format("property {} {}\n", ply_type_name(column.type), as_word(name));
  return text + "end_header\n";
}

/// Rows in pieces: one interleaved copy of everything would double the memory.
void write_rows(const Frame& frame, FileWriter& file) {
  std::size_t row = 0;
  for (const FrameColumn& column : frame.columns) row += column.element_size();
  constexpr std::size_t piece = 4096;
  std::vector<char> rows;
  for (std::size_t first = 0; first < frame.count; first += piece) {
    const std::size_t n = std::min(piece, frame.count - first);
    rows.resize(n * row);
    std::size_t offset = 0;
    for (const FrameColumn& column : frame.columns) {
      const std::size_t size = column.element_size();
      const std::byte* from = column.data.data() + first * size;
      for (std::size_t i = 0; i < n; ++i)
        std::memcpy(rows.data() + i * row + offset, from + i * size, size);
      offset += size;
    }
    file.write(rows.data(), rows.size());
  }
}

/// What write_ply put into comments.
void read_comment(const std::string& comment, Frame& frame,
                  std::unordered_map<std::string, std::string>& units) {
  TextReader r{comment, ""};
  const std::string_view first = r.word(), second = r.word();
  if (first == "unit") units[std::string(second)] = r.word();
  if (first != "phyxel" || second != "frame") return;
  frame.index = parse_number<std::int32_t>(r.word()).value_or(0);
  if (r.word() == "time") frame.time = parse_number<double>(r.word()).value_or(0);
}

}  // namespace

void write_ply(const std::filesystem::path& path, const Frame& frame) {
  static_assert(!host_is_big_endian, "columns are written as they lie in memory");
  check_frame(frame, path.string());
  write_atomically(path, [&](FileWriter& file) {
    file.write(header(frame));
    write_rows(frame, file);
  });
}

Frame parse_ply(std::string_view bytes, const std::string& file) {
  PlyElements ply = parse_ply_elements(bytes, file);
  const auto vertex = std::find_if(ply.elements.begin(), ply.elements.end(),
                                   [](const PlyElement& e) { return e.name == "vertex"; });
  if (vertex == ply.elements.end()) throw InputError(Place{file}, "has no element 'vertex'");
  Frame frame;
  frame.count = vertex->count;
  std::vector<FrameColumn> numbers;
  for (PlyColumn& column : vertex->columns)
    if (!column.is_list)
      numbers.push_back({std::move(column.name), "", column.type, 1, std::move(column.data)});
  frame.columns = join_components(std::move(numbers));
  std::unordered_map<std::string, std::string> units;
  for (const std::string& comment : ply.comments) read_comment(comment, frame, units);
  for (FrameColumn& column : frame.columns)
    if (const auto unit = units.find(column.name); unit != units.end()) column.unit = unit->second;
  finish_points(frame, file);
  return frame;
}

Frame read_ply(const std::filesystem::path& path) {
  return parse_ply(read_whole_file(path), path.string());
}

}  // namespace phyxel
