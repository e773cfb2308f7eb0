#include "phyxel/scene/toml_value.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel {

namespace {

/// The shortest decimal that is read as the same number. Readers go through double, which in rare
/// cases rounds the shortest one of a float to its neighbour.
template <class T>
std::string number_text(T value) {
  std::string text = fmt::format("{}", value);
  if (static_cast<T>(std::strtod(text.c_str(), nullptr)) != value)
    text = fmt::format("{}", static_cast<double>(value));
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string list_text(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

template <class List>
std::string text_of_all(const List& list) {
  std::vector<std::string> items;
  for (const auto& item : list) items.push_back(toml_text(item));
  return list_text(items);
}

template <class T>
std::string vector_text(const Vec<T, 3>& v) {
  return list_text({number_text(v[0]), number_text(v[1]), number_text(v[2])});
}

template <class T>
bool is_finite_vector(const Vec<T, 3>& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

struct TextOf {
  const Parameter& parameter;

  template <std::floating_point T>
  std::string operator()(T* v) const {
    if (!std::isfinite(*v)) return "";
    // The end of a range is a decimal: it is the text that lies within, not the float next to it.
    const std::string text = number_text(*v);
    return parameter.range.contains(std::strtod(text.c_str(), nullptr)) ? text : "";
  }
  template <std::floating_point T>
  std::string operator()(Vec<T, 3>* v) const {
    return is_finite_vector(*v) ? vector_text(*v) : "";
  }
  std::string operator()(int* v) const { return std::to_string(*v); }
  std::string operator()(bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(std::string* v) const { return toml_text(*v); }
  std::string operator()(Bool3* v) const { return fmt::format("[{}]", fmt::join(*v, ", ")); }
  std::string operator()(std::vector<double>* v) const { return text_of_all(*v); }
  std::string operator()(std::vector<std::string>* v) const { return text_of_all(*v); }
  std::string operator()(std::vector<Vec3>* v) const {
    std::vector<std::string> rows;
    for (const Vec3& row : *v) rows.push_back(vector_text(row));
    return list_text(rows);
  }
  std::string operator()(const Choice& c) const {
    const std::size_t k = c.index();
    if (k >= c.words.size())
      throw InputError(fmt::format("{} has a value that is none of its words: {}", parameter.name,
                                   fmt::join(c.words, ", ")));
    return toml_text(c.words[k]);
  }
};

}  // namespace

std::string toml_text(double number) {
  if (!std::isfinite(number))
    throw InputError(fmt::format("{} is not finite; a scene file cannot hold it", number));
  return number_text(number);
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const unsigned char c : text)
    if (c < ' ' || c == 127)
      result += fmt::format("\\u{:04x}", c);
    else
      result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, char(c));
  return result + "\"";
}

std::string toml_text(const Parameter& parameter) {
  return std::visit([&](auto value) { return TextOf{parameter}(value); }, parameter.value);
}

std::string toml_text(const ParameterValue& value) {
  struct Text {
    std::string operator()(double v) const { return toml_text(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return toml_text(v); }
    std::string operator()(const std::vector<double>& v) const { return text_of_all(v); }
    std::string operator()(const std::vector<std::string>& v) const { return text_of_all(v); }
    std::string operator()(const std::vector<bool>& v) const {
      std::vector<std::string> words;
      for (const bool b : v) words.emplace_back(b ? "true" : "false");
      return list_text(words);
    }
    std::string operator()(const std::vector<std::vector<double>>& v) const {
      std::vector<std::string> rows;
      for (const std::vector<double>& row : v) rows.push_back(text_of_all(row));
      return list_text(rows);
    }
  };
  return std::visit(Text{}, value);
}

}  // namespace phyxel
