#include "phyxel/io/ply_elements.h"

#include <algorithm>
#include <utility>

namespace phyxel {

const PlyColumn* PlyElement::find(std::string_view column) const {
  for (const PlyColumn& c : columns)
    if (c.name == column) return &c;
  return nullptr;
}

const PlyElement* PlyElements::find(std::string_view element) const {
  for (const PlyElement& e : elements)
    if (e.name == element) return &e;
  return nullptr;
}

namespace {

enum class PlyFormat { ascii, little_endian, big_endian };

struct PlyTypes {
  FileNumber length = FileNumber::uint8;  // lists only
  FileNumber value = FileNumber::float32;
};

/// The header: what the body holds, in order.
struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  bool has_format = false;
  PlyElements content;                       // with columns still empty
  std::vector<std::vector<PlyTypes>> types;  // by element and column
};

FileNumber ply_type(const TextReader& r, std::string_view word) {
  static constexpr std::pair<std::string_view, FileNumber> names[] = {
      {"char", FileNumber::int8},      {"int8", FileNumber::int8},
      {"uchar", FileNumber::uint8},    {"uint8", FileNumber::uint8},
      {"short", FileNumber::int16},    {"int16", FileNumber::int16},
      {"ushort", FileNumber::uint16},  {"uint16", FileNumber::uint16},
      {"int", FileNumber::int32},      {"int32", FileNumber::int32},
      {"uint", FileNumber::uint32},    {"uint32", FileNumber::uint32},
      {"float", FileNumber::float32},  {"float32", FileNumber::float32},
      {"double", FileNumber::float64}, {"float64", FileNumber::float64}};
  for (const auto& [name, type] : names)
    if (word == name) return type;
  r.fail("property type " + in_quotes(word) +
             " is unknown; PLY has char uchar short ushort int uint float double",
         r.at - word.size());
}

void read_format(TextReader& r, PlyHeader& header) {
  const std::string_view word = r.word();
  if (word == "ascii")
    header.format = PlyFormat::ascii;
  else if (word == "binary_little_endian")
    header.format = PlyFormat::little_endian;
  else if (word == "binary_big_endian")
    header.format = PlyFormat::big_endian;
  else
    r.fail("format " + in_quotes(word) +
               " is unknown; PLY has ascii, binary_little_endian, binary_big_endian",
           r.at - word.size());
  header.has_format = true;
}

void read_element(TextReader& r, PlyHeader& header) {
  PlyElement element;
  element.name = std::string(r.word());
  element.count = r.number<std::uint64_t>("number of elements");
  header.content.elements.push_back(std::move(element));
  header.types.emplace_back();
}

void read_property(TextReader& r, PlyHeader& header) {
  if (header.types.empty()) r.fail("a property comes before any element");
  PlyColumn column;
  PlyTypes types;
  std::string_view word = r.word();
  column.is_list = word == "list";
  if (column.is_list) {
    types.length = ply_type(r, r.word());
    if (stored_type(types.length) == NumberType::float32 ||
        stored_type(types.length) == NumberType::float64)
      r.fail("the length of a list must be an integer type");
    word = r.word();
  }
  types.value = ply_type(r, word);
  column.type = stored_type(types.value);
  column.in_file = types.value;
  column.name = std::string(r.word());
  if (column.is_list) column.starts.push_back(0);
  header.content.elements.back().columns.push_back(std::move(column));
  header.types.back().push_back(types);
}

PlyHeader read_header(TextReader& r) {
  PlyHeader header;
  if (r.line() != "ply") r.fail("not a PLY file: the first line must be 'ply'", 0);
  while (true) {
    const std::size_t start = r.at;
    const std::string_view word = r.word();
    if (word.empty()) r.fail("the header has no 'end_header'; the file is cut off");
    if (word == "end_header") break;
    if (word == "format")
      read_format(r, header);
    else if (word == "element")
      read_element(r, header);
    else if (word == "property")
      read_property(r, header);
    else if (word == "comment" || word == "obj_info")
      r.skip_blanks();
    else
      r.fail("header line begins with " + in_quotes(word) +
                 "; expected format, element, property, comment or end_header",
             start);
    const std::string_view rest = r.line();
    if (word == "comment") header.content.comments.emplace_back(rest);
  }
  r.line();
  if (!header.has_format) r.fail("the header has no 'format' line");
  return header;
}

bool has_lists(const PlyElement& element) {
  return std::any_of(element.columns.begin(), element.columns.end(),
                     [](const PlyColumn& c) { return c.is_list; });
}

/// Bytes that a row takes at least: lists may be empty.
std::size_t least_row_size(const PlyElement& element, const std::vector<PlyTypes>& types) {
  std::size_t size = 0;
  for (std::size_t c = 0; c < types.size(); ++c)
    size += size_of(element.columns[c].is_list ? types[c].length : types[c].value);
  return size;
}

void read_binary_list(ByteReader& r, const PlyTypes& types, PlyColumn& column) {
  std::vector<std::byte> length;
  const std::size_t where = r.at;
  decode_numbers(types.length, r.take(size_of(types.length), "length of a list").data(), 0, 1,
                 r.swap_bytes, length);
  const double n = number_at(stored_type(types.length), length, 0);
  if (n < 0) r.fail("a list has the negative length " + std::to_string(n), where);
  const auto count = static_cast<std::size_t>(n);
  const std::size_t size = size_of(types.value);
  const std::string_view raw = r.take(count * size, "list " + column.name);
  decode_numbers(types.value, raw.data(), size, count, r.swap_bytes, column.data);
  column.starts.push_back(column.starts.back() + count);
}

void read_binary_rows(ByteReader& r, const std::vector<PlyTypes>& types, PlyElement& element) {
  for (std::size_t row = 0; row < element.count; ++row)
    for (std::size_t c = 0; c < types.size(); ++c) {
      PlyColumn& column = element.columns[c];
      if (column.is_list) {
        read_binary_list(r, types[c], column);
        continue;
      }
      const std::size_t size = size_of(types[c].value);
      decode_numbers(types[c].value, r.take(size, column.name).data(), size, 1, r.swap_bytes,
                     column.data);
    }
}

void read_binary(ByteReader& r, const std::vector<PlyTypes>& types, PlyElement& element) {
  const std::size_t row = least_row_size(element, types);
  if (element.count > r.left() / row)
    r.fail("element " + in_quotes(element.name) + " claims " + std::to_string(element.count) +
           " rows of at least " + std::to_string(row) + " bytes, but " + std::to_string(r.left()) +
           " bytes are left; the file is cut off, or its header is wrong");
  if (has_lists(element)) return read_binary_rows(r, types, element);
  const char* from = r.take(element.count * row, element.name).data();
  for (std::size_t c = 0; c < types.size(); ++c) {
    decode_numbers(types[c].value, from, row, element.count, r.swap_bytes, element.columns[c].data);
    from += size_of(types[c].value);
  }
}

void read_ascii(TextReader& r, PlyElement& element) {
  if (element.count > r.left() / (2 * element.columns.size()) + 1)
    r.fail("element " + in_quotes(element.name) + " claims " + std::to_string(element.count) +
           " rows, more than the rest of the file can hold; it is cut off, or its header is wrong");
  for (std::size_t row = 0; row < element.count; ++row)
    for (PlyColumn& column : element.columns) {
      const std::size_t n = column.is_list ? r.number<std::uint32_t>("length of a list") : 1;
      parse_numbers(r, column.type, n, column.name, column.data);
      if (column.is_list) column.starts.push_back(column.starts.back() + n);
    }
}

}  // namespace

PlyElements parse_ply_elements(std::string_view bytes, const std::string& file) {
  TextReader text{bytes, file};
  PlyHeader header = read_header(text);
  const bool swap = (header.format == PlyFormat::big_endian) != host_is_big_endian;
  ByteReader binary{bytes, file, text.at, swap};
  for (std::size_t e = 0; e < header.types.size(); ++e) {
    PlyElement& element = header.content.elements[e];
    if (element.count == 0) continue;
    if (element.columns.empty())
      text.fail("element " + in_quotes(element.name) + " has no properties");
    if (header.format == PlyFormat::ascii)
      read_ascii(text, element);
    else
      read_binary(binary, header.types[e], element);
  }
  return std::move(header.content);
}

}  // namespace phyxel
