#include "phyxel/geometry/ply_elements.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include "phyxel/core/file.h"

namespace phyxel {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

[[noreturn]] void fail_to_read(const std::filesystem::path& path, const std::string& why) {
  throw InputError(Place{path.string()}, "cannot read: " + why + "; check the path and its rights");
}

std::size_t file_size_hint(const std::filesystem::path& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::size_t>(size);
}

/// f(T{}) for the C++ type T that `type` names.
template <class F>
auto with_type(FileNumber type, F&& f) {
  switch (type) {
    case FileNumber::int8:
      return f(std::int8_t{});
    case FileNumber::uint8:
      return f(std::uint8_t{});
    case FileNumber::int16:
      return f(std::int16_t{});
    case FileNumber::uint16:
      return f(std::uint16_t{});
    case FileNumber::int32:
      return f(std::int32_t{});
    case FileNumber::uint32:
      return f(std::uint32_t{});
    case FileNumber::int64:
      return f(std::int64_t{});
    case FileNumber::uint64:
      return f(std::uint64_t{});
    case FileNumber::float32:
      return f(float{});
    default:
      return f(double{});
  }
}

template <class F>
auto with_type(NumberType type, F&& f) {
  switch (type) {
    case NumberType::float32:
      return f(float{});
    case NumberType::int32:
      return f(std::int32_t{});
    case NumberType::uint32:
      return f(std::uint32_t{});
    case NumberType::uint8:
      return f(std::uint8_t{});
    default:
      return f(double{});
  }
}

/// A word as T: integers may be spelt "3.0", but must be whole and in range.
template <class T>
std::optional<T> parse_as(std::string_view word) {
  if (const auto exact = parse_number<T>(word)) return exact;
  if constexpr (std::is_integral_v<T>) {
    const auto real = parse_number<double>(word);
    // max + 1 is a power of two, hence exact as a double also for 64 bits.
    if (real && *real == std::floor(*real) &&
        *real >= static_cast<double>(std::numeric_limits<T>::min()) &&
        *real < static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2)
      return static_cast<T>(*real);
  }
  return std::nullopt;
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& path) {
  if (const std::string why = why_not_readable(path); !why.empty()) fail_to_read(path, why);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) fail_to_read(path, std::strerror(errno));
  try {
    std::string bytes(file_size_hint(path), '\0');
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
    char more[4096];  // files may grow
    while (const std::size_t n = std::fread(more, 1, sizeof more, file.get()))
      bytes.append(more, n);
    if (std::ferror(file.get())) fail_to_read(path, std::strerror(errno));
    return bytes;
  } catch (const std::bad_alloc&) {
    fail_to_read(path, "it does not fit into memory");
  }
}

std::string extension_of(const std::filesystem::path& path) {
  return lower(path.extension().string());
}

std::string lower(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (word.size() > 40 ? "...'" : "'");
}

template <class T>
std::optional<T> parse_number(std::string_view word) {
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
  const char* first = word.data() + (plus ? 1 : 0);
  const char* last = word.data() + word.size();
  T value{};
  const auto [end, error] = std::from_chars(first, last, value);
  if (end != last || first == last) return std::nullopt;
  if (error == std::errc{}) return value;
  const bool tiny = std::is_floating_point_v<T> && error == std::errc::result_out_of_range &&
                    (word.find("e-") != word.npos || word.find("E-") != word.npos);
  return tiny ? std::optional<T>(T{}) : std::nullopt;
}
template std::optional<float> parse_number(std::string_view);
template std::optional<double> parse_number(std::string_view);
template std::optional<std::uint8_t> parse_number(std::string_view);
template std::optional<std::int32_t> parse_number(std::string_view);
template std::optional<std::uint32_t> parse_number(std::string_view);
template std::optional<std::int64_t> parse_number(std::string_view);
template std::optional<std::uint64_t> parse_number(std::string_view);

void TextReader::skip_blanks() {
  while (!at_end() && is_blank(text[at])) ++at;
}

void TextReader::skip_space() {
  while (!at_end() && (is_blank(text[at]) || text[at] == '\n')) ++at;
}

std::string_view TextReader::word() {
  skip_space();
  const std::size_t first = at;
  while (!at_end() && !is_blank(text[at]) && text[at] != '\n') ++at;
  return text.substr(first, at - first);
}

std::string_view TextReader::line() {
  const std::size_t first = at, end = std::min(text.find('\n', at), text.size());
  at = std::min(end + 1, text.size());
  std::string_view all = text.substr(first, end - first);
  if (!all.empty() && all.back() == '\r') all.remove_suffix(1);
  return all;
}

template <class T>
T TextReader::number(std::string_view what) {
  const std::string_view token = word();
  if (const auto value = parse_as<T>(token)) return *value;
  const std::size_t where = at - token.size();
  if (token.empty()) fail("ends where " + std::string(what) + " should be", where);
  fail(std::string(what) + " = " + in_quotes(token) + " is not a number of the right kind or range",
       where);
}
template float TextReader::number(std::string_view);
template double TextReader::number(std::string_view);
template std::uint8_t TextReader::number(std::string_view);
template std::int32_t TextReader::number(std::string_view);
template std::uint32_t TextReader::number(std::string_view);
template std::int64_t TextReader::number(std::string_view);
template std::uint64_t TextReader::number(std::string_view);

void TextReader::fail(const std::string& message, std::size_t where) const {
  const std::string_view before = text.substr(0, std::min(where, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == before.npos ? 0 : start + 1) + 1;
  throw InputError(Place{file, static_cast<int>(line), static_cast<int>(column)}, message);
}

std::size_t size_of(FileNumber type) {
  return with_type(type, [](auto t) { return sizeof(t); });
}

NumberType stored_type(FileNumber type) {
  switch (type) {
    case FileNumber::int8:
    case FileNumber::int16:
    case FileNumber::int32:
      return NumberType::int32;
    case FileNumber::uint16:
    case FileNumber::uint32:
      return NumberType::uint32;
    case FileNumber::uint8:
      return NumberType::uint8;
    case FileNumber::float32:
      return NumberType::float32;
    default:
      return NumberType::float64;
  }
}

void decode_numbers(FileNumber type, const char* from, std::size_t stride, std::size_t count,
                    bool swap_bytes, std::vector<std::byte>& out) {
  with_type(type, [&](auto raw) {
    with_type(stored_type(type), [&](auto stored) {
      using Stored = decltype(stored);
      const std::size_t first = out.size();
      out.resize(first + count * sizeof(Stored));
      for (std::size_t k = 0; k < count; ++k) {
        const auto value =
            static_cast<Stored>(load_number<decltype(raw)>(from + k * stride, swap_bytes));
        std::memcpy(out.data() + first + k * sizeof(Stored), &value, sizeof(Stored));
      }
    });
  });
}

void parse_numbers(TextReader& text, NumberType type, std::size_t count, std::string_view what,
                   std::vector<std::byte>& out) {
  // A number takes a digit and a separator: a count beyond that lies, and would cost memory.
  if (count > text.left() / 2 + 1)
    text.fail("the file ends before " + std::to_string(count) + " numbers of " + std::string(what) +
              "; it is cut off, or its header is wrong");
  with_type(type, [&](auto t) {
    using T = decltype(t);
    const std::size_t first = out.size();
    out.resize(first + count * sizeof(T));
    for (std::size_t k = 0; k < count; ++k) {
      const T value = text.number<T>(what);
      std::memcpy(out.data() + first + k * sizeof(T), &value, sizeof(T));
    }
  });
}

double number_at(NumberType type, const std::vector<std::byte>& data, std::size_t k) {
  return with_type(type, [&](auto t) {
    std::memcpy(&t, data.data() + k * sizeof(t), sizeof(t));
    return static_cast<double>(t);
  });
}

std::string_view ByteReader::take(std::size_t n, std::string_view what) {
  if (n > left())
    fail(std::string(what) + " needs " + std::to_string(n) + " bytes, but " +
         std::to_string(left()) + " are left; the file is cut off, or its header is wrong");
  at += n;
  return bytes.substr(at - n, n);
}

void ByteReader::fail(const std::string& message, std::size_t where) const {
  throw InputError(Place{file}, "byte " + std::to_string(where) + ": " + message);
}

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
