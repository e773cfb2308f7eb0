#include "phyxel/matter/parameters.h"

#include <cmath>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/matter/unit_limits.h"

namespace phyxel {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

template <class T>
concept Number = std::is_floating_point_v<T>;

std::string number_text(double value) {
  if (!is_given(value)) return "";
  std::string text = fmt::format("{:.7g}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string list_text(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (double v : values) texts.push_back(number_text(v));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

template <Number T>
std::vector<double> as_list(const Vec<T, 3>& v) {
  return {v[0], v[1], v[2]};
}

/// A text as one would write it: what does not print would break the message, and one of pages too.
std::string quoted(const std::string& text) {
  constexpr std::size_t most_shown = 200;
  std::string result = "\"";
  for (const unsigned char c : text.substr(0, most_shown))
    result += c < ' ' || c == 127 ? fmt::format("\\u{:04x}", c) : std::string(1, char(c));
  return result + (text.size() > most_shown ? "...\"" : "\"");
}

std::string in_unit(const Parameter& p) {
  return p.unit.empty() ? "" : " in " + p.unit;
}

/// "2 cm" for a length in m: says what to write instead.
std::string unit_hint(const Parameter& p, const std::string& text) {
  static const std::vector<std::tuple<std::string, std::string, double>> units = {
      {"mm", "m", 1e-3},  {"cm", "m", 1e-2},  {"km", "m", 1e3},   {"m", "m", 1},
      {"kPa", "Pa", 1e3}, {"MPa", "Pa", 1e6}, {"GPa", "Pa", 1e9}, {"Pa", "Pa", 1},
      {"g", "kg", 1e-3},  {"kg", "kg", 1},    {"ms", "s", 1e-3},  {"s", "s", 1},
      {"min", "s", 60}};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit = end;
  unit.erase(0, unit.find_first_not_of(' '));
  for (const auto& [name, base, factor] : units)
    if (end != text.c_str() && unit == name && base == p.unit)
      return fmt::format("; write {} ({} is understood)", number_text(number * factor), p.unit);
  return "";
}

/// One number where three are needed: what users mean by it.
std::string vector_hint(const Parameter& p, double number) {
  const std::string text = number_text(number);
  if (p.name == "gravity")
    return fmt::format("; write [0, {}, 0], as y is up", number_text(-std::abs(number)));
  const bool alike = p.name == "size" || p.name == "radii" || p.name == "colour";
  return alike ? fmt::format("; write [{0}, {0}, {0}] for three equal ones", text)
               : fmt::format("; write [{}, 0, 0] for that along x", text);
}

std::string check_number(const Parameter& p, double value) {
  if (!std::isfinite(value)) return "is not a finite number; it must be " + kind_of(p);
  if (p.range.contains(value)) return "";
  const std::string remedy = *p.range.remedy ? fmt::format("; {}", p.range.remedy) : "";
  return to_string(p.range) + (p.unit.empty() ? "" : " " + p.unit) + remedy;
}

std::string check_size(const Parameter& p, double value) {
  const UnitLimit* const limit = limit_of(p.unit);
  if (!limit || std::abs(value) <= limit->largest) return "";
  return fmt::format("is too large: {:.0e}{} is the most here; {}", limit->largest,
                     p.unit.empty() ? "" : " " + p.unit, limit->remedy);
}

/// A number that is fine in a scene file may be beyond what Real holds: 1e-60 would become 0.
template <Number T>
std::string check_fits(double value) {
  const T kept = static_cast<T>(value);
  if (!std::isfinite(kept))
    return fmt::format("is too large: this program holds numbers up to {:.2g}; write a smaller one",
                       std::numeric_limits<T>::max());
  if (kept == 0 && value != 0)
    return fmt::format(
        "is too near to 0: the smallest number this program holds is {:.2g}; write 0 or a "
        "larger one",
        std::numeric_limits<T>::denorm_min());
  return "";
}

std::string wrong_kind(const Parameter& p, const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* number = std::get_if<double>(&value);
  const bool lacks_axes =
      number && std::isfinite(*number) &&
      (std::holds_alternative<Vec3*>(p.value) || std::holds_alternative<Vec3d*>(p.value));
  return "must be " + kind_of(p) + (text ? unit_hint(p, *text) : "") +
         (lacks_axes ? vector_hint(p, *number) : "");
}

template <Number T>
std::string put(const Parameter& p, T* target, const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (!number) return wrong_kind(p, value);
  std::string wrong = check_number(p, *number);
  if (wrong.empty()) wrong = check_fits<T>(*number);
  if (wrong.empty()) wrong = check_size(p, *number);
  if (wrong.empty()) *target = static_cast<T>(*number);
  return wrong;
}

std::string put(const Parameter& p, int* target, const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value);
  if (!number || *number != std::floor(*number)) return wrong_kind(p, value);
  const std::string wrong = check_number(p, *number);
  if (!wrong.empty()) return wrong;
  if (std::abs(*number) > std::numeric_limits<int>::max()) return wrong_kind(p, value);
  *target = static_cast<int>(*number);
  return "";
}

std::string put(const Parameter& p, bool* target, const ParameterValue& value) {
  const auto* flag = std::get_if<bool>(&value);
  if (!flag) return wrong_kind(p, value);
  *target = *flag;
  return "";
}

std::string put(const Parameter& p, std::string* target, const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return wrong_kind(p, value);
  *target = *text;
  return "";
}

/// Places are kept in double and end as Real, so that the range is that of Real for both.
template <Number T>
std::string put(const Parameter& p, Vec<T, 3>* target, const ParameterValue& value) {
  const auto* list = std::get_if<std::vector<double>>(&value);
  if (!list || list->size() != 3) return wrong_kind(p, value);
  for (double v : *list) {
    if (const std::string wrong = check_number(p, v); !wrong.empty()) return wrong;
    if (const std::string wrong = check_fits<Real>(v); !wrong.empty()) return wrong;
    if (const std::string wrong = check_size(p, v); !wrong.empty()) return wrong;
  }
  for (int k = 0; k < 3; ++k) (*target)[k] = static_cast<T>((*list)[k]);
  return "";
}

std::string put(const Parameter& p, Bool3* target, const ParameterValue& value) {
  const auto* list = std::get_if<std::vector<bool>>(&value);
  if (!list || list->size() != 3) return wrong_kind(p, value);
  for (int k = 0; k < 3; ++k) (*target)[k] = (*list)[k];
  return "";
}

std::string put(const Parameter& p, std::vector<double>* target, const ParameterValue& value) {
  const auto* list = std::get_if<std::vector<double>>(&value);
  if (!list) return wrong_kind(p, value);
  for (double v : *list) {
    if (const std::string wrong = check_number(p, v); !wrong.empty()) return wrong;
    if (const std::string wrong = check_size(p, v); !wrong.empty()) return wrong;
  }
  *target = *list;
  return "";
}

std::string put(const Parameter& p, std::vector<Vec3>* target, const ParameterValue& value) {
  const auto* rows = std::get_if<std::vector<std::vector<double>>>(&value);
  if (!rows) return wrong_kind(p, value);
  std::vector<Vec3> result;
  for (const auto& row : *rows) {
    Vec3 v;
    const std::string wrong = put(p, &v, ParameterValue(row));
    if (!wrong.empty()) return wrong;
    result.push_back(v);
  }
  *target = std::move(result);
  return "";
}

std::string put(const Parameter& p, std::vector<std::string>* target, const ParameterValue& value) {
  if (const auto* one = std::get_if<std::string>(&value)) {
    *target = {*one};
    return "";
  }
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (!list) return wrong_kind(p, value);
  *target = *list;
  return "";
}

std::string put(const Parameter& p, const Choice& choice, const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (!text) return wrong_kind(p, value);
  for (std::size_t k = 0; k < choice.words.size(); ++k)
    if (choice.words[k] == *text) {
      choice.set(k);
      return "";
    }
  return wrong_kind(p, value) + suggestion(*text, choice.words);
}

}  // namespace

std::string to_string(const Range& range) {
  const bool low = range.min > -infinity, high = range.max < infinity;
  const auto bound = [](double value) { return fmt::format("{:.10g}", value); };
  if (low && high)
    return fmt::format("must be {} {} and {} {}", range.min_included ? "at least" : "above",
                       bound(range.min), range.max_included ? "at most" : "below",
                       bound(range.max));
  if (low)
    return fmt::format("must be {} {}", range.min_included ? "at least" : "above",
                       bound(range.min));
  if (high)
    return fmt::format("must be {} {}", range.max_included ? "at most" : "below", bound(range.max));
  return "may be any number";
}

Parameter* Fields::find(const std::string& name) {
  for (Parameter& parameter : list)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

std::vector<std::string> Fields::names() const {
  std::vector<std::string> result;
  for (const Parameter& parameter : list) result.push_back(parameter.name);
  return result;
}

std::string kind_of(const Parameter& p) {
  return std::visit(
      Overloaded{
          [&](Number auto*) { return "a number" + in_unit(p); },
          [&](int*) -> std::string { return "a whole number"; },
          [&](bool*) -> std::string { return "true or false"; },
          [&](std::string*) -> std::string { return "text"; },
          [&]<Number T>(Vec<T, 3>*) { return "3 numbers" + in_unit(p); },
          [&](Bool3*) -> std::string { return "3 times true or false"; },
          [&](std::vector<double>*) { return "a list of numbers" + in_unit(p); },
          [&](std::vector<Vec3>*) { return "a list of 3 numbers each" + in_unit(p); },
          [&](std::vector<std::string>*) -> std::string { return "a text or a list of them"; },
          [&](const Choice& c) {
            return fmt::format("one of \"{}\"", fmt::join(c.words, "\", \""));
          }},
      p.value);
}

std::string value_text(const Parameter& parameter) {
  return std::visit(
      Overloaded{
          [&](Number auto* v) { return parameter.range.contains(*v) ? number_text(*v) : ""; },
          [](int* v) { return std::to_string(*v); },
          [](bool* v) -> std::string { return *v ? "true" : "false"; },
          [](std::string* v) { return v->empty() ? "" : "\"" + *v + "\""; },
          []<Number T>(Vec<T, 3>* v) { return is_given((*v)[0]) ? list_text(as_list(*v)) : ""; },
          [](Bool3* v) { return fmt::format("[{}]", fmt::join(*v, ", ")); },
          [](std::vector<double>* v) { return v->empty() ? "" : list_text(*v); },
          [](std::vector<Vec3>*) -> std::string { return ""; },
          [](std::vector<std::string>* v) {
            return v->empty() ? "" : fmt::format("[\"{}\"]", fmt::join(*v, "\", \""));
          },
          [](const Choice& c) { return "\"" + c.words.at(c.index()) + "\""; }},
      parameter.value);
}

std::string assign(const Parameter& parameter, const ParameterValue& value) {
  return std::visit([&](const auto& target) { return put(parameter, target, value); },
                    parameter.value);
}

std::string to_string(const ParameterValue& value) {
  return std::visit(Overloaded{[](double v) { return fmt::format("{:.7g}", v); },
                               [](bool v) -> std::string { return v ? "true" : "false"; },
                               [](const std::string& v) { return quoted(v); },
                               [](const std::vector<double>& v) {
                                 return fmt::format("[{:.7g}]", fmt::join(v, ", "));
                               },
                               [](const std::vector<bool>& v) {
                                 std::vector<std::string> words;
                                 for (bool b : v) words.push_back(b ? "true" : "false");
                                 return fmt::format("[{}]", fmt::join(words, ", "));
                               },
                               [](const std::vector<std::string>& v) {
                                 return fmt::format("[\"{}\"]", fmt::join(v, "\", \""));
                               },
                               [](const std::vector<std::vector<double>>& v) {
                                 std::vector<std::string> rows;
                                 for (const auto& row : v)
                                   rows.push_back(fmt::format("[{:.7g}]", fmt::join(row, ", ")));
                                 return fmt::format("[{}]", fmt::join(rows, ", "));
                               }},
                    value);
}

}  // namespace phyxel
