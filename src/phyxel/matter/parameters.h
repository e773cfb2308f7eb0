#pragma once

#include <array>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "phyxel/core/vec.h"

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

/// "must be above 0", "must be from 0 to 1".
std::string to_string(const Range& range);

/// One of a few words, kept as an enumeration whose values count from 0 in the order of `words`.
struct Choice {
  void* target = nullptr;
  int (*index)(const void*) = nullptr;
  void (*set)(void*, int) = nullptr;
  std::vector<std::string> words;
};

/// Three switches, one per axis.
using Bool3 = std::array<bool, 3>;

/// Where a parameter lives.
using ValuePointer = std::variant<
#ifndef PHYXEL_DOUBLE
    float*, Vec3*,
#endif
    double*, int*, bool*, std::string*, Vec3d*, Bool3*, std::vector<double>*, std::vector<Vec3>*,
    std::vector<std::string>*, Choice>;

/// A value on its way into a parameter, as scene files, command lines and events carry it.
using ParameterValue =
    std::variant<double, bool, std::string, std::vector<double>, std::vector<bool>,
                 std::vector<std::string>, std::vector<std::vector<double>>>;

/// One parameter of a scene: everything that readers, checks, events, schema and docs need to know
/// about it.
struct Parameter {
  std::string name;
  ValuePointer value;
  std::string unit;  // SI; "" where dimensionless
  Range range;
  std::string help;
};

/// Collects parameters: describe(fields, thing) calls it once per member. The only description of a
/// parameter: readers, checks and docs use it.
class Fields {
 public:
  template <class T>
  void operator()(std::string name, T& value, std::string unit, const Range& range,
                  std::string help) {
    list.push_back({std::move(name), &value, std::move(unit), range, std::move(help)});
  }
  template <class T>
  void operator()(std::string name, T& value, std::string help) {
    list.push_back({std::move(name), &value, "", any_number, std::move(help)});
  }
  template <class Enum>
  void choice(std::string name, Enum& value, std::vector<std::string> words, std::string help) {
    Choice choice{
        &value, [](const void* p) { return static_cast<int>(*static_cast<const Enum*>(p)); },
        [](void* p, int k) { *static_cast<Enum*>(p) = static_cast<Enum>(k); }, std::move(words)};
    list.push_back({std::move(name), std::move(choice), "", any_number, std::move(help)});
  }

  Parameter* find(const std::string& name);
  std::vector<std::string> names() const;

  std::vector<Parameter> list;
};

/// The kind of value in words: "number", "whole number", "true or false", "text", "3 numbers", "one
/// of ...".
std::string kind_of(const Parameter& parameter);
/// Puts `value` where the parameter lives. Returns "" or what is wrong with it: kind, value, limit
/// and remedy.
std::string assign(const Parameter& parameter, const ParameterValue& value);

/// The value as a user would write it, for messages.
std::string to_string(const ParameterValue& value);

/// The current value as it would be written in a scene file; "" when not given.
std::string value_text(const Parameter& parameter);

}  // namespace phyxel
