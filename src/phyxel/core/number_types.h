#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "phyxel/core/column.h"

namespace phyxel {

/// f(T{}) for the C++ type T that `type` names.
template <class F>
auto with_number_type(NumberType type, F&& f) {
  switch (type) {
    case NumberType::float32:
      return f(float{});
    case NumberType::int32:
      return f(std::int32_t{});
    case NumberType::uint32:
      return f(std::uint32_t{});
    case NumberType::uint8:
      return f(std::uint8_t{});
    case NumberType::uint64:
      return f(std::uint64_t{});
    default:
      return f(double{});
  }
}

/// Number `k` of a packed array.
inline double number_at(NumberType type, const std::vector<std::byte>& data, std::size_t k) {
  return with_number_type(type, [&](auto value) {
    std::memcpy(&value, data.data() + k * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  });
}

}  // namespace phyxel
