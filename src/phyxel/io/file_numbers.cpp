#include "phyxel/io/file_numbers.h"

namespace phyxel {

namespace {

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

}  // namespace

std::size_t size_of(FileNumber type) {
  return with_type(type, [](auto t) { return sizeof(t); });
}

NumberType stored_type(FileNumber type) {
  using enum NumberType;
  constexpr NumberType by_file_number[] = {int32,  uint8,   int32,   uint32,  int32,
                                           uint32, float64, float64, float32, float64};
  return by_file_number[int(type)];
}

void decode_numbers(FileNumber type, const char* from, std::size_t stride, std::size_t count,
                    bool swap_bytes, std::vector<std::byte>& out) {
  with_type(type, [&](auto raw) {
    with_number_type(stored_type(type), [&](auto stored) {
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
  with_number_type(type, [&](auto t) {
    using T = decltype(t);
    const std::size_t first = out.size();
    out.resize(first + count * sizeof(T));
    for (std::size_t k = 0; k < count; ++k) {
      const T value = text.number<T>(what);
      std::memcpy(out.data() + first + k * sizeof(T), &value, sizeof(T));
    }
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

}  // namespace phyxel
