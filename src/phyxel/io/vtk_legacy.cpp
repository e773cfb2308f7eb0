#include <limits>

#include "phyxel/io/columns.h"
#include "phyxel/io/vtk.h"
#include "phyxel/io/vtk_arrays.h"

// VTK user's guide, "Simple legacy formats": keyword lines, then numbers as text or big-endian.

namespace phyxel {

namespace {

struct LegacyReader {
  TextReader r;
  bool binary = false;
  bool in_points = false;  // after POINT_DATA: arrays belong to points
  std::size_t tuples = 0;  // of the current POINT_DATA or CELL_DATA
  Frame frame;

  [[noreturn]] void fail(const std::string& message) const {
    if (!binary) r.fail(message);
    ByteReader{r.text, r.file, 0, false}.fail(message, r.at);
  }

  std::size_t count(const char* what) {
    const auto n = parse_number<std::uint64_t>(r.word());
    if (!n || *n > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
      fail(std::string(what) + " must be a number from 0 to " +
           std::to_string(std::numeric_limits<Index>::max()));
    return *n;
  }

  FileNumber type() {
    const std::string word = lower(r.word());
    const auto known = word == "vtkidtype" ? FileNumber::int32 : vtk_number(word);
    if (!known) fail("number type " + in_quotes(word) + " is not read");
    return *known;
  }

  /// tuples x components numbers that start on the next line.
  FrameColumn numbers(std::string_view name, FileNumber type, std::size_t n,
                      std::size_t components) {
    FrameColumn column{std::string(name), "", stored_type(type), static_cast<int>(components), {}};
    if (components < 1 || components > 1024) fail("an array needs 1 to 1024 components");
    r.line();
    if (!binary) {
      parse_numbers(r, column.type, n * components, name, column.data);
    } else {
      ByteReader bytes{r.text, r.file, r.at, !host_is_big_endian};
      const std::string_view raw = bytes.take(n * components * size_of(type), name);
      decode_numbers(type, raw.data(), size_of(type), n * components, !host_is_big_endian,
                     column.data);
      r.at = bytes.at;
    }
    if (type == FileNumber::int64 || type == FileNumber::uint64) narrow_integers(column);
    if (means_colour(column)) settle_colour(column, type);
    return column;
  }

  void keep(FrameColumn column) {
    if (in_points) frame.columns.push_back(std::move(column));
  }

  /// The next word without moving on.
  std::string next_word() const {
    TextReader ahead = r;
    return lower(ahead.word());
  }
};

void read_points(LegacyReader& v) {
  if (!v.frame.columns.empty()) v.fail("POINTS come twice");
  v.frame.count = v.count("the number of points");
  const FileNumber type = v.type();
  v.frame.columns.push_back(v.numbers("position", type, v.frame.count, 3));
}

/// Cells are of no interest, but must be passed; since version 5.1 as two arrays.
void skip_cells(LegacyReader& v) {
  const std::size_t cells = v.count("the number of cells"), size = v.count("the size of the cells");
  TextReader ahead = v.r;
  ahead.line();
  if (lower(ahead.word()) != "offsets") {
    v.numbers("cells", FileNumber::int32, size, 1);
    return;
  }
  for (const std::size_t n : {cells, size}) {
    v.r.line();
    v.r.word();
    const FileNumber type = v.type();
    v.numbers("cells", type, n, 1);
  }
}

void read_scalars(LegacyReader& v) {
  const std::string name(v.r.word());
  const FileNumber type = v.type();
  v.r.skip_blanks();
  const bool has_components = v.r.peek() >= '0' && v.r.peek() <= '9';
  const std::size_t components = has_components ? v.count("the number of components") : 1;
  if (v.next_word() == "lookup_table") {
    v.r.line();
    v.r.word();
  }
  v.keep(v.numbers(name, type, v.tuples, components));
}

void read_vectors(LegacyReader& v, std::size_t components) {
  const std::string name(v.r.word());
  const FileNumber type = v.type();
  v.keep(v.numbers(name, type, v.tuples, components));
}

void read_texture_coordinates(LegacyReader& v) {
  const std::string name(v.r.word());
  const std::size_t components = v.count("the number of components");
  const FileNumber type = v.type();
  v.keep(v.numbers(name, type, v.tuples, components));
}

void read_colours(LegacyReader& v) {
  const std::string name(v.r.word());
  const std::size_t components = v.count("the number of components");
  v.keep(v.numbers(name, v.binary ? FileNumber::uint8 : FileNumber::float32, v.tuples, components));
}

void skip_lookup_table(LegacyReader& v) {
  v.r.word();
  const std::size_t size = v.count("the size of the table");
  v.numbers("table", v.binary ? FileNumber::uint8 : FileNumber::float32, size, 4);
}

/// Ends with an empty line.
void skip_metadata(LegacyReader& v) {
  v.r.line();
  while (!v.r.at_end() && !v.r.line().empty()) continue;
}

/// FIELD name arrays: also before any POINT_DATA, where TIME may be.
void read_fields(LegacyReader& v) {
  v.r.word();
  const std::size_t arrays = v.count("the number of arrays");
  for (std::size_t k = 0; k < arrays; ++k) {
    const std::string name(v.r.word());
    if (name.empty()) v.fail("ends where an array should be");
    const std::size_t components = v.count("the number of components");
    const std::size_t n = v.count("the number of tuples");
    const FileNumber type = v.type();
    FrameColumn column = v.numbers(name, type, n, components);
    if ((name == "TIME" || name == "TimeValue") && n == 1) v.frame.time = column.number(0);
    if (v.in_points && n != v.tuples)
      v.fail("array " + in_quotes(name) + " does not fit the points");
    v.keep(std::move(column));
    if (v.next_word() == "metadata") {
      v.r.skip_space();
      skip_metadata(v);
    }
  }
}

void start_data(LegacyReader& v, bool of_points) {
  v.tuples = v.count("the number of elements");
  v.in_points = of_points;
  if (of_points && v.tuples != v.frame.count)
    v.fail("POINT_DATA " + std::to_string(v.tuples) + ", but there are " +
           std::to_string(v.frame.count) + " points");
}

/// Each section of a file leaves the reader behind its numbers.
void read_section(LegacyReader& v, const std::string& keyword) {
  if (keyword == "points") return read_points(v);
  if (keyword == "vertices" || keyword == "lines" || keyword == "polygons" ||
      keyword == "triangle_strips" || keyword == "cells")
    return skip_cells(v);
  if (keyword == "cell_types") {
    const std::size_t n = v.count("the number of cells");
    v.numbers("cell types", FileNumber::int32, n, 1);
    return;
  }
  if (keyword == "point_data") return start_data(v, true);
  if (keyword == "cell_data") return start_data(v, false);
  if (keyword == "scalars") return read_scalars(v);
  if (keyword == "vectors" || keyword == "normals") return read_vectors(v, 3);
  if (keyword == "tensors") return read_vectors(v, 9);
  if (keyword == "tensors6") return read_vectors(v, 6);
  if (keyword == "texture_coordinates") return read_texture_coordinates(v);
  if (keyword == "color_scalars") return read_colours(v);
  if (keyword == "lookup_table") return skip_lookup_table(v);
  if (keyword == "field") return read_fields(v);
  if (keyword == "metadata") return skip_metadata(v);
  v.fail("section " + in_quotes(keyword) + " is not known");
}

void read_opening(LegacyReader& v) {
  if (!v.r.line().starts_with("# vtk DataFile Version"))
    v.r.fail("not a VTK file: the first line must begin '# vtk DataFile Version'", 0);
  v.r.line();  // a title
  const std::string format = lower(v.r.word());
  if (format != "ascii" && format != "binary")
    v.r.fail("expected ASCII or BINARY, found " + in_quotes(format));
  if (lower(v.r.word()) != "dataset") v.r.fail("expected DATASET");
  const std::string type = lower(v.r.word());
  if (type != "polydata" && type != "unstructured_grid")
    v.r.fail("DATASET " + in_quotes(type) + " is not read; POLYDATA and UNSTRUCTURED_GRID are");
  v.binary = format == "binary";
}

}  // namespace

Frame parse_vtk_legacy(std::string_view bytes, const std::string& file) {
  LegacyReader v{{bytes, file}, false, false, 0, {}};
  read_opening(v);
  for (std::string word = lower(v.r.word()); !word.empty(); word = lower(v.r.word()))
    read_section(v, word);
  finish_points(v.frame, file);
  return std::move(v.frame);
}

}  // namespace phyxel
