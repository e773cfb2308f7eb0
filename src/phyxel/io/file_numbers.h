#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "phyxel/core/number_types.h"
#include "phyxel/io/text_reader.h"

// Numbers as they lie in files: their types, byte orders and arrays. Nothing is allocated before
// the bytes for it are known to exist.

namespace phyxel {

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

}  // namespace phyxel
