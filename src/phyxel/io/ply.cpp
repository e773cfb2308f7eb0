#include "phyxel/io/ply.h"

#include <algorithm>
#include <fmt/format.h>
#include <list>
#include <set>
#include <unordered_map>

#include "phyxel/core/file.h"
#include "phyxel/io/columns.h"
#include "phyxel/io/file_numbers.h"
#include "phyxel/io/ply_elements.h"
#include "phyxel/io/ply_rows.h"
#include "phyxel/io/text_reader.h"
#include "phyxel/matter/colour.h"

namespace phyxel {

namespace {

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

bool is_part_of_colour(const std::string& name) {
  return name == "red" || name == "green" || name == "blue" || name == "alpha" ||
         name.starts_with("diffuse_");
}

/// The numbers of vertices. Parts of a colour that differ in type become code values one by one:
/// together they would lose what their types mean.
std::vector<FrameColumn> vertex_numbers(PlyElement& vertex) {
  std::set<FileNumber> types;
  for (const PlyColumn& column : vertex.columns)
    if (is_part_of_colour(column.name)) types.insert(column.in_file);
  std::vector<FrameColumn> numbers;
  for (PlyColumn& column : vertex.columns) {
    if (column.is_list) continue;
    numbers.push_back({std::move(column.name), "", column.type, 1, std::move(column.data)});
    if (!is_part_of_colour(numbers.back().name)) continue;
    settle_colour(numbers.back(), column.in_file);
    if (types.size() > 1) numbers.back() = code_values(numbers.back());
  }
  return numbers;
}

}  // namespace

void write_ply(const std::filesystem::path& path, const Frame& frame) {
  check_frame(frame, path.string());
  std::vector<PlyRowColumn> columns;
  const FrameColumn places = world_positions(frame);
  std::list<FrameColumn> made;
  for (const FrameColumn& column : frame.columns)
    columns.push_back(as_ply_rows(&column == &frame.columns.front() ? places : column, made));
  write_atomically(path, [&](FileWriter& file) {
    file.write(
        fmt::format("ply\nformat binary_little_endian 1.0\ncomment phyxel frame {} time {}\n",
                    frame.index, frame.time));
    file.write(ply_unit_comments(columns) + ply_vertex_header(columns, frame.count));
    file.write("end_header\n");
    write_ply_rows(columns, frame.count, file);
  });
}

Frame parse_ply(std::string_view bytes, const std::string& file) {
  PlyElements ply = parse_ply_elements(bytes, file);
  const auto vertex = std::find_if(ply.elements.begin(), ply.elements.end(),
                                   [](const PlyElement& e) { return e.name == "vertex"; });
  if (vertex == ply.elements.end()) throw InputError(Place{file}, "has no element 'vertex'");
  Frame frame;
  frame.count = vertex->count;
  frame.columns = join_components(vertex_numbers(*vertex));
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
