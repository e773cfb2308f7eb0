#pragma once

#include <limits>

#include "phyxel/core/backend.h"

// Ranges of numbers that users give: what a describe() function says beside name, unit and meaning.

namespace phyxel {

/// Marks a number that the user did not give; input never contains a non-finite number.
constexpr Real not_given = std::numeric_limits<Real>::quiet_NaN();
inline bool is_given(double value) {
  return value == value;
}

/// The range of a number, and what a message says when it is outside.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_included = true;
  bool max_included = true;
  const char* remedy = "";  // appended to the message; may be empty

  bool contains(double value) const {
    return (min_included ? value >= min : value > min) &&
           (max_included ? value <= max : value < max);
  }
};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Range any_number{};
constexpr Range positive{0, infinity, false, true, ""};
constexpr Range not_negative{0, infinity, true, true, ""};
constexpr Range fraction{0, 1, true, true, ""};
constexpr Range above_absolute_zero{-273.15, infinity, true, true, "temperatures are in degrees C"};

}  // namespace phyxel
