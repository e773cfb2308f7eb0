#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "phyxel/core/range.h"
#include "phyxel/core/vec.h"

namespace phyxel {

/// "must be above 0", "must be from 0 to 1".
std::string to_string(const Range& range);

/// One of a few words, kept as text or as an enumeration whose values count from 0 in the order of
/// `words`.
struct Choice {
  std::vector<std::string> words;
  std::function<std::size_t()> index;
  std::function<void(std::size_t)> set;
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
  bool changeable = false;  // events and keyframes may set it
  // Words of the choice beside it (method, automaton) with which it does something; none: all.
  std::vector<std::string> used_by = {};
};

/// Collects parameters: describe(fields, thing) calls it once per member. The only description of a
/// parameter: readers, checks and docs use it.
class Fields {
 public:
  template <class T>
  Parameter& operator()(std::string name, T& value, std::string unit, const Range& range,
                        std::string help) {
    return add({std::move(name), &value, std::move(unit), range, std::move(help)});
  }
  template <class T>
  Parameter& operator()(std::string name, T& value, std::string help) {
    return add({std::move(name), &value, "", any_number, std::move(help)});
  }
  template <class Enum>
  Parameter& choice(std::string name, Enum& value, std::vector<std::string> words,
                    std::string help) {
    Choice choice{std::move(words), [&value] { return static_cast<std::size_t>(value); },
                  [&value](std::size_t k) { value = static_cast<Enum>(k); }};
    return add({std::move(name), std::move(choice), "", any_number, std::move(help)});
  }
  Parameter& choice(std::string name, std::string& value, std::vector<std::string> words,
                    std::string help) {
    const auto index = [&value, words] {
      return static_cast<std::size_t>(std::find(words.begin(), words.end(), value) - words.begin());
    };
    Choice choice{words, index, [&value, words](std::size_t k) { value = words[k]; }};
    return add({std::move(name), std::move(choice), "", any_number, std::move(help)});
  }

  Parameter* find(const std::string& name);
  std::vector<std::string> names() const;

  std::vector<Parameter> list;

 private:
  Parameter& add(Parameter parameter) { return list.emplace_back(std::move(parameter)); }
};

/// All parameters of a thing that has a describe(fields, thing).
template <class T>
Fields described(T& thing) {
  Fields fields;
  describe(fields, thing);
  return fields;
}

/// The kind of value in words: "number", "whole number", "true or false", "text", "3 numbers", "one
/// of ...".
std::string kind_of(const Parameter& parameter);
/// Puts `value` where the parameter lives. Returns "" or what is wrong with it: kind, value, limit
/// and remedy.
std::string assign(const Parameter& parameter, const ParameterValue& value);

/// The value as a user would write it, for messages.
std::string to_string(const ParameterValue& value);

/// The current value as it would be written in a scene file; "" when not given. A number outside of
/// its range stands for one that is not given.
std::string value_text(const Parameter& parameter);

}  // namespace phyxel
