#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phyxel/core/column.h"
#include "phyxel/core/error.h"

// Reading files by others: text and numbers with places for messages, and PLY as named columns.
// Input may be cut off, lie about its counts or be noise: every step is checked, and nothing is
// allocated before the bytes for it are known to exist. No locale: std::from_chars.

namespace phyxel {

/// The bytes of a file. InputError with the reason when it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);

/// Lower-case extension with its dot: ".ply".
std::string extension_of(const std::filesystem::path& path);

/// ASCII letters made small; the locale does not matter.
std::string lower(std::string_view word);

/// The number that all of `word` spells ("1.5", "+2", "1e-3", "nan"), or nothing. Too small is 0.
template <class T>
std::optional<T> parse_number(std::string_view word);

/// At most 40 characters of `word` in quotes, unprintable ones as '?': safe in a message.
std::string in_quotes(std::string_view word);

/// Walks over text. Line and column are counted only when a message needs them.
struct TextReader {
  std::string_view text;
  std::string file;  // name for messages
  std::size_t at = 0;

  bool at_end() const { return at >= text.size(); }
  char peek() const { return at_end() ? '\0' : text[at]; }
  std::size_t left() const { return text.size() - at; }

  void skip_blanks();       // spaces and tabs
  void skip_space();        // line ends too
  std::string_view word();  // the next run without white space, on any line; "" at the end
  std::string_view line();  // the rest of this line without its end; moves to the next

  /// The next word as a number; `what` names it in messages.
  template <class T>
  T number(std::string_view what);

  /// InputError at byte `where`: file:line:column: message.
  [[noreturn]] void fail(const std::string& message, std::size_t where) const;
  [[noreturn]] void fail(const std::string& message) const { fail(message, at); }
};

/// How a number lies in a file.
enum class FileNumber {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64
};
std::size_t size_of(FileNumber type);

/// The narrowest NumberType that holds every value; 64-bit integers become float64, exact below
/// 2^53.
NumberType stored_type(FileNumber type);

/// `count` numbers, `stride` bytes apart, appended to `out` as stored_type(type).
void decode_numbers(FileNumber type, const char* from, std::size_t stride, std::size_t count,
                    bool swap_bytes, std::vector<std::byte>& out);

/// `count` numbers of text appended to `out`; refuses those that `type` cannot hold.
void parse_numbers(TextReader& text, NumberType type, std::size_t count, std::string_view what,
                   std::vector<std::byte>& out);

/// Number `k` of a packed array.
double number_at(NumberType type, const std::vector<std::byte>& data, std::size_t k);

template <class T>
T load_number(const char* from, bool swap_bytes) {
  char raw[sizeof(T)];
  std::memcpy(raw, from, sizeof(T));
  if (swap_bytes) std::reverse(raw, raw + sizeof(T));
  return std::bit_cast<T>(raw);
}
constexpr bool host_is_big_endian = std::endian::native == std::endian::big;

/// Walks over binary data; messages name the byte.
struct ByteReader {
  std::string_view bytes;
  std::string file;  // name for messages
  std::size_t at = 0;
  bool swap_bytes = false;

  std::size_t left() const { return bytes.size() - at; }
  /// The next n bytes; InputError when fewer are left.
  std::string_view take(std::size_t n, std::string_view what);
  template <class T>
  T number(std::string_view what) {
    return load_number<T>(take(sizeof(T), what).data(), swap_bytes);
  }
  [[noreturn]] void fail(const std::string& message, std::size_t where) const;
  [[noreturn]] void fail(const std::string& message) const { fail(message, at); }
};

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
