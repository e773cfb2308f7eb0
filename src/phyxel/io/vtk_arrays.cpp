#include "phyxel/io/vtk_arrays.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <zlib.h>

#include "phyxel/io/columns.h"

namespace phyxel {

namespace {

constexpr int max_components = 1024;

std::array<signed char, 256> make_base64_values() {
  std::array<signed char, 256> values;
  values.fill(-1);
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t k = 0; k < digits.size(); ++k)
    values[static_cast<unsigned char>(digits[k])] = static_cast<signed char>(k);
  return values;
}

/// Text that holds `size` bytes when each unit is padded on its own.
std::uint64_t base64_length(std::uint64_t size) {
  return (size + 2) / 3 * 4;
}

/// A sequence of blocks: raw, or base64 units.
struct BlockReader {
  const VtkEncoding& encoding;
  std::string_view rest;
  bool base64;
  std::string name;  // of the array

  std::size_t header_size() const { return encoding.wide_header ? 8 : 4; }

  [[noreturn]] void fail_short(std::uint64_t wanted) const {
    refuse_file(encoding.file, "array " + in_quotes(name) + " needs " + std::to_string(wanted) +
                                   " bytes, but " + std::to_string(rest.size()) +
                                   " characters are left; " + "the file is cut off");
  }

  /// The next `size` bytes without moving on.
  std::string peek(std::uint64_t size) const {
    if (size > rest.size() || (base64 && base64_length(size) > rest.size() + 3)) fail_short(size);
    return base64 ? decode_base64(rest, size, encoding.file) : std::string(rest.substr(0, size));
  }
  std::string take(std::uint64_t size) {
    std::string bytes = peek(size);
    rest.remove_prefix(std::min<std::size_t>(base64 ? base64_length(size) : size, rest.size()));
    return bytes;
  }
  std::uint64_t header_number(std::string_view bytes, std::size_t k) const {
    const char* from = bytes.data() + k * header_size();
    return encoding.wide_header ? load_number<std::uint64_t>(from, encoding.swap_bytes)
                                : load_number<std::uint32_t>(from, encoding.swap_bytes);
  }
};

void check_size(const BlockReader& r, std::uint64_t size, std::uint64_t expected) {
  if (size != expected)
    refuse_file(r.encoding.file, "array " + in_quotes(r.name) + " has " + std::to_string(size) +
                                     " bytes, " + std::to_string(expected) +
                                     " are expected from its type and the number of points");
}

/// [size][bytes], in base64 as one unit.
std::string read_plain(BlockReader& r, std::uint64_t expected) {
  const std::size_t head = r.header_size();
  check_size(r, r.header_number(r.peek(head), 0), expected);
  if (expected > r.rest.size()) r.fail_short(expected);
  return r.peek(head + expected).substr(head);
}

/// [blocks][block size][size of a partial last block, or 0][compressed sizes ...], then the blocks.
struct ZlibHeader {
  std::uint64_t blocks, block_size, last_size;
  std::vector<std::uint64_t> packed;

  std::uint64_t size_of_block(std::size_t k) const {
    return k + 1 == blocks && last_size != 0 ? last_size : block_size;
  }
};

ZlibHeader read_zlib_header(BlockReader& r) {
  const std::size_t head = r.header_size();
  const std::string start = r.peek(3 * head);
  ZlibHeader header{
      r.header_number(start, 0), r.header_number(start, 1), r.header_number(start, 2), {}};
  if (header.blocks > r.rest.size() / head) r.fail_short(header.blocks);
  const std::string all = r.take((3 + header.blocks) * head);
  for (std::size_t k = 0; k < header.blocks; ++k)
    header.packed.push_back(r.header_number(all, 3 + k));
  return header;
}

std::uint64_t unpacked_size(const BlockReader& r, const ZlibHeader& header) {
  std::uint64_t total = 0;
  for (std::size_t k = 0; k < header.blocks; ++k) {
    const std::uint64_t size = header.size_of_block(k);
    if (header.packed[k] > r.rest.size()) r.fail_short(header.packed[k]);
    if (size / max_zlib_ratio > header.packed[k])
      refuse_file(r.encoding.file, "array " + in_quotes(r.name) + ": a block of " +
                                       std::to_string(header.packed[k]) + " bytes cannot hold " +
                                       std::to_string(size));
    total += size;
  }
  return total;
}

std::string read_zlib(BlockReader& r, std::uint64_t expected) {
  const ZlibHeader header = read_zlib_header(r);
  check_size(r, unpacked_size(r, header), expected);
  std::uint64_t packed_size = 0;
  for (const std::uint64_t size : header.packed) packed_size += size;
  const std::string packed = r.take(packed_size);
  std::string bytes(expected, '\0');
  std::size_t from = 0, to = 0;
  for (std::size_t k = 0; k < header.blocks; ++k) {
    uLongf size = header.size_of_block(k);
    const int status =
        uncompress(reinterpret_cast<Bytef*>(bytes.data() + to), &size,
                   reinterpret_cast<const Bytef*>(packed.data() + from), header.packed[k]);
    if (status != Z_OK || size != header.size_of_block(k))
      refuse_file(r.encoding.file, "array " + in_quotes(r.name) + ": block " + std::to_string(k) +
                                       " does not decompress; the file is damaged");
    from += header.packed[k];
    to += size;
  }
  return bytes;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

BlockReader open_blocks(const VtkEncoding& encoding, const XmlNode& node, const std::string& name) {
  if (node.attribute("format") != "appended") return {encoding, trimmed(node.text), true, name};
  if (!encoding.has_appended)
    refuse_file(encoding.file, "array " + in_quotes(name) +
                                   " is appended, but there is no AppendedData; "
                                   "the file is cut off");
  const auto offset = parse_number<std::uint64_t>(node.attribute("offset"));
  if (!offset || *offset > encoding.appended.size())
    refuse_file(encoding.file, "array " + in_quotes(name) + ": offset " +
                                   in_quotes(node.attribute("offset")) + " lies outside the " +
                                   std::to_string(encoding.appended.size()) +
                                   " bytes of appended data");
  return {encoding, encoding.appended.substr(*offset), encoding.appended_base64, name};
}

std::string unit_of(const XmlDocument& document, const XmlNode& node) {
  for (const std::size_t k : node.children)
    if (document.nodes[k].attribute("name") == "UNITS_LABEL")
      return xml_unescaped(trimmed(document.nodes[k].text));
  return "";
}

FileNumber type_of(const VtkEncoding& encoding, const XmlNode& node, const std::string& name) {
  const auto type = vtk_number(node.attribute("type"));
  if (!type)
    refuse_file(encoding.file, "array " + in_quotes(name) + " has the unknown type " +
                                   in_quotes(node.attribute("type")) +
                                   "; Int8 to UInt64, Float32 and "
                                   "Float64 are read");
  return *type;
}

int components_of(const VtkEncoding& encoding, const XmlNode& node, const std::string& name) {
  const auto n = parse_number<std::int32_t>(node.attribute("NumberOfComponents", "1"));
  if (!n || *n < 1 || *n > max_components)
    refuse_file(encoding.file, "array " + in_quotes(name) + ": NumberOfComponents = " +
                                   in_quotes(node.attribute("NumberOfComponents")) +
                                   " must be 1 to " + std::to_string(max_components));
  return *n;
}

}  // namespace

std::optional<FileNumber> vtk_number(std::string_view name) {
  static constexpr std::pair<std::string_view, FileNumber> names[] = {
      {"Int8", FileNumber::int8},          {"UInt8", FileNumber::uint8},
      {"Int16", FileNumber::int16},        {"UInt16", FileNumber::uint16},
      {"Int32", FileNumber::int32},        {"UInt32", FileNumber::uint32},
      {"Int64", FileNumber::int64},        {"UInt64", FileNumber::uint64},
      {"Float32", FileNumber::float32},    {"Float64", FileNumber::float64},
      {"char", FileNumber::int8},          {"unsigned_char", FileNumber::uint8},
      {"short", FileNumber::int16},        {"unsigned_short", FileNumber::uint16},
      {"int", FileNumber::int32},          {"unsigned_int", FileNumber::uint32},
      {"long", FileNumber::int64},         {"unsigned_long", FileNumber::uint64},
      {"vtktypeint64", FileNumber::int64}, {"vtktypeuint64", FileNumber::uint64},
      {"vtkIdType", FileNumber::int32},    {"float", FileNumber::float32},
      {"double", FileNumber::float64}};
  for (const auto& [known, type] : names)
    if (name == known) return type;
  return std::nullopt;
}

FrameColumn read_data_array(const VtkEncoding& encoding, const XmlDocument& document,
                            const XmlNode& node, std::size_t tuples) {
  FrameColumn column;
  column.name = node.attribute("Name", "unnamed");
  column.unit = unit_of(document, node);
  const FileNumber type = type_of(encoding, node, column.name);
  column.type = stored_type(type);
  column.components = components_of(encoding, node, column.name);
  const std::size_t count = tuples * static_cast<std::size_t>(column.components);
  if (node.attribute("format", "ascii") == "ascii") {
    // A reader of the whole file, cut at the end of the element: messages get the file's lines.
    const std::size_t first = node.text.empty() ? node.at : node.text.data() - encoding.text.data();
    TextReader text{encoding.text.substr(0, first + node.text.size()), encoding.file, first};
    parse_numbers(text, column.type, count, column.name, column.data);
  } else if (count > 0) {
    BlockReader blocks = open_blocks(encoding, node, column.name);
    const std::uint64_t expected = count * size_of(type);
    const std::string bytes =
        encoding.zlib ? read_zlib(blocks, expected) : read_plain(blocks, expected);
    decode_numbers(type, bytes.data(), size_of(type), count, encoding.swap_bytes, column.data);
  }
  if (type == FileNumber::int64 || type == FileNumber::uint64) narrow_integers(column);
  if (means_colour(column)) settle_colour(column, type);
  return column;
}

void narrow_integers(FrameColumn& column) {
  const std::size_t n = column.data.size() / sizeof(double);
  for (std::size_t k = 0; k < n; ++k) {
    const double value = number_at(column.type, column.data, k);
    if (std::abs(value) > std::numeric_limits<std::int32_t>::max() || value != std::floor(value))
      return;
  }
  column = converted(column, NumberType::int32);
}

std::string decode_base64(std::string_view text, std::size_t size, const std::string& file) {
  static const std::array<signed char, 256> values = make_base64_values();
  std::string bytes;
  bytes.reserve(size);
  std::uint32_t bits = 0;
  int held = 0;
  for (std::size_t k = 0; k < text.size() && bytes.size() < size; ++k) {
    const int value = values[static_cast<unsigned char>(text[k])];
    if (value < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held);
  }
  if (bytes.size() < size)
    refuse_file(file, "base64 data ends after " + std::to_string(bytes.size()) + " of " +
                          std::to_string(size) + " bytes; the file is cut off or damaged");
  return bytes;
}

}  // namespace phyxel
